// The books of the local banks as JSON: balances, payouts and credits of each rail, in naira as text.
import type { BankBooks } from '../books/books.ts';
import { type Credit, type LocalRailName, type Payout, type PayoutState, RAILS } from '../books/entries.ts';
import { nairaText } from '../books/money.ts';

export interface BookedPayout {
  readonly reference: string;
  readonly amount: string;
  readonly state: PayoutState;
  readonly nipCode: string;
  readonly accountNumber: string;
  readonly accountName: string;
  readonly narration: string;
  readonly sessionId: string;
  readonly at: string;
  readonly history: readonly { readonly state: PayoutState; readonly at: string }[];
}

export interface BookedCredit {
  readonly creditId: number;
  readonly accountNumber: string;
  readonly amount: string;
  readonly fee: string;
  readonly payer: Credit['payer'];
  readonly narration: string;
  readonly sessionId: string;
  readonly settlementId: string;
  readonly reference: string;
  readonly takenBack: boolean;
  readonly at: string;
}

export interface RailBooks {
  readonly balance: string;
  readonly accounts: readonly { readonly number: string; readonly nipCode: string; readonly name: string }[];
  readonly payouts: readonly BookedPayout[];
  readonly credits: readonly BookedCredit[];
}

export type BooksOverview = Readonly<Record<LocalRailName, RailBooks>>;

export function booksOverviewOf(books: BankBooks): BooksOverview {
  return Object.fromEntries(RAILS.map((rail) => [rail, railOverview(books, rail)])) as BooksOverview & object;
}

function railOverview(books: BankBooks, rail: LocalRailName): RailBooks {
  return {
    balance: nairaText(books.balance(rail)),
    accounts: books.ownAccounts
      .filter((each) => each.rail === rail)
      .map(({ number, nip, name }) => ({ number, nipCode: nip, name })),
    payouts: books.payoutsOf(rail).map((payout) => bookedPayoutOf(books, payout)),
    credits: books.creditsOf(rail).map((credit) => bookedCreditOf(books, credit)),
  };
}

export function bookedPayoutOf(books: BankBooks, payout: Payout): BookedPayout {
  const { reference, amountKobo, nip, number, name, narration, sessionId, at } = payout;
  return {
    reference,
    amount: nairaText(amountKobo),
    state: books.standing(payout).state,
    nipCode: nip,
    accountNumber: number,
    accountName: name,
    narration,
    sessionId,
    at: new Date(at).toISOString(),
    history: books.history(payout).map(({ state, since }) => ({ state, at: new Date(since).toISOString() })),
  };
}

export function bookedCreditOf(books: BankBooks, credit: Credit): BookedCredit {
  const { id, account, amountKobo, feeKobo, payer, narration, sessionId, settlementId, reference, at } =
    credit;
  return {
    creditId: id,
    accountNumber: account,
    amount: nairaText(amountKobo),
    fee: nairaText(feeKobo),
    ...{ payer, narration, sessionId, settlementId, reference },
    takenBack: books.isTakenBack(credit),
    at: new Date(at).toISOString(),
  };
}
