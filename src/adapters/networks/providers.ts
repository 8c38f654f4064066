// Several providers of one network: the one that last answered is asked first, one that fails rests for a while, and what
// matters is asked of two. A piece of work always runs on one provider from its start to its end: answers of two lagging
// providers put together prove nothing.
import type { Clock } from '../../ports/clock.ts';

export interface Provider<Client> {
  /** Where it is, without path, query and credentials: they may hold a key. */
  readonly name: string;
  readonly client: Client;
}

export type Agreement<Answer> =
  | { readonly kind: 'agreed'; readonly answer: Answer }
  | { readonly kind: 'differ'; readonly answers: readonly Answer[] }
  /** Fewer than two answered, of more than one that were told of. */
  | { readonly kind: 'unconfirmed'; readonly answer: Answer };

export interface Providers<Client> {
  readonly count: number;
  /** On the best one; when it fails, from the start on the next. Throws what the last one threw. */
  one<Answer>(work: (client: Client) => Promise<Answer>): Promise<Answer>;
  /** Whole on one, then whole on another. Where only one provider was configured its word is enough. */
  agree<Answer>(
    work: (client: Client) => Promise<Answer>,
    same: (a: Answer, b: Answer) => boolean,
  ): Promise<Agreement<Answer>>;
  /** On all of them at once. */
  all<Answer>(work: (client: Client) => Promise<Answer>): Promise<readonly PromiseSettledResult<Answer>[]>;
  /** How each is doing, the best first. */
  health(): readonly {
    readonly name: string;
    readonly failures: number;
    readonly restsUntilMs: number | null;
  }[];
}

const FIRST_REST_MS = 500;
const LONGEST_REST_MS = 60_000;

interface Standing<Client> extends Provider<Client> {
  failures: number;
  restsUntilMs: number;
}

export function makeProviders<Client>(
  urls: readonly string[],
  connect: (url: string) => Client,
  { clock, onTrouble }: { clock: Clock; onTrouble: (provider: string, error: Error) => void },
): Providers<Client> {
  if (urls.length === 0) throw new Error('a network needs a provider');
  const standings: Standing<Client>[] = urls.map((url) => ({
    name: nameOf(url),
    client: connect(url),
    failures: 0,
    restsUntilMs: 0,
  }));
  let preferred = standings[0]!;

  /** Whoever answered last, then those that do not rest, then whoever rests least. */
  const ranked = () => {
    const nowMs = clock.now();
    const rank = (each: Standing<Client>) =>
      each.restsUntilMs > nowMs ? each.restsUntilMs : each === preferred ? -1 : 0;
    return standings.toSorted((a, b) => rank(a) - rank(b));
  };
  const run = async <Answer>(on: Standing<Client>, work: (client: Client) => Promise<Answer>) => {
    try {
      const answer = await work(on.client);
      on.failures = 0;
      on.restsUntilMs = 0;
      return answer;
    } catch (error) {
      on.failures++;
      const restMs = Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** Math.min(on.failures - 1, 10));
      on.restsUntilMs = clock.now() + restMs;
      onTrouble(on.name, error as Error);
      throw error;
    }
  };
  /** As many answers as asked for, each from another provider. */
  const several = async <Answer>(count: number, work: (client: Client) => Promise<Answer>) => {
    const answers: Answer[] = [];
    let failure: unknown;
    for (const each of ranked()) {
      try {
        answers.push(await run(each, work));
        if (answers.length === 1) preferred = each;
        if (answers.length === count) break;
      } catch (error) {
        failure = error;
      }
    }
    if (answers.length === 0) throw failure;
    return answers;
  };

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
    all: (work) => Promise.allSettled(standings.map((each) => run(each, work))),
    health: () =>
      ranked().map(({ name, failures, restsUntilMs }) => ({
        name,
        failures,
        restsUntilMs: restsUntilMs > clock.now() ? restsUntilMs : null,
      })),
  };
}

/** What is no address is not repeated: it may hold a key, and Node's own error carries all of it. */
function nameOf(url: string): string {
  if (!URL.canParse(url)) throw new Error('the address of a provider is not a URL');
  return new URL(url).host;
}
