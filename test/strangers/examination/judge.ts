// Judges a sell by the books of the banks: what was paid to its account, how often it was ordered, and whether that goes with its state.
import { type Books, koboOfNaira, RAILS } from '../banks/books.ts';
import { OPENING_KOBO } from '../banks/teller.ts';
import type { Case } from './cases.ts';
import type { Sale, Stage } from './stage.ts';

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

/** What the transfers of the NIP bank cost by the table of charges: ₦10.00 and VAT, for amounts up to ₦5,000. The others take nothing. */
const CHARGE_KOBO = { providus: 1_075n, paystack: 0n, monnify: 0n } as const;

/**
 * Where the ledger has another sum in the account of a rail than the bank's books explain: what was there at the beginning, less what
 * the bank paid for sells that are completed. What it paid for others is still set aside.
 */
export async function differences(
  { fleet, stateOf, command }: Stage,
  sales: readonly Sale[],
): Promise<string[]> {
  const states = await Promise.all(sales.map(stateOf));
  const completed = new Set(
    sales.filter((_, index) => states[index] === 'completed').map(({ account }) => account),
  );
  const books = JSON.parse(await command('naira', 'accounts', '--mode', 'test', '--json')) as Booked[];
  return RAILS.flatMap((rail) => {
    const booked = books.find(({ account }) => account === fleet.accounts[rail])!;
    const inLedger = koboOfNaira(booked.free) + koboOfNaira(booked.reserved);
    const expected = fleet.books.payments
      .filter((payment) => payment.rail === rail && completed.has(payment.account))
      .reduce((left, { kobo }) => left - kobo - CHARGE_KOBO[rail], OPENING_KOBO);
    return inLedger === expected
      ? []
      : [`${rail}: the ledger has ${inLedger - expected} kobo more than it should`];
  });
}

interface Booked {
  readonly account: string;
  readonly free: string;
  readonly reserved: string;
}
