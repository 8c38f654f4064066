// Which rows name which items. The session id or reference of the item is in the row's own field, or anywhere in its narration.

import {
  type BookItem,
  isChargeItem,
  isUsableReference,
  normaliseReference,
  type ReconciliationRow,
} from './items.ts';
import { findCharges } from './link-charges.ts';
import { findSubsetWithSum, type UnlinkedPool } from './unlinked-pool.ts';
import { daysNear } from './working-days.ts';

/** The items that each row names, in the order of the books. */
export function findNamedItems(pool: UnlinkedPool): ReadonlyMap<string, readonly BookItem[]> {
  const known = new Map<string, BookItem[]>();
  for (const item of pool.items.values())
    for (const name of new Set([...item.sessions, ...item.names].filter(isUsableReference))) {
      const found = known.get(name);
      if (found === undefined) known.set(name, [item]);
      else found.push(item);
    }
  const lengths = [...new Set([...known.keys()].map((name) => name.length))];
  return new Map([...pool.rows.values()].map((row) => [row.id, findItemsInRow(row, known, lengths)]));
}

function findItemsInRow(
  { sessionId, reference, narration }: ReconciliationRow,
  known: ReadonlyMap<string, readonly BookItem[]>,
  lengths: readonly number[],
): readonly BookItem[] {
  const found = new Set<BookItem>();
  for (const field of [sessionId, reference, narration]) {
    const text = normaliseReference(field ?? '');
    for (const length of lengths)
      for (let from = 0; from + length <= text.length; from++)
        for (const item of known.get(text.slice(from, from + length)) ?? []) found.add(item);
  }
  return [...found];
}

/** Links one item to one row of the same amount first, then several items to one row, then several rows to one item. */
export function linkByName(pool: UnlinkedPool): void {
  const named = findNamedItems(pool);
  const openItems = (row: ReconciliationRow) =>
    named.get(row.id)!.filter((item) => pool.hasItem(item) && haveSameSign(item, row));
  for (const row of pool.rows.values()) {
    const equal = openItems(row).find(({ amountMinor }) => amountMinor === row.amountMinor);
    if (equal !== undefined) pool.take([equal], [row], 'name');
  }
  for (const row of pool.rows.values()) {
    const some = findSubsetWithSum(openItems(row), row.amountMinor);
    if (some !== undefined) pool.take(some, [row], 'name');
  }
  for (const [item, rows] of groupRowsByItem(pool, openItems)) {
    const some = findSubsetWithSum(rows.filter(pool.hasRow), item.amountMinor);
    if (some !== undefined) pool.take([item], some, 'name');
  }
}

/**
 * Links an item and a row that are the only open ones of a transfer. The row may include charges of another transfer, or the
 * amounts may differ.
 */
export function linkDifferingAmounts(pool: UnlinkedPool, nearDays: number): void {
  const named = findNamedItems(pool);
  const openItems = (row: ReconciliationRow) =>
    named.get(row.id)!.filter((item) => pool.hasItem(item) && haveSameSign(item, row) && !isChargeItem(item));
  for (const [item, rows] of groupRowsByItem(pool, openItems)) {
    const [row, ...others] = rows.filter((each) => pool.hasRow(each) && each.kind !== 'charge');
    if (row === undefined || others.length > 0 || openItems(row).length !== 1) continue;
    const days = [item.day, row.day].flatMap((day) => daysNear(day, nearDays));
    const charges = findCharges(pool, row.amountMinor - item.amountMinor, days);
    pool.take([item, ...charges], [row], charges.length > 0 ? 'charges' : 'differs');
  }
}

function groupRowsByItem(
  pool: UnlinkedPool,
  itemsOf: (row: ReconciliationRow) => readonly BookItem[],
): ReadonlyMap<BookItem, readonly ReconciliationRow[]> {
  const rows = new Map<BookItem, ReconciliationRow[]>();
  for (const row of pool.rows.values())
    for (const item of itemsOf(row)) rows.set(item, [...(rows.get(item) ?? []), row]);
  return rows;
}

function haveSameSign(item: BookItem, row: ReconciliationRow): boolean {
  return item.amountMinor > 0n === row.amountMinor > 0n;
}
