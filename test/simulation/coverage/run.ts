// Runs seeds on worker threads, and counts everything that they reach.
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { addTally, emptyTally, type Tally } from './tally.ts';
import type { Task } from './thread.ts';

const CHUNK = 20;
const YOUNG_MB = 64;

export interface TallyOptions {
  /**
   * If true, the number of seeds that called a function is exact. If false, the run only finds out whether any seed called the
   * function, which is much faster.
   */
  readonly exact: boolean;
  readonly threads?: number;
  readonly onDone?: (seeds: number) => void;
}

export async function tallySeeds(from: number, count: number, options: TallyOptions): Promise<Tally> {
  // V8 does not count inlined calls, so these flags prevent inlining.
  if (options.exact) for (const flag of ['--no-opt', '--no-maglev']) setFlagsFromString(flag);
  const tally = emptyTally();
  const end = from + count;
  let next = from;
  const work = async () => {
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MB };
    const worker = new Worker(new URL('thread.ts', import.meta.url), { resourceLimits });
    try {
      while (next < end) {
        const task: Task = { from: next, count: Math.min(CHUNK, end - next) };
        next += task.count;
        worker.postMessage(task);
        const [done] = (await once(worker, 'message')) as [Tally];
        addTally(tally, done);
        options.onDone?.(tally.seeds);
      }
    } finally {
      await worker.terminate();
    }
  };
  const threads = Math.min(options.threads ?? availableParallelism(), Math.ceil(count / CHUNK));
  await Promise.all(Array.from({ length: threads }, work));
  tally.broken.sort((a, b) => a - b);
  return tally;
}
