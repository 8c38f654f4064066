// Runs a thread with a mistake planted in the Solana adapter. The thread runs cases of the contract until one fails, and
// reports which case failed and why.
import { parentPort, workerData } from 'node:worker_threads';
import { plant } from '../../simulation/planted/plant.ts';
import type { SolanaBug } from './planted-solana.ts';

const bug = workerData as SolanaBug;
plant(bug);

const { LAG_CASES } = await import('../network/lags.ts');
const { OUTFLOWS } = await import('../network/outflows.ts');
const { SOLANA_CASES } = await import('./solana-cases.ts');
const { makeSolanaHarness, openSolanaServer } = await import('./solana-network.ts');

const server = await openSolanaServer();
let red: string | null = null;
for (const { title, run } of bug.by === 'lags' ? LAG_CASES : [...OUTFLOWS, ...SOLANA_CASES]) {
  try {
    await run(await makeSolanaHarness(server));
  } catch (error) {
    red = `${title}: ${error instanceof Error ? error.message.split('\n')[0] : error}`;
    break;
  }
}
await server.close();
parentPort!.postMessage(red);
