// Charges as banks book them: the fee with its tax or separately, the charges together with the payout, or the charges of many
// payouts in one row.
import { type BookItem, isChargeItem, type ReconciliationRow, sumAmounts } from './items.ts';
import { findSubsetWithSum, listSubsets, type UnlinkedPool } from './unlinked-pool.ts';
import { daysNear } from './working-days.ts';

/**
 * A payout and its charges are booked in one commit. `sure`: links only sums with both fee and tax, because a single transfer is
 * unlikely to have the same amount. Other sums are linked after all single matches.
 */
export function linkCharges(pool: UnlinkedPool, nearDays: number, sure: boolean): void {
  const out = [...pool.rows.values()].filter(({ amountMinor }) => amountMinor < 0n);
  const rows = groupByKey(out, ({ amountMinor, day }) => `${amountMinor} ${day}`);
  const paid = [...pool.items.values()].filter(({ amountMinor }) => amountMinor < 0n);
  for (const group of groupByKey(paid, ({ subjectId, atMs }) => `${subjectId} ${atMs}`).values()) {
    if (group.length < 2) continue;
    const near = daysNear(group[0]!.day, nearDays);
    for (const some of listSubsets(group)) {
      if (some.length < 2 || !some.every(pool.hasItem)) continue;
      if (sure && !(hasEvent(some, 'bank_charged') && hasEvent(some, 'vat_charged'))) continue;
      const sum = sumAmounts(some);
      const row = near.flatMap((day) => rows.get(`${sum} ${day}`) ?? []).find(pool.hasRow);
      if (row !== undefined) pool.take(some, [row], 'charges');
    }
  }
}

/**
 * Links one row to a payout and to charges that may be of another payout. A row without a name does not show which payout its
 * charges belong to.
 */
export function linkPayoutsWithCharges(pool: UnlinkedPool, nearDays: number): void {
  const payouts = [...pool.items.values()].filter((item) => item.amountMinor < 0n && !isChargeItem(item));
  for (const row of [...pool.rows.values()]) {
    if (row.amountMinor >= 0n || row.kind === 'charge') continue;
    const near = daysNear(row.day, nearDays);
    for (const payout of payouts) {
      const extraMinor = row.amountMinor - payout.amountMinor;
      if (extraMinor >= 0n || extraMinor < -MOST_CHARGES || !pool.hasItem(payout)) continue;
      if (!near.includes(payout.day) || pool.contradict(payout, row)) continue;
      const charges = findCharges(pool, extraMinor, near);
      if (charges.length === 0) continue;
      pool.take([payout, ...charges], [row], 'charges');
      break;
    }
  }
}

/** No bank charges more than this for one transfer. */
const MOST_CHARGES = 1_000_00n;

/**
 * Finds open charges that add up to the amount, at most one of each kind and amount. Equal charges are interchangeable, because
 * the bank does not name their payout.
 */
export function findCharges(
  pool: UnlinkedPool,
  amountMinor: bigint,
  days: readonly string[],
): readonly BookItem[] {
  const near = new Set(days);
  const open = [...pool.items.values()].filter((item) => isChargeItem(item) && near.has(item.day));
  const alike = groupByKey(open, (item) => `${item.event} ${item.amountMinor}`);
  return (
    findSubsetWithSum(
      [...alike.values()].map(([first]) => first!),
      amountMinor,
    ) ?? []
  );
}

function hasEvent(items: readonly BookItem[], event: BookItem['event']): boolean {
  return items.some((item) => item.event === event);
}

/** Links one row to the charges of many payouts: all charges of a day, all charges of one kind, or several equal charges. */
export function linkChargeBatches(pool: UnlinkedPool, nearDays: number): void {
  const charges = [...pool.items.values()].filter((item) => isChargeItem(item) && item.amountMinor < 0n);
  const byDay = groupByKey(charges, ({ day }) => day);
  for (const row of [...pool.rows.values()]) {
    if (row.kind !== 'charge' || row.amountMinor >= 0n) continue;
    for (const day of daysNear(row.day, nearDays)) {
      const batch = day > row.day ? undefined : findBatch((byDay.get(day) ?? []).filter(pool.hasItem), row);
      if (batch === undefined) continue;
      pool.take(batch, [row], 'batch');
      break;
    }
  }
}

function findBatch(items: readonly BookItem[], row: ReconciliationRow): readonly BookItem[] | undefined {
  const fees = items.filter(({ event }) => event === 'bank_charged' || event === 'vat_charged');
  const kinds = [...groupByKey(items, ({ event }) => event).values()];
  const whole = [items, fees, ...kinds].find(
    (some) => some.length > 0 && sumAmounts(some) === row.amountMinor,
  );
  if (whole !== undefined) return whole;
  for (const equal of groupByKey(items, ({ event, amountMinor }) => `${event} ${amountMinor}`).values()) {
    const unit = equal[0]!.amountMinor;
    const count = row.amountMinor % unit === 0n ? row.amountMinor / unit : 0n;
    if (count >= 2n && count <= BigInt(equal.length)) return equal.slice(0, Number(count));
  }
  return undefined;
}

function groupByKey<Each>(all: readonly Each[], keyOf: (each: Each) => string): Map<string, Each[]> {
  const groups = new Map<string, Each[]>();
  for (const each of all) {
    const group = groups.get(keyOf(each));
    if (group === undefined) groups.set(keyOf(each), [each]);
    else group.push(each);
  }
  return groups;
}
