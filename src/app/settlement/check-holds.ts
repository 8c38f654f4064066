// Finds what stops money before it leaves: a frozen business, its limits, or a name, account or wallet on a list. Each of these
// puts the transaction on hold for review. A transaction that reviewers released does not go on hold again.
import { findBrokenLimit, limitFor } from '../../domain/catalogue/limits.ts';
import type { LimitUsage } from '../../domain/records/change.ts';
import { isFullAccount } from '../../domain/records/credit.ts';
import type { TransactionException } from '../../domain/records/exceptions.ts';
import type { Movement } from '../../domain/records/movement.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import { lagosDay, lagosMonth } from '../../domain/values/calendar.ts';
import type { ScreeningSubject } from '../../ports/screening.ts';
import type { PickDeps, SettlementDeps } from '../engine/deps.ts';

export interface HoldCheck {
  /** The reason to put the transaction on hold. Null if the transaction may continue. */
  readonly hold: TransactionException | null;
  readonly evidence: Readonly<Record<string, unknown>>;
  readonly usage: readonly LimitUsage[];
}

const NO_HOLD: HoldCheck = { hold: null, evidence: {}, usage: [] };

const NO_PAYERS: ReadonlyMap<string, ScreeningSubject[]> = new Map();

/**
 * Checks the transactions in order. If an earlier transaction of the batch uses a part of a limit, that part is not available
 * to a later one.
 */
export async function checkHolds(
  deps: SettlementDeps,
  transactions: readonly Transaction[],
): Promise<readonly HoldCheck[]> {
  const { frozen, limits } = deps.catalogue();
  const listed = deps.screening.isEmpty?.() !== true;
  const payers = listed ? await payersOf(deps, transactions) : NO_PAYERS;
  const used = new Map<string, bigint>();
  const checks: HoldCheck[] = [];
  for (const transaction of transactions) {
    const { businessId, mode } = transaction;
    if (frozen.has(`${businessId} ${mode}`) && !transaction.released) {
      checks.push({ ...NO_HOLD, hold: 'business_frozen' });
      continue;
    }
    const hits = transaction.released
      ? []
      : await deps.screening.screen([
          ...screeningSubjectsOf(transaction),
          ...(payers.get(transaction.id) ?? []),
        ]);
    if (hits.length > 0) {
      checks.push({ ...NO_HOLD, hold: 'screening_hit', evidence: { hits } });
      continue;
    }
    const limit = limitFor(limits, { businessId, mode });
    checks.push(await checkLimits(deps, transaction, limit, used));
  }
  return checks;
}

/** Returns the payer names of buys as the bank reported them, because a claim may omit the payer's name. */
async function payersOf(
  { store }: PickDeps<'store'>,
  transactions: readonly Transaction[],
): Promise<ReadonlyMap<string, ScreeningSubject[]>> {
  const buys = transactions.filter(({ type, released }) => type === 'buy' && !released);
  const payers = new Map<string, ScreeningSubject[]>();
  for (const { transactionId, payerName, payerAccount } of await store.creditsOf(buys.map(({ id }) => id))) {
    const subjects = payers.get(transactionId!) ?? [];
    if (payerName !== null) subjects.push({ kind: 'name', value: payerName });
    if (isFullAccount(payerAccount)) subjects.push({ kind: 'account', value: payerAccount });
    payers.set(transactionId!, subjects);
  }
  return payers;
}

function screeningSubjectsOf({ accountName, accountNumber, wallet }: Transaction): ScreeningSubject[] {
  return [
    ...(accountName === null ? [] : [{ kind: 'name' as const, value: accountName }]),
    { kind: 'account' as const, value: accountNumber },
    ...(wallet === null ? [] : [{ kind: 'wallet' as const, value: wallet.address }]),
  ];
}

async function checkLimits(
  deps: PickDeps<'clock' | 'store'>,
  transaction: Transaction,
  limit: ReturnType<typeof limitFor>,
  used: Map<string, bigint>,
): Promise<HoldCheck> {
  const { businessId, mode, amountMinor } = transaction;
  const now = deps.clock.now();
  const periods = [
    { period: lagosDay(now), limitMinor: limit.perDayMinor },
    { period: lagosMonth(now), limitMinor: limit.perMonthMinor },
  ];
  const [usedDayMinor, usedMonthMinor] = await readUsage(deps, transaction, periods, used);
  const broken = transaction.released
    ? null
    : findBrokenLimit(limit, { amountMinor, usedDayMinor: usedDayMinor!, usedMonthMinor: usedMonthMinor! });
  if (broken !== null) return { ...NO_HOLD, hold: broken };
  const usage: LimitUsage[] = [];
  for (const { period, limitMinor } of periods) {
    if (limitMinor === null || transaction.released) continue;
    const key = `${businessId} ${mode} ${period}`;
    used.set(key, (used.get(key) ?? 0n) + amountMinor);
    usage.push({ businessId, mode, period, amountMinor, limitMinor });
  }
  return { ...NO_HOLD, usage };
}

/** Returns the amounts used so far, from the database and from this batch. Reads nothing if no limit is set. */
async function readUsage(
  deps: PickDeps<'store'>,
  { businessId, mode }: Transaction,
  periods: readonly { readonly period: string; readonly limitMinor: bigint | null }[],
  used: ReadonlyMap<string, bigint>,
): Promise<readonly bigint[]> {
  if (periods.every(({ limitMinor }) => limitMinor === null)) return [0n, 0n];
  const keys = periods.map(({ period }) => ({ businessId, mode, period }));
  const stored = await deps.store.usage(keys);
  return keys.map((key, index) => stored[index]! + (used.get(`${businessId} ${mode} ${key.period}`) ?? 0n));
}

/** A refund or withdrawal to a name, account or wallet on a list must not leave without review. */
export async function isDestinationListed(
  deps: PickDeps<'onTrouble' | 'screening'>,
  movement: Movement,
): Promise<boolean> {
  const { id, kind } = movement;
  if (kind !== 'refund' && kind !== 'withdrawal') return false;
  const hits = await screenDestination(deps, movement);
  if (hits.length > 0)
    deps.onTrouble(`a ${kind} would go to a name, account or wallet on a screening list`, { movement: id });
  return hits.length > 0;
}

export async function screenDestination(
  deps: PickDeps<'screening'>,
  { destination }: Movement,
): ReturnType<SettlementDeps['screening']['screen']> {
  if (destination === null) return [];
  const subjects: ScreeningSubject[] =
    'address' in destination
      ? [{ kind: 'wallet', value: destination.address }]
      : [
          { kind: 'account', value: destination.accountNumber },
          ...(destination.accountName === null
            ? []
            : [{ kind: 'name' as const, value: destination.accountName }]),
        ];
  return deps.screening.screen(subjects);
}
