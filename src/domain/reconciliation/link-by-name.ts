// Links by a session id or reference: the item's name is in the row's own field, or anywhere in its narration.
import { type BookItem, isChargeItem, type ReconciliationRow } from './items.ts';
import { findCharges, isWholeCharge } from './link-charges.ts';
import { chargeKindOf, mayShowCharges, readChargeKind } from './row-words.ts';
import { findSubsetWithSum, type UnlinkedPool } from './unlinked-pool.ts';

/**
 * Links one item to one row of the same amount first, then several items to one row, then several rows to one item. A charge is
 * linked to a row of its own kind before other rows of the same amount.
 */
export function linkByName(pool: UnlinkedPool): void {
  const openItems = (row: ReconciliationRow) =>
    pool.named.get(row.id)!.filter((item) => pool.hasItem(item) && haveSameSign(item, row));
  for (const isSure of [true, false])
    for (const row of pool.rows.values()) {
      const equal = openItems(row).find(
        (item) => item.amountMinor === row.amountMinor && isSameKind(item, row, isSure),
      );
      if (equal !== undefined) pool.take([equal], [row], 'name');
    }
  for (const row of [...pool.rows.values()].filter(({ kind }) => kind === 'charge')) {
    const charges = openItems(row).filter(isChargeItem);
    const some = findSubsetWithSum(charges, row.amountMinor, (items) => mayShowCharges(row, items));
    if (some !== undefined) pool.take(some, [row], 'name');
  }
  for (const row of pool.rows.values()) {
    const some = findSubsetWithSum(openItems(row), row.amountMinor, (items) =>
      isWholeCharge(pool, row, items),
    );
    if (some !== undefined) pool.take(some, [row], 'name');
  }
  for (const [item, rows] of groupRowsByItem(pool, openItems)) {
    const own = rows.filter((row) => pool.hasRow(row) && isSameKind(item, row, false));
    const some = findSubsetWithSum(own, item.amountMinor);
    if (some !== undefined) pool.take([item], some, 'name');
  }
}

/** `isSure`: the words of the row say the kind of charge. Otherwise they must not contradict it. */
function isSameKind(item: BookItem, row: ReconciliationRow, isSure: boolean): boolean {
  if (!isChargeItem(item)) return isSure ? row.kind !== 'charge' : true;
  return isSure ? chargeKindOf(item) === readChargeKind(row) : mayShowCharges(row, [item]);
}

/** A charge that the bank changed: the row names the transfer, and only one charge of the transfer can be meant. */
export function linkChangedCharges(pool: UnlinkedPool): void {
  const namedCharges = (row: ReconciliationRow) =>
    pool.named
      .get(row.id)!
      .filter((item) => isChargeItem(item) && pool.hasItem(item) && haveSameSign(item, row));
  for (const row of [...pool.rows.values()].filter(({ kind }) => kind === 'charge')) {
    const open = namedCharges(row).filter((item) => mayShowCharges(row, [item]));
    const rivals = [...pool.rows.values()].filter(
      (other) => other !== row && other.kind === 'charge' && namedCharges(other).length > 0,
    );
    const meant = pickChangedCharges(row, open);
    const isContested = rivals.some((other) => meant.some((item) => isMeantBy(other, item, namedCharges)));
    if (meant.length > 0 && !isContested) pool.take(meant, [row], 'differs');
  }
}

function isMeantBy(
  row: ReconciliationRow,
  item: BookItem,
  namedCharges: (row: ReconciliationRow) => readonly BookItem[],
): boolean {
  return namedCharges(row).includes(item) && mayShowCharges(row, [item]);
}

/** The charge of the row's own kind, a fee together with its tax, or the only charge that is left. */
function pickChangedCharges(row: ReconciliationRow, open: readonly BookItem[]): readonly BookItem[] {
  const kind = readChargeKind(row);
  const ofKind = open.filter((item) => kind !== null && chargeKindOf(item) === kind);
  const meant = ofKind.length > 0 ? ofKind : open;
  if (meant.length !== 1) return [];
  const [charge] = meant;
  const tax = open.filter((item) => chargeKindOf(item) === 'vat' && item.subjectId === charge!.subjectId);
  return chargeKindOf(charge!) === 'transfer_fee' && tax.length === 1 ? [charge!, ...tax] : meant;
}

/**
 * Links an item and a row that are the only open ones of a transfer. The row may include the charges of a transfer like it, or
 * the amounts differ.
 */
export function linkDifferingAmounts(pool: UnlinkedPool, nearDays: number): void {
  const openItems = (row: ReconciliationRow) =>
    pool.named
      .get(row.id)!
      .filter((item) => pool.hasItem(item) && haveSameSign(item, row) && !isChargeItem(item));
  for (const [item, rows] of groupRowsByItem(pool, openItems)) {
    const [row, ...others] = rows.filter((each) => pool.hasRow(each) && each.kind !== 'charge');
    if (row === undefined || others.length > 0 || openItems(row).length !== 1) continue;
    const days = [item.day, row.day].flatMap((day) => pool.workingDays.daysNear(day, nearDays));
    const charges = findCharges(pool, row.amountMinor - item.amountMinor, days, (some) =>
      isWholeCharge(pool, row, [item, ...some]),
    );
    pool.take([item, ...charges], [row], charges.length > 0 ? 'charges' : 'differs');
  }
}

/**
 * Links an item and a row of the same amount on near days if the row shows the account number or the whole name of the item's
 * other side.
 */
export function linkByParty(pool: UnlinkedPool, nearDays: number): void {
  const rows = [...pool.rows.values()].filter(({ kind }) => kind !== 'charge');
  for (const item of [...pool.items.values()]) {
    const parties = (item.parties ?? []).filter((party) => party.length >= SHORTEST_PARTY);
    if (parties.length === 0 || isChargeItem(item)) continue;
    const days = new Set([item.day, ...item.days].flatMap((day) => pool.workingDays.daysNear(day, nearDays)));
    const row = rows.find(
      (each) =>
        pool.hasRow(each) &&
        each.amountMinor === item.amountMinor &&
        (days.has(each.day) || days.has(each.valueDay ?? each.day)) &&
        !pool.contradict(item, each) &&
        parties.some((party) => showsParty(each, party)),
    );
    if (row !== undefined) pool.take([item], [row], 'party');
  }
}

/** A shorter name could be part of an unrelated word. */
const SHORTEST_PARTY = 8;

function showsParty({ narration, payerAccount }: ReconciliationRow, party: string): boolean {
  return (
    payerAccount === party ||
    narration
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, '')
      .includes(party)
  );
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
