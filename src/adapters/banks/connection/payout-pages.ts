// Reads every page of a list of payouts. New payouts move those on later pages, so one may be seen twice; it is answered once.
import type { ListedPayment } from '../../../domain/rails/unexplained.ts';

export interface PayoutPage {
  readonly payments: readonly ListedPayment[];
  /** How many rows the answer had, others included. */
  readonly rows: number;
  /** How many the bank has between the two times. */
  readonly total: number;
}

/** More than any two hours have; a list that is longer ignores the times. */
const MOST_PAGES = 1_000;

/** Pages count from 0. A list that cannot be read to its end is no list: what is missing would look as if it were not there. */
export async function readPages(
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
    if (next.rows === 0 || no >= MOST_PAGES) throw new Error('the list of payouts ends before its end');
  }
  // Some lists have whole seconds.
  return [...byId.values()].filter(({ atMs }) => atMs >= fromMs - 1_000 && atMs <= untilMs);
}

/** An account number that is shown in full; null: it is masked, or missing, and says nothing. */
export function wholeNumber(text: string | null): string | null {
  return text !== null && /^\d{10}$/.test(text) ? text : null;
}
