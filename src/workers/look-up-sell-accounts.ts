// The stage that asks banks about the accounts of accepted sells. Each turn first queues what was accepted, then leases what is
// due: whatever a process that died had queued or leased, another one asks.
import {
  type LookUpSellAccountsDeps,
  lookUpSellAccounts,
  queueAcceptedSells,
} from '../app/account-lookups/look-up-sell-accounts.ts';
import { callLeaseMs } from '../domain/rails/terms.ts';
import { MODES } from '../domain/values/mode.ts';
import type { DueAccountLookup } from '../ports/account-lookups.ts';
import { type Stage, startStage } from './stage.ts';

/** So many questions to banks are in progress at once in this process. */
const AT_ONCE = 20;
/** A bank that is slow does not hold up questions to others. */
const PATIENCE_MS = 250;

/** Rails are asked one after the other until one knows: the lease covers all of them. */
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
