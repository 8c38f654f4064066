// Checks the promises about money while a seed runs: at every commit of the service, and at every payment of the outside world.
// This code counts separately from the store, so that a bug in the store becomes visible.
import { type Change, listMatches } from '../../../src/domain/records/change.ts';
import type { Acceptance } from '../../../src/ports/store/acceptance.ts';
import type { Witness } from '../world/outside.ts';
import type { WatchParts } from './watch-parts.ts';
import { mayLeave, watchPayments } from './watch-payments.ts';
import { watchPostings } from './watch-postings.ts';
import { noGuess, watchRecords } from './watch-records.ts';

export interface Watch extends Witness {
  applied(change: Change): void;
  accepted(acceptance: Acceptance): void;
  restored(): void;
  /** The sum of all postings so far, by ledger account. */
  readonly posted: ReadonlyMap<string, bigint>;
  readonly paid: ReadonlySet<string>;
}

export function makeWatch(parts: WatchParts): Watch {
  const postings = watchPostings(parts);
  const records = watchRecords(parts);
  const payments = watchPayments(parts);
  return {
    posted: postings.posted,
    paid: payments.paid,
    accepted: records.accepted,
    restored: () => {
      postings.restored();
      records.restored();
    },
    applied: (change) => {
      for (const entry of change.entries ?? []) postings.post(entry);
      records.applied(change);
      for (const movement of change.newMovements ?? []) mayLeave(parts, movement);
      for (const match of listMatches(change)) noGuess(parts, match);
    },
    transfer: payments.transfer,
    payout: payments.payout,
    returned: payments.returned,
    late: () => undefined,
    arrival: () => undefined,
    line: () => undefined,
  };
}
