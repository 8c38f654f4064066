// A worker thread that runs its seeds one after another, in a service that may have a planted bug.
import { parentPort, workerData } from 'node:worker_threads';
import { loadPatched, type Patched } from './planted/load-patched.ts';
import type { Failure } from './run-seed.ts';

export interface Task {
  readonly from: number;
  readonly count: number;
  readonly untilBroken: boolean;
}

export interface Done {
  readonly task: Task;
  readonly seeds: number;
  readonly transactions: number;
  readonly events: number;
  readonly faults: Readonly<Record<string, number>>;
  readonly endings: Readonly<Record<string, number>>;
  readonly broken: readonly { readonly seed: number; readonly failure: Failure }[];
}

const patched = workerData as Patched | null;
if (patched !== null) loadPatched(patched);
// The simulation creates thousands of errors and never reads their stack traces.
Error.stackTraceLimit = 0;
const { runSeed } = await import('./run-seed.ts');

parentPort!.on('message', async (task: Task) => {
  const faults: Record<string, number> = {};
  const endings: Record<string, number> = {};
  const broken: { seed: number; failure: Failure }[] = [];
  let [seeds, transactions, events] = [0, 0, 0];
  for (let seed = task.from; seed < task.from + task.count; seed++) {
    const result = await runSeed(seed);
    seeds++;
    transactions += result.transactions;
    events += result.events;
    for (const met of result.faults) add(faults, met.slice(0, met.indexOf(' ')), 1);
    for (const [ending, count] of result.endings) add(endings, ending, count);
    if (result.failure === null) continue;
    broken.push({ seed, failure: result.failure });
    if (task.untilBroken) break;
  }
  parentPort!.postMessage({ task, seeds, transactions, events, faults, endings, broken } satisfies Done);
});

function add(counts: Record<string, number>, name: string, count: number): void {
  counts[name] = (counts[name] ?? 0) + count;
}
