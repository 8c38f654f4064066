// Runs seeds on a worker thread and counts what each seed reached.
import { parentPort } from 'node:worker_threads';
import { startCounting } from './blocks.ts';
import { makeObserver } from './observe.ts';
import { isCovered, ROOT } from './source.ts';
import { addLoad, addSeed, emptyTally } from './tally.ts';

export interface Task {
  readonly from: number;
  readonly count: number;
}

// This must run before any part of the product is loaded.
const look = startCounting(ROOT, isCovered);
Error.stackTraceLimit = 0;
const { runSeed } = await import('../run-seed.ts');
const loaded = look();

parentPort!.on('message', async ({ from, count }: Task) => {
  const tally = emptyTally();
  addLoad(tally, loaded);
  for (let seed = from; seed < from + count; seed++) {
    const observer = makeObserver();
    const { failure } = await runSeed(seed, { observer });
    addSeed(tally, look(), observer.pairs);
    if (failure !== null) tally.broken.push(seed);
  }
  parentPort!.postMessage(tally);
});
