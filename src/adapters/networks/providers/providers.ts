// Several providers of one network: the one that last answered is asked first, one that fails rests for a while, and what
// matters is asked of two. A piece of work always runs on one provider from its start to its end: answers of two lagging
// providers put together prove nothing.
import type { ProviderState } from '../../../ports/network/watches.ts';
import { type Health, makeStanding, type Standing, type StandingParts, type Work } from './standing.ts';

export type Agreement<Answer> =
  | { readonly kind: 'agreed'; readonly answer: Answer }
  | { readonly kind: 'differ'; readonly answers: readonly Answer[] }
  /** Fewer than two answered, of more than one that were told of. */
  | { readonly kind: 'unconfirmed'; readonly answer: Answer };

export interface Providers<Client> {
  readonly count: number;
  /** On the best one; when it fails, from the start on the next. Throws what the last one threw. */
  one<Answer>(work: Work<Client, Answer>): Promise<Answer>;
  /** Whole on one, then whole on another. Where only one provider was configured its word is enough. */
  agree<Answer>(
    work: Work<Client, Answer>,
    same: (a: Answer, b: Answer) => boolean,
  ): Promise<Agreement<Answer>>;
  /** On all that do not rest, or else on the best one. Throws what one threw when none answered. */
  every<Answer>(work: Work<Client, Answer>): Promise<readonly Answer[]>;
  /** On all of them at once. */
  all<Answer>(work: Work<Client, Answer>): Promise<readonly PromiseSettledResult<Answer>[]>;
  /** How each is doing, the best first. */
  health(): readonly Health[];
  /** The same, once whoever failed last or was not heard of for a while was asked something easy. Never throws. */
  look(question: (client: Client) => Promise<unknown>): Promise<readonly ProviderState[]>;
}

export function makeProviders<Client>(
  urls: readonly string[],
  connect: (url: string) => Client,
  parts: StandingParts,
): Providers<Client> {
  if (urls.length === 0) throw new Error('a network needs a provider');
  const names = namesOf(urls);
  const standings = urls.map((url, index) => makeStanding(names[index]!, url, connect, parts));
  let preferred = standings[0]!;

  /** Whoever answered last, then those that do not rest, then whoever rests least. */
  const ranked = () => {
    const nowMs = parts.clock.now();
    const rank = (each: Standing<Client>) =>
      each.restsUntilMs() > nowMs ? each.restsUntilMs() : each === preferred ? -1 : 0;
    return standings.toSorted((a, b) => rank(a) - rank(b));
  };
  /** As many answers as asked for, each from another provider. */
  const several = async <Answer>(count: number, work: Work<Client, Answer>) => {
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
    health,
    look: async (question) => {
      await Promise.all(standings.map((each) => each.look(question)));
      return health();
    },
  };
}

/** Hosts; of several addresses at one host the later ones are counted. */
function namesOf(urls: readonly string[]): readonly string[] {
  const seen = new Map<string, number>();
  return urls.map((url) => {
    const host = hostOf(url);
    const nth = (seen.get(host) ?? 0) + 1;
    seen.set(host, nth);
    return nth === 1 ? host : `${host} (${nth})`;
  });
}

/** What is no address is not repeated: it may hold a key, and Node's own error carries all of it. */
function hostOf(url: string): string {
  if (!URL.canParse(url)) throw new Error('the address of a provider is not a URL');
  return new URL(url).host;
}
