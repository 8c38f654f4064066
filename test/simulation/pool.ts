// Runs seeds on worker threads, one thread per core. Each thread gets a few seeds at a time, and the result of a seed does not
// depend on its thread.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Bug } from './planted/patch.ts';
import { patchedBy } from './planted/plant.ts';
import type { Done, Task } from './thread.ts';

const CHUNK = 20;
const YOUNG_MB = 64;

export function threadCount(): number {
  return Math.max(1, availableParallelism());
}

export interface Totals {
  seeds: number;
  transactions: number;
  events: number;
  readonly faults: Map<string, number>;
  readonly endings: Map<string, number>;
  readonly broken: Done['broken'][number][];
}

/** Runs the seeds from `from` up to, but not including, `from + count`. The function calls `onDone` after every few seeds. */
export async function runSeeds(
  from: number,
  count: number,
  options: {
    readonly bug?: Bug | null;
    /** If true, no further seed starts after a promise has broken. */
    readonly untilBroken?: boolean;
    readonly onDone?: (totals: Totals) => void;
  } = {},
): Promise<Totals> {
  const totals: Totals = {
    seeds: 0,
    transactions: 0,
    events: 0,
    faults: new Map(),
    endings: new Map(),
    broken: [],
  };
  let next = from;
  const end = from + count;
  const { untilBroken = false } = options;
  const work = async () => {
    await using thread = startThread(options.bug ?? null);
    while (next < end && !(untilBroken && totals.broken.length > 0)) {
      const task: Task = { from: next, count: Math.min(CHUNK, end - next), untilBroken };
      next += task.count;
      addTo(totals, await thread.run(task));
      options.onDone?.(totals);
    }
  };
  const threads = Math.min(threadCount(), Math.ceil(count / CHUNK));
  await Promise.all(Array.from({ length: threads }, work));
  totals.broken.sort((a, b) => a.seed - b.seed);
  return totals;
}

export interface Thread extends AsyncDisposable {
  run(task: Task): Promise<Done>;
}

/** Starts a separate thread for a service with this planted bug. Null means the service without a bug. */
export function startThread(bug: Bug | null): Thread {
  const worker = new Worker(new URL('thread.ts', import.meta.url), {
    workerData: bug === null ? null : patchedBy(bug),
    // A seed creates much short-lived data. With more memory, the garbage collector copies less of it.
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
  worker.on('error', () => undefined);
  return {
    run: (task) =>
      new Promise((resolve, reject) => {
        const failed = (error: Error) => reject(error);
        worker.once('error', failed);
        worker.once('message', (done: Done) => {
          worker.off('error', failed);
          resolve(done);
        });
        worker.postMessage(task);
      }),
    [Symbol.asyncDispose]: async () => {
      await worker.terminate();
    },
  };
}

function addTo(totals: Totals, done: Done): void {
  totals.seeds += done.seeds;
  totals.transactions += done.transactions;
  totals.events += done.events;
  totals.broken.push(...done.broken);
  for (const [names, counts] of [
    [done.faults, totals.faults],
    [done.endings, totals.endings],
  ] as const)
    for (const [name, count] of Object.entries(names)) counts.set(name, (counts.get(name) ?? 0) + count);
}
