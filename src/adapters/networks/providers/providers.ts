// Several providers of one network. The provider that responded last is asked first. A provider that fails is not used for a
// while. Important results are requested from two providers. One provider does a piece of work from start to end, because
// combined responses of two lagging providers prove nothing.
import type { ProviderState } from '../../../ports/networks/network-watch.ts';
import {
  makeProviderConnection,
  type ProviderConnection,
  type ProviderConnectionParts,
  type ProviderHealth,
  type ProviderWork,
} from './provider-connection.ts';

export type ProviderAgreement<Answer> =
  | { readonly kind: 'agreed'; readonly answer: Answer }
  | { readonly kind: 'differ'; readonly answers: readonly Answer[] }
  /** Fewer than two providers responded, although more than one is configured. */
  | { readonly kind: 'unconfirmed'; readonly answer: Answer };

export interface Providers<Client> {
  readonly count: number;
  /** Runs the work on the best provider. If that fails, runs it again from the start on the next one. Throws the last error. */
  one<Answer>(work: ProviderWork<Client, Answer>): Promise<Answer>;
  /** Runs the whole work on one provider and then on a second provider. If only one is configured, its result is enough. */
  agree<Answer>(
    work: ProviderWork<Client, Answer>,
    same: (a: Answer, b: Answer) => boolean,
  ): Promise<ProviderAgreement<Answer>>;
  /**
   * Runs the work on all providers that did not fail recently. If all failed recently, runs it on the best one. Throws an error
   * when no provider responded.
   */
  every<Answer>(work: ProviderWork<Client, Answer>): Promise<readonly Answer[]>;
  all<Answer>(work: ProviderWork<Client, Answer>): Promise<readonly PromiseSettledResult<Answer>[]>;
  /** Asks every provider which chain it serves. Resolves to a map from the provider's name to its error, and never rejects. */
  prove(): Promise<ReadonlyMap<string, unknown>>;
  health(): readonly ProviderHealth[];
  /**
   * Like `health`, but first sends a simple request to each provider whose last request failed or that was not used for a while.
   * Never throws.
   */
  look(question: (client: Client) => Promise<unknown>): Promise<readonly ProviderState[]>;
}

export function makeProviders<Client>(
  urls: readonly string[],
  connect: (url: string) => Client,
  parts: ProviderConnectionParts<Client>,
): Providers<Client> {
  if (urls.length === 0) throw new Error('a network needs a provider');
  const names = namesOf(urls);
  const standings = urls.map((url, index) => makeProviderConnection(names[index]!, url, connect, parts));
  let preferred = standings[0]!;

  /** The order is: the provider that responded last, then the usable providers, then the one that becomes usable next. */
  const ranked = () => {
    const nowMs = parts.clock.now();
    const rank = (each: ProviderConnection<Client>) =>
      each.restsUntilMs() > nowMs ? each.restsUntilMs() : each === preferred ? -1 : 0;
    return standings.toSorted((a, b) => rank(a) - rank(b));
  };
  const several = async <Answer>(count: number, work: ProviderWork<Client, Answer>) => {
    const answers: Answer[] = [];
    let failure: unknown;
    for (const each of ranked()) {
      try {
        answers.push(await each.run(work));
        if (answers.length === 1) preferred = each;
        if (answers.length === count) break;
      } catch (error) {
        failure = error;
      }
    }
    if (answers.length === 0) throw failure;
    return answers;
  };

  const health = () => ranked().map((each) => each.health());

  return {
    count: standings.length,
    one: async (work) => (await several(1, work))[0]!,
    agree: async (work, same) => {
      const answers = await several(Math.min(2, standings.length), work);
      const [answer, other] = answers as [Awaited<ReturnType<typeof work>>, (typeof answers)[number]?];
      if (standings.length === 1) return { kind: 'agreed', answer };
      if (other === undefined) return { kind: 'unconfirmed', answer };
      return same(answer, other) ? { kind: 'agreed', answer } : { kind: 'differ', answers };
    },
    every: async (work) => {
      const awake = ranked().filter((each) => each.restsUntilMs() <= parts.clock.now());
      const asked = awake.length > 0 ? awake : ranked().slice(0, 1);
      const ends = await Promise.allSettled(asked.map((each) => each.run(work)));
      const answers = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
      if (answers.length === 0) throw ends.find((end) => end.status === 'rejected')!.reason;
      return answers;
    },
    all: (work) => Promise.allSettled(standings.map((each) => each.run(work))),
    prove: async () => {
      const ends = await Promise.allSettled(standings.map((each) => each.prove()));
      return new Map(
        ends.flatMap((end, index) => (end.status === 'rejected' ? [[names[index]!, end.reason]] : [])),
      );
    },
    health,
    look: async (question) => {
      await Promise.all(standings.map((each) => each.look(question)));
      return health();
    },
  };
}

/** Names each provider by its host. Further URLs of the same host get a number. */
function namesOf(urls: readonly string[]): readonly string[] {
  const seen = new Map<string, number>();
  return urls.map((url) => {
    const host = hostOf(url);
    const nth = (seen.get(host) ?? 0) + 1;
    seen.set(host, nth);
    return nth === 1 ? host : `${host} (${nth})`;
  });
}

/** The message does not repeat an invalid URL, because it may contain a key. The error of Node would contain the whole URL. */
function hostOf(url: string): string {
  if (!URL.canParse(url)) throw new Error('the URL of a provider is not valid');
  return new URL(url).host;
}

/**
 * Reads from the chain a balance that will be booked: the smaller of two providers' answers, so that a provider that lags or lies
 * cannot make it larger. If only one provider is configured, its answer is used.
 */
export async function readLeastOfTwo<Client>(
  providers: Providers<Client>,
  work: ProviderWork<Client, bigint>,
): Promise<bigint> {
  const said = await providers.agree(work, (a, b) => a === b);
  switch (said.kind) {
    case 'agreed':
      return said.answer;
    case 'differ':
      return said.answers.reduce((least, each) => (each < least ? each : least));
    case 'unconfirmed':
      throw new Error('only one provider answers, but two must answer before a balance is booked');
  }
}
