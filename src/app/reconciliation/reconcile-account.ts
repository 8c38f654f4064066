// Reconciles a bank account day by day, from the first day whose result is missing or out of date. Every day begins with the
// result of the previous day, so all later days are reconciled again, too. After that, each open difference gets a case.
import { type DayResult, reconcileDay } from '../../domain/reconciliation/reconcile.ts';
import { addDays, daysBetween } from '../../domain/reconciliation/working-days.ts';
import { lagosDay } from '../../domain/values/calendar.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { Clock, Entropy } from '../../ports/clock.ts';
import type {
  AccountDayKey,
  AccountKey,
  CaseChanges,
  ReconciledAccount,
  ReconciliationStore,
} from '../../ports/reconciliation.ts';
import { newId } from '../engine/deps.ts';

export interface ReconcileDeps {
  readonly reconciliation: ReconciliationStore;
  readonly clock: Clock;
  readonly entropy: Entropy;
}

interface ReconcileProgress {
  readonly of: AccountDayKey;
  readonly done: number;
  readonly days: number;
}

export interface ReconcileOptions {
  readonly onDay?: (progress: ReconcileProgress) => void;
  readonly mostDays?: number;
}

export interface ReconciledDays extends CaseChanges {
  /** False if more days are due than the requested number of days. */
  readonly isWhole: boolean;
  readonly results: readonly DayResult[];
}

/** All ledger entries of the last seconds of a day are committed by this time after midnight. */
const AFTER_MIDNIGHT_MS = 10 * 60_000;

export function lastWholeDay(nowMs: number): string {
  return addDays(lagosDay(nowMs - AFTER_MIDNIGHT_MS), -1);
}

export async function reconcileAccount(
  deps: ReconcileDeps,
  of: AccountKey,
  through: string,
  { onDay = () => undefined, mostDays = Number.MAX_SAFE_INTEGER }: ReconcileOptions = {},
): Promise<ReconciledDays> {
  const { reconciliation, clock } = deps;
  const last = await reconciliation.lastDay(of);
  const end = last !== null && last > through ? last : through;
  const start = await reconciliation.firstDue(of, end);
  const results: DayResult[] = [];
  const due = start === null ? [] : daysBetween(start, end);
  const days = due.slice(0, mostDays);
  for (const day of days) {
    results.push(await reconciliation.reconcile({ ...of, day }, reconcileDay, clock.now()));
    onDay({ of: { ...of, day }, done: results.length, days: days.length });
  }
  // The next request reconciles the days that are left. Until then, no cases are opened or closed.
  if (due.length > days.length) return { results, opened: 0, resolved: 0, isWhole: false };
  const changed = await reconciliation.settleCases(of, () => newId(deps, 'cas'), clock.now());
  return { ...changed, results, isWhole: true };
}

/**
 * Lists the accounts to reconcile. In test mode these are only the accounts with a statement, because the simulated bank has
 * none.
 */
export async function listAccountsToReconcile(
  { reconciliation }: ReconcileDeps,
  modes: readonly Mode[],
): Promise<readonly ReconciledAccount[]> {
  const all = await Promise.all(modes.map((mode) => reconciliation.accounts(mode)));
  return all.flat().filter(({ mode, hasStatement }) => mode === 'live' || hasStatement);
}

export function compareDay(
  { reconciliation }: Pick<ReconcileDeps, 'reconciliation'>,
  of: AccountDayKey,
): Promise<DayResult> {
  return reconciliation.compare(of, reconcileDay);
}
