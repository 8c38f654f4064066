// The data to compare for one bank account: items of the books, rows of the bank's statement, and the open differences between
// them. Every amount has a sign, and money into the account is positive.
import type { LedgerEvent } from '../ledger/ledger.ts';

export interface BookItem {
  readonly id: string;
  /** The day in Lagos on which the item was booked. */
  readonly day: string;
  readonly atMs: number;
  readonly event: LedgerEvent;
  readonly subjectId: string;
  readonly amountMinor: bigint;
  /** Other days on which the bank may show the item: the value day of a credit, or the day that people gave at the booking. */
  readonly days: readonly string[];
  /** The ids of statement rows that are known to show this item. */
  readonly rowIds: readonly string[];
  /** Our own references and the bank's references, in the form of `normaliseReference`. */
  readonly names: readonly string[];
  readonly sessions: readonly string[];
  /**
   * The other side: its full account number, and its name in the form of `normaliseReference`. It is read again for each
   * comparison and never stored with a difference, because it is personal data.
   */
  readonly parties?: readonly string[];
}

export interface ReconciliationRow {
  readonly id: string;
  readonly day: string;
  readonly valueDay: string | null;
  readonly amountMinor: bigint;
  readonly narration: string;
  readonly reference: string | null;
  readonly sessionId: string | null;
  readonly kind: 'payment' | 'reversal' | 'charge';
  /** The account number of the other side in its own column; like the narration, it is not stored with a difference. */
  readonly payerAccount?: string | null;
}

export const DIFFERENCE_KINDS = ['books', 'statement', 'amount', 'opening', 'balance', 'rail'] as const;
/**
 * `books` or `statement`: only this side has the item. `amount`: one transfer has different amounts on the two sides.
 * `opening`: the balances differed before the first statement. `balance`: the balances of the statement do not follow from its
 * rows. `rail`: the balance that the rail itself reports differs from the books.
 */
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

export interface Difference {
  readonly id: string;
  readonly kind: DifferenceKind;
  readonly day: string;
  /** The amount by which this difference makes the books higher than the statement. */
  readonly offMinor: bigint;
  readonly item: BookItem | null;
  readonly row: ReconciliationRow | null;
}

/** The form of a reference without the details that banks change: case, hyphens and spaces. */
export function normaliseReference(reference: string): string {
  return reference.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** A reference with fewer characters could be part of an unrelated narration. */
const SHORTEST_NAME = 8;

export function isUsableReference(name: string): boolean {
  return name.length >= SHORTEST_NAME;
}

const CHARGE_EVENTS: ReadonlySet<LedgerEvent> = new Set([
  'bank_charged',
  'vat_charged',
  'stamp_duty_charged',
  'vendor_account_charged',
  'charge_returned',
]);

/** Whether two people booked the item from a line of the statement (`naira …`). */
export function isStatedItem({ subjectId }: BookItem): boolean {
  return subjectId.startsWith('nai_');
}

export function isChargeItem({ event }: Pick<BookItem, 'event'>): boolean {
  return CHARGE_EVENTS.has(event);
}

export function makeBookDifference(item: BookItem): Difference {
  return {
    ...{ id: `books ${item.id}`, kind: 'books', day: item.day, offMinor: item.amountMinor },
    ...{ item, row: null },
  };
}

export function makeRowDifference(row: ReconciliationRow): Difference {
  return {
    ...{ id: `row ${row.id}`, kind: 'statement', day: row.day, offMinor: -row.amountMinor },
    ...{ item: null, row },
  };
}

/**
 * The difference of a linked pair. Its day is the later of the two days, because then both sides exist. `others`: a fee and its
 * tax can be one row.
 */
export function makeAmountDifference(
  item: BookItem,
  row: ReconciliationRow,
  others: readonly BookItem[] = [],
): Difference {
  const day = item.day > row.day ? item.day : row.day;
  const offMinor = item.amountMinor + sumAmounts(others) - row.amountMinor;
  return { id: `pair ${item.id} ${row.id}`, kind: 'amount', day, offMinor, item, row };
}

const WITHOUT = ' without ';

/**
 * The opening balance of the day does not follow from the balance before, and no row is known since `firstDay`: the statement of
 * these days is missing. The id keeps the first missing day.
 */
export function makeMissingDaysDifference(firstDay: string, day: string, offMinor: bigint): Difference {
  const id = `balance ${day}${WITHOUT}${firstDay}`;
  return { id, kind: 'balance', day, offMinor, item: null, row: null };
}

/** The first missing day of a difference; null: the difference is not about missing days. */
export function findMissingDay({ id, kind }: Pick<Difference, 'id' | 'kind'>): string | null {
  return kind === 'balance' ? (id.split(WITHOUT)[1] ?? null) : null;
}

export function makeBalanceDifference(
  kind: 'opening' | 'balance' | 'rail',
  day: string,
  offMinor: bigint,
): Difference {
  return { id: `${kind} ${day}`, kind, day, offMinor, item: null, row: null };
}

export function sumAmounts(amounts: readonly { readonly amountMinor: bigint }[]): bigint {
  return amounts.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
}

export function sumDifferences(differences: readonly Pick<Difference, 'offMinor'>[]): bigint {
  return differences.reduce((sum, { offMinor }) => sum + offMinor, 0n);
}
