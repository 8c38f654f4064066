// Judges a sell by the books of the banks: what was paid to its account, how often it was ordered, and whether that goes with its state.
import type { Books } from '../banks/books.ts';
import type { Case } from './cases.ts';
import type { Sale } from './stage.ts';

/** States in which the tokens go back to the customer, or went back. */
const GIVEN_BACK = new Set(['payout_failed', 'refunded', 'cancelled', 'expired']);

/** What is wrong, in words; nothing when all is well. */
export function complaintsAbout(
  { account, kobo }: Sale,
  {
    books,
    state,
    isTrulyRefused = false,
  }: { readonly books: Books; readonly state: string } & Pick<Case, 'isTrulyRefused'>,
): string[] {
  const paid = books.paidTo(account);
  const orders = books.ordersTo(account);
  const where = paid.map(({ rail, reference }) => `${rail} ${reference}`).join(', ');
  const complaints: string[] = [];
  if (paid.length > 1) complaints.push(`paid ${paid.length} times (${where})`);
  if (paid.some((payment) => payment.kobo !== kobo)) complaints.push(`paid another amount (${where})`);
  if (paid.length > 0 && GIVEN_BACK.has(state)) complaints.push(`paid (${where}), and the sell is ${state}`);
  if (paid.length === 0 && state === 'completed') complaints.push('completed, and no bank has paid it');
  // Its answer left open whether money moved: it is asked about, and never ordered again.
  if (orders.length > 1 && !isTrulyRefused) {
    complaints.push(`ordered ${orders.length} times (${orders.map(({ rail }) => rail).join(', ')})`);
  }
  return complaints;
}

/** Payments that no sell explains. */
export function unexplained(books: Books, sales: readonly Sale[]): string[] {
  const accounts = new Set(sales.map(({ account }) => account));
  return books.payments
    .filter(({ account }) => !accounts.has(account))
    .map(({ rail, reference, account, kobo }) => `${rail} ${reference} ${account} ${kobo}`);
}
