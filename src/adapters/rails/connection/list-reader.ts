// Reads a bank's list of incoming payments, oldest first, no matter how its pages are sorted. A position is the time and the id
// of the last transaction that was returned. Later transactions wait for a transaction that has no final state yet.
import type { ListedPayment } from '../../../domain/rails/unexplained-payments.ts';

/**
 * `open` means that the transaction may still change. `credit` means that money came in. `other` means that the transaction has
 * ended without a credit for this account.
 */
export type ListingState = 'open' | 'credit' | 'other';

export interface ListedTransaction {
  readonly atMs: number;
  readonly id: string;
  readonly standing: ListingState;
  readonly json: unknown;
}

export interface ListPage {
  /** The transactions of the operator's account. */
  readonly transactions: readonly ListedTransaction[];
  /** The number of rows in the response of the bank, including rows of other accounts. */
  readonly rows: number;
  /** The number of rows that the bank has between the two requested times. */
  readonly total: number;
}

export interface BankList {
  /** Money that came in before this time is not read. */
  readonly fromMs: number;
  readonly most: number;
  /** Reads one page. Pages count from 0. Throws if the page cannot be read now. */
  page(fromMs: number, endMs: number, page: number): Promise<ListPage>;
  compareIds(one: string, other: string): number;
}

/** A period with more transactions than this is read in parts. */
const MOST_IN_STRETCH = 1_000;
const DAY_MS = 86_400_000;
const FIRST_ID = '0';

interface ListPosition {
  readonly atMs: number;
  readonly id: string;
}

/**
 * Returns the credits after a position, and the position after the last of these credits. Transactions later than `untilMs` are
 * not read yet.
 */
export async function readCreditsFromList(
  list: BankList,
  position: string | null,
  untilMs: number,
): Promise<{ readonly credits: readonly ListedTransaction[]; readonly position: string }> {
  const start: ListPosition =
    position === null ? { atMs: list.fromMs, id: FIRST_ID } : readListPosition(position);
  const compare = (one: ListPosition, other: ListPosition) =>
    one.atMs - other.atMs || list.compareIds(one.id, other.id);
  for (let fromMs = start.atMs; ; ) {
    const stretch = await readTimeRange(list, fromMs, untilMs);
    const behind = stretch.transactions.filter((each) => compare(each, start) > 0).toSorted(compare);
    const open = behind.findIndex((each) => mayStillChange(each, untilMs));
    const settled = open < 0 ? behind : behind.slice(0, open);
    const credits = settled.filter(({ standing }) => standing === 'credit').slice(0, list.most);
    if (credits.length > 0) return { credits, position: writeListPosition(credits.at(-1)!) };
    if (open >= 0 || stretch.endMs >= untilMs)
      return { credits: [], position: position ?? writeListPosition(start) };
    fromMs = stretch.endMs;
  }
}

/**
 * Later transactions wait for an open transaction for at most a day. A transaction that never ends must not block all later
 * money.
 */
function mayStillChange({ standing, atMs }: ListedTransaction, nowMs: number): boolean {
  return standing === 'open' && atMs > nowMs - DAY_MS;
}

/** Reads all transactions from `fromMs` to `untilMs`, or to an earlier end if there are too many. */
async function readTimeRange(
  list: BankList,
  fromMs: number,
  untilMs: number,
): Promise<{ readonly transactions: readonly ListedTransaction[]; readonly endMs: number }> {
  let endMs = Math.max(untilMs, fromMs);
  let first = await list.page(fromMs, endMs, 0);
  while (first.total > MOST_IN_STRETCH && endMs - fromMs > 1) {
    endMs = fromMs + Math.ceil((endMs - fromMs) / 2);
    first = await list.page(fromMs, endMs, 0);
  }
  const pages = [first];
  // A bank may return fewer rows per page than requested.
  for (let read = first.rows; read < first.total; ) {
    const next = await list.page(fromMs, endMs, pages.length);
    if (next.rows === 0) break;
    pages.push(next);
    read += next.rows;
  }
  // New transactions shift the rows of later pages, so the same transaction may appear twice.
  const byId = new Map(pages.flatMap(({ transactions }) => transactions).map((each) => [each.id, each]));
  return { transactions: [...byId.values()].filter(({ atMs }) => atMs <= endMs), endMs };
}

const PLACE = /^(\d{1,15}) ([!-~]{1,100})$/;

export function writeListPosition({ atMs, id }: ListPosition): string {
  return `${atMs} ${id}`;
}

function readListPosition(position: string): ListPosition {
  const [, atMs, id] = PLACE.exec(position) ?? [];
  if (atMs === undefined || id === undefined) throw new Error('the stored position is not one of this rail');
  return { atMs: Number(atMs), id };
}

export interface PayoutPage {
  readonly payments: readonly ListedPayment[];
  /** The number of rows in the response of the bank, including rows of other accounts. */
  readonly rows: number;
  /** The number of rows that the bank has between the two requested times. */
  readonly total: number;
}

/**
 * The maximum number of pages of a payout list. It is more than the payouts of any two hours need. A longer list would mean
 * that the bank ignores the requested times.
 */
const MOST_PAGES = 1_000;

/**
 * Reads all pages of a payout list. The first page has the number 0. New payouts shift the rows of later pages, so a payout may
 * be read twice, but it is returned once. Throws if the list cannot be read completely, because a payout on an unread page
 * would seem not to exist.
 */
export async function readPayoutPages(
  fromMs: number,
  untilMs: number,
  page: (no: number) => Promise<PayoutPage>,
): Promise<readonly ListedPayment[]> {
  const byId = new Map<string, ListedPayment>();
  let [read, no] = [0, 0];
  for (;;) {
    const next = await page(no++);
    for (const each of next.payments) byId.set(each.id, each);
    read += next.rows;
    if (read >= next.total) break;
    if (next.rows === 0 || no >= MOST_PAGES)
      throw new Error('the list of payouts could not be read to its end');
  }
  // Some lists contain times in whole seconds, so the lower limit is one second earlier.
  return [...byId.values()].filter(({ atMs }) => atMs >= fromMs - 1_000 && atMs <= untilMs);
}

/** Returns a complete account number, or null if the number is masked or missing. */
export function fullAccountNumber(text: string | null): string | null {
  return text !== null && /^\d{10}$/.test(text) ? text : null;
}
