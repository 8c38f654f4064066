// The chart of accounts, as data: docs/concepts/ledger.md shows the same table and a test compares them.
import type { Mode } from '../values/mode.ts';

export interface AccountRule {
  readonly of: 'naira' | 'token' | 'both';
  /** The side its balance stands on; never on the other. */
  readonly side: 'debit' | 'credit';
  readonly meaning: string;
}

export const CHART_OF_ACCOUNTS = {
  bank_in: {
    of: 'naira',
    side: 'debit',
    meaning: 'Naira in a vendor’s bank account; one account for each of them.',
  },
  bank_out: {
    of: 'naira',
    side: 'debit',
    meaning: 'Naira from which payouts and refunds are made; one account for each bank account of ours.',
  },
  bank_reserved: {
    of: 'naira',
    side: 'debit',
    meaning: 'Naira reserved for a payout or a refund in progress, in the same bank account.',
  },
  bank_transit: {
    of: 'naira',
    side: 'debit',
    meaning:
      'Naira between two bank accounts of ours; what leaves one reaches the other in the same commit, so it is zero.',
  },
  suspense: { of: 'both', side: 'credit', meaning: 'Received; purpose not yet known.' },
  owed: { of: 'naira', side: 'credit', meaning: 'Paid by a customer, tokens not yet sent.' },
  in_flight: { of: 'naira', side: 'credit', meaning: 'Paid by a customer, tokens sent and not yet final.' },
  delivered: { of: 'naira', side: 'credit', meaning: 'Paid by customers whose tokens arrived.' },
  redeemed: { of: 'naira', side: 'debit', meaning: 'Naira promised for tokens that came in.' },
  payouts_due: { of: 'naira', side: 'credit', meaning: 'Naira to be paid out for tokens that came in.' },
  refunds_due: { of: 'both', side: 'credit', meaning: 'Refunds owed and not yet paid.' },
  recoveries: {
    of: 'naira',
    side: 'credit',
    meaning: 'Payouts returned after they were paid; each has an open case.',
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
    meaning: 'Credits reversed after their value was delivered; each has an open case.',
  },
  overpaid: {
    of: 'naira',
    side: 'debit',
    meaning: 'Payouts that a bank paid after refusing them; each has an open case.',
  },
  losses_accepted: {
    of: 'naira',
    side: 'debit',
    meaning: 'Losses and overpaid naira that two people accepted.',
  },
  written_off: { of: 'both', side: 'credit', meaning: 'Kept, because its owner could not be found.' },
  capital: { of: 'both', side: 'credit', meaning: 'Funds contributed by the operator.' },
  treasury: { of: 'token', side: 'debit', meaning: 'Tokens free to be sent.' },
  reserved: {
    of: 'token',
    side: 'debit',
    meaning: 'Tokens reserved for a send not yet accepted by the network.',
  },
  sent: { of: 'token', side: 'debit', meaning: 'Tokens sent and not yet final.' },
  out: { of: 'token', side: 'debit', meaning: 'Tokens that arrived at customers.' },
  withdrawn: { of: 'both', side: 'debit', meaning: 'Funds withdrawn by the operator.' },
  lost: {
    of: 'token',
    side: 'debit',
    meaning: 'Tokens that left the treasury without an order, accepted as lost by two people.',
  },
  network_costs: {
    of: 'token',
    side: 'debit',
    meaning: 'Native coin spent on network fees and on opening token accounts.',
  },
  coin_in: {
    of: 'token',
    side: 'debit',
    meaning: 'Native coin that came into the treasury out of closed deposit accounts.',
  },
  received: { of: 'token', side: 'credit', meaning: 'Tokens received for sells.' },
  dust: { of: 'token', side: 'credit', meaning: 'Parts of a deposit smaller than a kobo.' },
  rent_gained: {
    of: 'token',
    side: 'credit',
    meaning: 'Native coin that depositors had locked in deposit accounts and the treasury now holds.',
  },
} as const satisfies Record<string, AccountRule>;

export type LedgerAccountName = keyof typeof CHART_OF_ACCOUNTS;

/** The key of an account: mode, asset, name, and for money at a bank the bank account. */
export function ledgerKey(
  mode: Mode,
  asset: string,
  name: LedgerAccountName,
  detail: string | null = null,
): string {
  return `${mode}/${asset}/${name}${detail === null ? '' : `/${detail}`}`;
}

/** A bank account as the ledger names it. */
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
