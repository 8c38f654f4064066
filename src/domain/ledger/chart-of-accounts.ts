// The chart of accounts of the ledger, as data. docs/concepts/ledger.md shows the same table, and a test compares the two.
import type { Mode } from '../values/mode.ts';

export interface AccountRule {
  readonly of: 'naira' | 'token' | 'both';
  /** The side on which the balance of the account always is. */
  readonly side: 'debit' | 'credit';
  readonly meaning: string;
}

export const CHART_OF_ACCOUNTS = {
  bank_in: {
    of: 'naira',
    side: 'debit',
    meaning: 'Naira in a vendor’s bank account.',
  },
  bank_out: {
    of: 'naira',
    side: 'debit',
    meaning: 'Naira for payouts and refunds.',
  },
  bank_reserved: {
    of: 'naira',
    side: 'debit',
    meaning: 'Naira reserved for a payout or refund in progress.',
  },
  bank_transit: {
    of: 'naira',
    side: 'debit',
    meaning: 'Naira between two of our bank accounts; zero after every commit.',
  },
  suspense: { of: 'both', side: 'credit', meaning: 'Received; purpose not yet known.' },
  owed: { of: 'naira', side: 'credit', meaning: 'Paid by a customer, tokens not yet sent.' },
  in_flight: { of: 'naira', side: 'credit', meaning: 'Paid by a customer, tokens sent, not yet final.' },
  delivered: { of: 'naira', side: 'credit', meaning: 'Paid by customers whose tokens arrived.' },
  redeemed: { of: 'naira', side: 'debit', meaning: 'Naira promised for tokens received.' },
  payouts_due: { of: 'naira', side: 'credit', meaning: 'Naira to be paid out for tokens received.' },
  refunds_due: { of: 'both', side: 'credit', meaning: 'Refunds owed, not yet paid.' },
  recoveries: {
    of: 'naira',
    side: 'credit',
    meaning: 'Returned payouts; each has an open case.',
  },
  fees: { of: 'naira', side: 'credit', meaning: 'Fees earned.' },
  charges: {
    of: 'naira',
    side: 'debit',
    meaning: 'Bank charges: transfer fees, value added tax, stamp duty, levies.',
  },
  losses: {
    of: 'naira',
    side: 'debit',
    meaning: 'Credits reversed after delivery; each has an open case.',
  },
  overpaid: {
    of: 'naira',
    side: 'debit',
    meaning: 'Payouts paid after a refusal; each has an open case.',
  },
  losses_accepted: {
    of: 'naira',
    side: 'debit',
    meaning: 'Losses and overpaid naira that two people accepted.',
  },
  written_off: { of: 'both', side: 'credit', meaning: 'Kept; the owner could not be found.' },
  capital: { of: 'both', side: 'credit', meaning: 'Funds contributed by the operator.' },
  treasury: { of: 'token', side: 'debit', meaning: 'Tokens free to be sent.' },
  reserved: {
    of: 'token',
    side: 'debit',
    meaning: 'Tokens reserved for a send not yet accepted by the network.',
  },
  sent: { of: 'token', side: 'debit', meaning: 'Tokens sent, not yet final.' },
  out: { of: 'token', side: 'debit', meaning: 'Tokens delivered to customers.' },
  withdrawn: { of: 'both', side: 'debit', meaning: 'Funds withdrawn by the operator.' },
  lost: {
    of: 'token',
    side: 'debit',
    meaning: 'Tokens that left without an order, accepted as lost by two people.',
  },
  network_costs: {
    of: 'token',
    side: 'debit',
    meaning: 'Native coin spent on network fees and opening token accounts.',
  },
  coin_in: {
    of: 'token',
    side: 'debit',
    meaning: 'Native coin from closed deposit accounts.',
  },
  received: { of: 'token', side: 'credit', meaning: 'Tokens received for sells.' },
  dust: { of: 'token', side: 'credit', meaning: 'Parts of a deposit smaller than a kobo.' },
  rent_gained: {
    of: 'token',
    side: 'credit',
    meaning: 'Native coin that depositors had locked in deposit accounts.',
  },
} as const satisfies Record<string, AccountRule>;

export type LedgerAccountName = keyof typeof CHART_OF_ACCOUNTS;

export function ledgerKey(
  mode: Mode,
  asset: string,
  name: LedgerAccountName,
  detail: string | null = null,
): string {
  return `${mode}/${asset}/${name}${detail === null ? '' : `/${detail}`}`;
}

export function accountDetail(bankCode: string | null, number: string): string {
  return `${bankCode ?? 'unknown'}:${number}`;
}

export interface AccountParts {
  readonly mode: Mode;
  readonly asset: string;
  readonly name: LedgerAccountName;
  readonly side: 'debit' | 'credit';
}

export function parseLedgerKey(key: string): AccountParts {
  const [mode, asset, name] = key.split('/') as [Mode, string, LedgerAccountName];
  return { mode, asset, name, side: CHART_OF_ACCOUNTS[name].side };
}
