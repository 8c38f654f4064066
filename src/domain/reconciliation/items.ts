// What is compared for one bank account: items of the books, rows of the bank's statement, and the differences that stay open between
// them. Every amount has a sign: what came into the account is positive.
import type { LedgerEvent } from '../ledger/ledger.ts';

/** One entry of the ledger that moved money of this bank account. */
export interface BookItem {
  /** The entry. */
  readonly id: string;
  /** The day in Lagos on which it was booked. */
  readonly day: string;
  readonly atMs: number;
  readonly event: LedgerEvent;
  readonly subjectId: string;
  readonly amountMinor: bigint;
  /** Days on which the bank may show it besides its own: the value day of a credit, the day that people booked it for. */
  readonly days: readonly string[];
  /** Rows of a statement that are known to be it. */
  readonly rowIds: readonly string[];
  /** Our own references and those of the bank, as `normaliseReference` writes them. */
  readonly names: readonly string[];
  /** The NIP session ids. */
  readonly sessions: readonly string[];
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
}

export const DIFFERENCE_KINDS = ['books', 'statement', 'amount', 'opening', 'balance', 'rail'] as const;
/**
 * `books`, `statement`: on that side alone. `amount`: one transfer, two amounts. `opening`: the balances before the first statement.
 * `balance`: balances of the statement that its rows do not explain. `rail`: the balance that the rail itself reports.
 */
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

export interface Difference {
  readonly id: string;
  readonly kind: DifferenceKind;
  readonly day: string;
  /** The amount by which it raises the books above the statement. */
  readonly offMinor: bigint;
  readonly item: BookItem | null;
  readonly row: ReconciliationRow | null;
}

/** A reference without what banks leave out or put in: case, hyphens, spaces. */
export function normaliseReference(reference: string): string {
  return reference.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** A shorter one would be found in the narration of something else. */
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

/** The difference of a pair, on the later day of the two, when both sides exist. */
export function makeAmountDifference(item: BookItem, row: ReconciliationRow): Difference {
  const day = item.day > row.day ? item.day : row.day;
  const offMinor = item.amountMinor - row.amountMinor;
  return { id: `pair ${item.id} ${row.id}`, kind: 'amount', day, offMinor, item, row };
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
