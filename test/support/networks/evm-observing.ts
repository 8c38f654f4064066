// Observes deposits on fake EVM providers, round after round, for the tests of scans and of missing receipts.
import assert from 'node:assert/strict';
import { ProviderFailure, readReceipt } from '../../../src/adapters/networks/evm/rpc/answers.ts';
import type { DepositObservation } from '../../../src/ports/networks/network-observer.ts';
import { type FakeStage, OURS, watching } from './evm-providers.ts';

export const WATCH = watching(OURS);
export const hashesOf = ({ sightings }: DepositObservation) => sightings.map(({ txHash }) => txHash);

/** The error for a receipt that cannot be parsed. */
export function senseless(): Error {
  try {
    readReceipt({});
  } catch (error) {
    return error as Error;
  }
  throw new Error('it was read');
}

/** Observes again and again; returns the last result, or undefined if every round failed. */
export async function rounds(
  { network, pass }: FakeStage,
  count: number,
  everyMs: number,
  position: string | null = null,
) {
  for (let round = 0; round < count; round++) {
    if (round > 0) pass(everyMs);
    const observed = await network.observe(position, WATCH).catch((error) => {
      assert.ok(error instanceof ProviderFailure);
    });
    if (observed !== undefined) return observed;
  }
  return undefined;
}
