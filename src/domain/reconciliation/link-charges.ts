// Links charges as banks book them. One row may have a fee and its tax, only one of them, the payout together with its charges,
// or the charges of many payouts.
import { type BookItem, isChargeItem, type ReconciliationRow, sumAmounts } from './items.ts';
import { mayShowCharges, readChargeKind } from './row-words.ts';
import { findSubsetWithSum, listSubsets, type UnlinkedPool } from './unlinked-pool.ts';

/**
 * Whether one row may show all these items. A bank that includes charges in the row of a payout includes the fee with its tax; a
 * row that is higher by a duty or a fee alone is a payout with a wrong amount. A payout without a fee may include the duty, unless
 * the bank shows it in another row.
 */
export function isWholeCharge(
  pool: UnlinkedPool,
  row: ReconciliationRow,
  items: readonly BookItem[],
): boolean {
  const charges = items.filter(isChargeItem);
  const payout = items.find((item) => !isChargeItem(item));
  if (payout === undefined) return mayShowCharges(row, charges);
  if (charges.length === 0 || payout.amountMinor > 0n) return true;
  if (pool.withFee.has(payout.subjectId))
    return hasEvent(charges, 'bank_charged') && hasTaxOfFee(pool, charges);
  const dutyMinor = sumAmounts(charges);
  return ![...pool.rows.values()].some(
    (each) => readChargeKind(each) === 'stamp_duty' && each !== row && each.amountMinor % dutyMinor === 0n,
  );
}

/** A fee whose tax is booked is never shown without the tax. */
function hasTaxOfFee(pool: UnlinkedPool, charges: readonly BookItem[]): boolean {
  const fee = charges.find(({ event }) => event === 'bank_charged')!;
  const isTax = ({ event, subjectId }: BookItem) => event === 'vat_charged' && subjectId === fee.subjectId;
  return hasEvent(charges, 'vat_charged') || ![...pool.items.values()].some(isTax);
}

/**
 * A payout and its charges are booked in one commit. `sure`: links only sums of a fee and its tax, because a single transfer is
 * unlikely to have the same amount. Other sums are linked after all single matches.
 */
export function linkCharges(pool: UnlinkedPool, nearDays: number, sure: boolean): void {
  const out = [...pool.rows.values()].filter(({ amountMinor }) => amountMinor < 0n);
  const rows = groupByKey(out, ({ amountMinor, day }) => `${amountMinor} ${day}`);
  const paid = [...pool.items.values()].filter(({ amountMinor }) => amountMinor < 0n);
  for (const group of groupByKey(paid, ({ subjectId, atMs }) => `${subjectId} ${atMs}`).values()) {
    if (group.length < 2) continue;
    const near = pool.workingDays.daysNear(group[0]!.day, nearDays);
    for (const some of listSubsets(group)) {
      if (some.length < 2 || !some.every(pool.hasItem)) continue;
      if (sure && !(hasEvent(some, 'bank_charged') && hasEvent(some, 'vat_charged'))) continue;
      const sum = sumAmounts(some);
      const row = near
        .flatMap((day) => rows.get(`${sum} ${day}`) ?? [])
        .find((each) => pool.hasRow(each) && mayShowTogether(pool, each, some));
      if (row !== undefined) pool.take(some, [row], 'charges');
    }
  }
}

function mayShowTogether(pool: UnlinkedPool, row: ReconciliationRow, some: readonly BookItem[]): boolean {
  return isWholeCharge(pool, row, some) && !some.some((item) => pool.contradict(item, row));
}

/**
 * Links one row to a payout and to charges that may belong to another payout. A row without a reference does not show to which
 * payout its charges belong.
 */
export function linkPayoutsWithCharges(pool: UnlinkedPool, nearDays: number): void {
  const payouts = [...pool.items.values()].filter((item) => item.amountMinor < 0n && !isChargeItem(item));
  for (const row of [...pool.rows.values()]) {
    if (row.amountMinor >= 0n || row.kind === 'charge') continue;
    const near = pool.workingDays.daysNear(row.day, nearDays);
    for (const payout of payouts) {
      const extraMinor = row.amountMinor - payout.amountMinor;
      if (extraMinor >= 0n || extraMinor < -MOST_CHARGES || !pool.hasItem(payout)) continue;
      if (!near.includes(payout.day) || pool.contradict(payout, row)) continue;
      const charges = findCharges(pool, extraMinor, near, (some) =>
        isWholeCharge(pool, row, [payout, ...some]),
      );
      if (charges.length === 0) continue;
      pool.take([payout, ...charges], [row], 'charges');
      break;
    }
  }
}

/** No bank charges more kobo than this for one transfer. */
const MOST_CHARGES = 1_000_00n;

/**
 * Finds open charges that add up to the amount, at most one of each kind and amount. Equal charges are interchangeable, because
 * the bank does not say to which payout they belong.
 */
export function findCharges(
  pool: UnlinkedPool,
  amountMinor: bigint,
  days: readonly string[],
  fits: (charges: readonly BookItem[]) => boolean,
): readonly BookItem[] {
  if (amountMinor >= 0n) return [];
  const near = new Set(days);
  const open = [...pool.items.values()].filter((item) => isChargeItem(item) && near.has(item.day));
  const alike = groupByKey(open, (item) => `${item.event} ${item.amountMinor}`);
  return (
    findSubsetWithSum(
      [...alike.values()].map(([first]) => first!),
      amountMinor,
      fits,
    ) ?? []
  );
}

function hasEvent(items: readonly BookItem[], event: BookItem['event']): boolean {
  return items.some((item) => item.event === event);
}

export function linkChargeBatches(pool: UnlinkedPool, nearDays: number): void {
  const charges = [...pool.items.values()].filter((item) => isChargeItem(item) && item.amountMinor < 0n);
  const byDay = groupByKey(charges, ({ day }) => day);
  for (const row of [...pool.rows.values()]) {
    if (row.kind !== 'charge' || row.amountMinor >= 0n) continue;
    for (const day of pool.workingDays.daysNear(row.day, nearDays)) {
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
    (some) => some.length > 0 && sumAmounts(some) === row.amountMinor && mayShowCharges(row, some),
  );
  if (whole !== undefined) return whole;
  for (const equal of groupByKey(items, ({ event, amountMinor }) => `${event} ${amountMinor}`).values()) {
    if (!mayShowCharges(row, equal)) continue;
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
