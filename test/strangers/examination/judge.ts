// Checks a sell against the books of the banks: what was paid to its account, how often the service ordered it, and whether
// that agrees with the state of the sell.
import { type Books, koboOfNaira, RAILS } from '../banks/books.ts';
import { OPENING_KOBO } from '../banks/teller.ts';
import type { Case } from './cases.ts';
import type { Sale, Stage } from './stage.ts';

const GIVEN_BACK = new Set(['payout_failed', 'refunded', 'cancelled', 'expired']);

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
  // The response did not show whether money moved. In this case the service must query the rail and never repeat the order.
  if (orders.length > 1 && !isTrulyRefused) {
    complaints.push(`ordered ${orders.length} times (${orders.map(({ rail }) => rail).join(', ')})`);
  }
  return complaints;
}

export function unexplained(books: Books, sales: readonly Sale[]): string[] {
  const accounts = new Set(sales.map(({ account }) => account));
  return books.payments
    .filter(({ account }) => !accounts.has(account))
    .map(({ rail, reference, account, kobo }) => `${rail} ${reference} ${account} ${kobo}`);
}

/**
 * By how many kobo the ledger's bank balances exceed the expected amount. The expected amount is the opening balance, less the
 * payments for completed sells, less charges. Payments for other sells must still be reserved in the ledger.
 */
export async function surplusOfLedger(
  { fleet, stateOf, command }: Stage,
  sales: readonly Sale[],
): Promise<bigint> {
  const states = await Promise.all(sales.map(stateOf));
  const completed = new Set(
    sales.filter((_, index) => states[index] === 'completed').map(({ account }) => account),
  );
  const { assets } = JSON.parse(await command('ledger', 'balances', '--mode', 'test', '--json')) as Balances;
  const inLedger = assets
    .filter(({ asset }) => asset === 'NGN')
    .flatMap(({ accounts }) => accounts)
    .filter(({ name, detail }) => name === 'charges' || (IN_BANKS.has(name) && detail !== null))
    .reduce((sum, { balance }) => sum + koboOfNaira(balance), 0n);
  const explained = fleet.books.payments
    .filter(({ account }) => completed.has(account))
    .reduce((left, { kobo }) => left - kobo, OPENING_KOBO * BigInt(RAILS.length));
  return inLedger - explained;
}

const IN_BANKS = new Set(['bank_out', 'bank_reserved']);

interface Balances {
  readonly assets: readonly {
    readonly asset: string;
    readonly accounts: readonly {
      readonly name: string;
      readonly detail: string | null;
      readonly balance: string;
    }[];
  }[];
}
