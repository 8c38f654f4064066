// Looks up the bank accounts of accepted sells at banks. Each turn first queues the accepted sells and then leases the lookups
// that are due. If a process dies, another process takes over its work.
import {
  type LookUpSellAccountsDeps,
  lookUpSellAccounts,
  queueAcceptedSells,
} from '../app/account-lookups/look-up-sell-accounts.ts';
import { callLeaseMs } from '../domain/rails/terms.ts';
import { MODES } from '../domain/values/mode.ts';
import type { DueAccountLookup } from '../ports/account-lookups.ts';
import { type Stage, startStage } from './stage.ts';

/** The maximum number of concurrent lookups at banks in this process. */
const AT_ONCE = 20;
/** After this time, a slow bank no longer delays lookups at other banks. */
const PATIENCE_MS = 250;

/** A lookup queries the rails one after the other until one gives a result, so the lease covers the time of all rails. */
function lookupLeaseMs({ banks }: LookUpSellAccountsDeps, leaseMs: number): number {
  const sums = MODES.map((mode) =>
    banks
      .enabled(mode)
      .reduce((sum, { payouts, terms }) => (payouts === null ? sum : sum + callLeaseMs(terms)), 0),
  );
  return Math.max(leaseMs, ...sums);
}

export function startSellAccountLookups(
  deps: LookUpSellAccountsDeps,
  leaseMs: number,
  onError: (error: Error) => void,
): Stage<DueAccountLookup> {
  return startStage<DueAccountLookup>({
    lease: async (limit) => {
      await queueAcceptedSells(deps);
      return deps.enquiries.lease({ atMs: deps.clock.now(), leaseMs: lookupLeaseMs(deps, leaseMs), limit });
    },
    work: (due) => lookUpSellAccounts(deps, due),
    maxBatch: AT_ONCE,
    patienceMs: PATIENCE_MS,
    onError,
  });
}
