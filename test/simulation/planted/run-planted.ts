// Runs every planted bug. Finds how many seeds it takes until a promise breaks, and which seed shows the bug fastest.
import { startThread, type Thread, threadCount } from '../pool.ts';
import type { Failure } from '../run-seed.ts';
import { BUGS } from './bugs.ts';
import type { Bug } from './patch.ts';

export interface Caught {
  readonly bug: Bug;
  /** The number of seeds that ran until a promise broke; null if no promise broke. */
  readonly seeds: number | null;
  /** The seed that broke a promise; null if no promise broke. */
  readonly seed: number | null;
  readonly failure: Failure | null;
}

export const USUAL_SEEDS = 150;

export function seedsFor({ seeds = 0 }: Bug, limit: number): number {
  return Math.max(limit, seeds);
}

export type KnownSeeds = Readonly<Record<string, number>>;

export interface PlantedOptions {
  readonly onCaught?: (caught: Caught) => void;
  readonly known?: KnownSeeds;
}

/**
 * Runs each bug with at most `limit` seeds, or with the number of seeds that the bug specifies. The run first tries the seed
 * that caught the bug before. If this seed no longer catches the bug, the search starts from the beginning.
 */
export async function runPlanted(
  from: number,
  limit: number,
  { onCaught = () => undefined, known = {} }: PlantedOptions = {},
): Promise<readonly Caught[]> {
  const results: Caught[] = [];
  await forEachBug(async (bug, thread) => {
    const search = (first: number, count: number) => thread.run({ from: first, count, untilBroken: true });
    const seed = known[bug.name];
    const tried = seed === undefined ? undefined : await search(seed, 1);
    const isCaught = tried !== undefined && tried.broken.length > 0;
    const { seeds, broken } = isCaught ? tried : await search(bug.from ?? from, seedsFor(bug, limit));
    const [first = null] = broken;
    const caught: Caught = {
      ...{ bug, seeds: first === null ? null : seeds },
      ...{ seed: first?.seed ?? null, failure: first?.failure ?? null },
    };
    results.push(caught);
    onCaught(caught);
  });
  return results.toSorted((a, b) => BUGS.indexOf(a.bug) - BUGS.indexOf(b.bug));
}

const COMPARED = 8;

/**
 * Finds the seed that the test tries first for each bug. A known seed stays if it still catches the bug. Otherwise the function
 * compares the first seed that catches the bug with the seeds after it, and chooses the one with the fewest events.
 */
export async function findQuickSeeds(caught: readonly Caught[], known: KnownSeeds): Promise<KnownSeeds> {
  const quick = new Map<string, number>();
  await forEachBug(async (bug, thread) => {
    const { seed: first = null } = caught.find((each) => each.bug === bug) ?? {};
    if (first === null) return;
    quick.set(bug.name, first);
    if (known[bug.name] === first) return;
    let fewest = Number.POSITIVE_INFINITY;
    for (let seed = first; seed < first + COMPARED; seed++) {
      const { broken, events } = await thread.run({ from: seed, count: 1, untilBroken: true });
      if (broken.length === 0 || events >= fewest) continue;
      fewest = events;
      quick.set(bug.name, seed);
    }
  });
  return Object.fromEntries(
    BUGS.flatMap(({ name }) => (quick.has(name) ? [[name, quick.get(name)!] as const] : [])),
  );
}

/** Each thread runs one bug at a time, in its own copy of the service. */
async function forEachBug(plantAndRun: (bug: Bug, thread: Thread) => Promise<void>): Promise<void> {
  const waiting = [...BUGS];
  const work = async () => {
    for (let bug = waiting.shift(); bug !== undefined; bug = waiting.shift()) {
      await using thread = startThread(bug);
      await plantAndRun(bug, thread);
    }
  };
  await Promise.all(Array.from({ length: threadCount() }, work));
}
