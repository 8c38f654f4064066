// Compares the payments that each rail reports with the service's payouts, and stops the rail at the first payment that no
// payout explains. The guard uses the rail's own list or otherwise the statement of its account. One process at a time compares
// a rail, under a lease. A long list of one rail does not delay the other rails.
import { accountDetail } from '../../domain/ledger/chart-of-accounts.ts';
import { describeUnexplainedPayment } from '../../domain/rails/rail-texts.ts';
import { comparePayments, type UnexplainedPayment } from '../../domain/rails/unexplained-payments.ts';
import {
  type ExplainedDifference,
  isExplainingReason,
} from '../../domain/reconciliation/explain-differences.ts';
import { reconcileDay } from '../../domain/reconciliation/reconcile.ts';
import { lagosDayToMs } from '../../domain/values/calendar.ts';
import { MODES, type Mode } from '../../domain/values/mode.ts';
import type { Clock } from '../../ports/clock.ts';
import type { LeasedGuard, PayoutGuard } from '../../ports/rails/payout-guard.ts';
import type { PayingRail, Rail, RailRegistry } from '../../ports/rails/rail.ts';
import type { ReconciliationStore } from '../../ports/reconciliation.ts';
import type { RailInMode } from './check-rails.ts';

export interface GuardPayoutsDeps {
  readonly payoutGuard: Omit<PayoutGuard, 'forget'>;
  readonly reconciliation: Pick<ReconciliationStore, 'compare'>;
  readonly clock: Clock;
  readonly onUnread: (detail: { readonly mode: Mode; readonly rail: string; readonly why: string }) => void;
}

export interface StoppedRail {
  readonly mode: Mode;
  readonly rail: string;
  readonly found: readonly UnexplainedPayment[];
}

const EVERY_MS = 3 * 60_000;
const AGAIN_AFTER_FAILURE_MS = 60_000;
/** The lease of a comparison. It is longer than the reading of a list takes. */
const LEASE_MS = 10 * 60_000;
/**
 * The guard reads a list again from this long before the last position. Payments may appear late in the list, and a rail may
 * pay payouts that it refused.
 */
const OVERLAP_MS = 2 * 3_600_000;
const MOST_ROWS = 1_000;

export function listGuardedRails(banks: RailRegistry): readonly RailInMode[] {
  return MODES.flatMap((mode) =>
    banks.enabled(mode).flatMap((rail: Rail) => (isComparableRail(rail) ? [{ mode, rail }] : [])),
  );
}

/** The simulated bank has no list, and no account that could have a statement. */
function isComparableRail(rail: Rail): rail is PayingRail {
  return rail.payouts !== null && (rail.payoutList !== undefined || rail.account !== null);
}

/** Returns null if the comparison was not due, if another process makes it, or if every payment is explained. */
export async function guardRail(
  deps: GuardPayoutsDeps,
  { mode, rail }: RailInMode,
): Promise<StoppedRail | null> {
  const { payoutGuard, clock } = deps;
  const of = { mode, rail: rail.name };
  const account = rail.account && accountDetail(rail.account.bankCode, rail.account.number);
  const leased = await payoutGuard.lease(of, account, clock.now(), LEASE_MS);
  if (leased === undefined) return null;
  const { comparedToMs, statementNo, fence } = leased;
  const unmoved = { comparedToMs, statementNo, firsts: [], unexplained: [], hasMore: false };
  let failure: string | null = null;
  const read = await compareRail(deps, mode, rail, account, leased).catch((error: Error) => {
    failure = error.message;
    return unmoved;
  });
  const { hasMore, ...compared } = read;
  const atMs = clock.now();
  const waitMs = failure !== null ? AGAIN_AFTER_FAILURE_MS : hasMore ? 0 : EVERY_MS;
  const [first] = compared.unexplained;
  const pause = first === undefined ? null : describeUnexplainedPayment(first);
  const found = await payoutGuard.save({
    ...{ ...of, fence, atMs, dueAtMs: atMs + waitMs, ...compared, pause, failure },
  });
  if (failure !== null) deps.onUnread({ ...of, why: failure });
  return found === undefined || found.length === 0 ? null : { ...of, found };
}

interface RailComparison {
  readonly comparedToMs: number;
  readonly statementNo: bigint;
  readonly firsts: readonly { readonly reference: string; readonly payment: string }[];
  readonly unexplained: readonly UnexplainedPayment[];
  readonly hasMore: boolean;
}

async function compareRail(
  deps: GuardPayoutsDeps,
  mode: Mode,
  rail: PayingRail,
  account: string | null,
  leased: LeasedGuard,
): Promise<RailComparison> {
  if (rail.payoutList === undefined) return compareStatement(deps, mode, account!, leased);
  const untilMs = deps.clock.now();
  const fromMs = Math.max(leased.beginsAtMs, leased.comparedToMs - OVERLAP_MS);
  const listed = await rail.payoutList.read(fromMs, untilMs);
  const references = [...new Set(listed.flatMap(({ reference }) => reference ?? []))];
  const of = { mode, rail: rail.name };
  // The service stores a payout before its rail gets it. So this read, which comes after the list, finds all of the service's
  // payouts in the list.
  const own = await deps.payoutGuard.ownPayouts(of, references);
  const known = await deps.payoutGuard.firstPayments(of, references);
  const { statementNo } = leased;
  return { ...comparePayments(listed, own, known), comparedToMs: untilMs, statementNo, hasMore: false };
}

/** Compares the statement rows that are new since the last run with the books of their day, as reconciliation does. */
async function compareStatement(
  { payoutGuard, reconciliation, clock }: GuardPayoutsDeps,
  mode: Mode,
  account: string,
  { statementNo, comparedToMs }: LeasedGuard,
): Promise<RailComparison> {
  const rows = await payoutGuard.debitsAfter({ mode, account }, statementNo, MOST_ROWS);
  const fresh = new Set(rows.map(({ rowId }) => rowId));
  const days = [...new Set(rows.map(({ day }) => day))];
  const unexplained: UnexplainedPayment[] = [];
  for (const day of days) {
    const { open } = await reconciliation.compare({ mode, account, day }, reconcileDay);
    unexplained.push(...open.flatMap((each) => (isUnexplainedRow(each, fresh) ? [toUnexplained(each)] : [])));
  }
  return {
    // If there were no new rows, nothing was compared.
    comparedToMs: rows.length === 0 ? comparedToMs : clock.now(),
    ...{ statementNo: rows.at(-1)?.no ?? statementNo, firsts: [] },
    ...{ unexplained, hasMore: rows.length === MOST_ROWS },
  };
}

/**
 * Returns whether more money left the account than the books show. Bank charges are not payments, and people decide about them
 * in reconciliation.
 */
function isUnexplainedRow(
  { reason, offMinor, row }: ExplainedDifference,
  fresh: ReadonlySet<string>,
): boolean {
  return (
    row !== null &&
    fresh.has(row.id) &&
    row.kind === 'payment' &&
    offMinor > 0n &&
    !isExplainingReason(reason)
  );
}

function toUnexplained({ row, day, offMinor }: ExplainedDifference): UnexplainedPayment {
  const { id, reference } = row!;
  const atMs = lagosDayToMs(day);
  return { payment: `row ${id}`, reference, amountMinor: offMinor, doubt: 'on_statement', atMs };
}
