// Every planted mistake in turn: how many seeds it takes until a promise breaks.
import { startThread, threadCount } from '../pool.ts';
import type { Failure } from '../run-seed.ts';
import { BUGS } from './bugs.ts';
import type { Bug } from './plant.ts';

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

/** Each bug with at most `limit` seeds, or as many as it names. */
export async function runPlanted(
  from: number,
  limit: number,
  onCaught: (caught: Caught) => void = () => undefined,
): Promise<readonly Caught[]> {
  const results: Caught[] = [];
  const waiting = [...BUGS];
  const work = async () => {
    for (let bug = waiting.shift(); bug !== undefined; bug = waiting.shift()) {
      await using thread = startThread(bug);
      const { seeds, broken } = await thread.run({ from, count: seedsFor(bug, limit), untilBroken: true });
      const failure = broken[0]?.failure ?? null;
      const caught = { bug, seeds: failure === null ? null : seeds, failure };
      results.push(caught);
      onCaught(caught);
    }
  };
  await Promise.all(Array.from({ length: threadCount() }, work));
  return results.toSorted((a, b) => BUGS.indexOf(a.bug) - BUGS.indexOf(b.bug));
}
