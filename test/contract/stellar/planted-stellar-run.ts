// Runs a thread with one planted mistake. The thread runs the cases about lagging paths until one of them fails, and reports
// which case failed.
import { parentPort, workerData } from 'node:worker_threads';
import type { Bug } from '../../simulation/planted/patch.ts';
import { plant } from '../../simulation/planted/plant.ts';

plant(workerData as Bug);
// The adapter must be loaded only now, after the mistake is planted.
const { LAG_CASES } = await import('../network/lags.ts');
const { STELLAR_CASES } = await import('./stellar-cases.ts');
const { makeStellarHarness, openStellarServer } = await import('./stellar-network.ts');

const server = await openStellarServer();
let red: { readonly title: string; readonly error: string } | null = null;
for (const { title, run } of [...STELLAR_CASES, ...LAG_CASES]) {
  const harness = await makeStellarHarness(server);
  try {
    await run(harness, server);
  } catch (error) {
    red = { title, error: String(error) };
    break;
  }
}
await server.close();
parentPort!.postMessage(red);
