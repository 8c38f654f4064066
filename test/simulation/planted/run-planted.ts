// Every planted mistake in turn: how many seeds it takes until a promise breaks.
import { startThread, threadCount } from '../pool.ts';
import type { Failure } from '../run-seed.ts';
import { BUGS } from './bugs.ts';
import type { Bug } from './patch.ts';

export interface Caught {
  readonly bug: Bug;
  /** How many seeds were run until a promise broke; null: none broke. */
  readonly seeds: number | null;
  readonly failure: Failure | null;
}

/** What is enough for most of them. */
export const USUAL_SEEDS = 150;

export function seedsFor({ seeds = 0 }: Bug, limit: number): number {
  return Math.max(limit, seeds);
}

/** Seeds that have caught a mistake before, by its name. */
export type KnownSeeds = Readonly<Record<string, number>>;

/**
 * Each bug with at most `limit` seeds, or as many as it names. A seed that is known to have caught it is tried first: when
 * it does so no more, the search goes on from the beginning.
 */
export async function runPlanted(
  from: number,
  limit: number,
  onCaught: (caught: Caught) => void = () => undefined,
  known: KnownSeeds = {},
): Promise<readonly Caught[]> {
  const results: Caught[] = [];
  const waiting = [...BUGS];
  const work = async () => {
    for (let bug = waiting.shift(); bug !== undefined; bug = waiting.shift()) {
      await using thread = startThread(bug);
      const search = (first: number, count: number) => thread.run({ from: first, count, untilBroken: true });
      const seed = known[bug.name];
      const tried = seed === undefined ? undefined : await search(seed, 1);
      const isCaught = tried !== undefined && tried.broken.length > 0;
      const { seeds, broken } = isCaught ? tried : await search(bug.from ?? from, seedsFor(bug, limit));
      const failure = broken[0]?.failure ?? null;
      const caught = { bug, seeds: failure === null ? null : seeds, failure };
      results.push(caught);
      onCaught(caught);
    }
  };
  await Promise.all(Array.from({ length: threadCount() }, work));
  return results.toSorted((a, b) => BUGS.indexOf(a.bug) - BUGS.indexOf(b.bug));
}
