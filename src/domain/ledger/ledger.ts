// The chart of accounts and the postings of every event, as data: docs/concepts/ledger.md shows the same tables and a test
// compares them. An entry made here balances asset by asset; the database refuses any other.
import type { Mode } from '../values/mode.ts';
import { NAIRA } from '../values/money.ts';

export interface AccountRule {
  readonly of: 'naira' | 'token' | 'both';
  /** The side its balance stands on; never on the other. */
  readonly side: 'debit' | 'credit';
  readonly meaning: string;
}

export const CHART = {
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

export type AccountName = keyof typeof CHART;

export interface Leg {
  readonly in: 'naira' | 'token';
  readonly debit: AccountName;
  readonly credit: AccountName;
  /** The name of one of the event's amounts. */
  readonly amount: string;
}

const naira = (debit: AccountName, credit: AccountName, amount = 'amount'): Leg => ({
  in: 'naira',
  debit,
  credit,
  amount,
});
const token = (debit: AccountName, credit: AccountName, amount = 'tokens'): Leg => ({
  in: 'token',
  debit,
  credit,
  amount,
});

export const EVENTS = {
  float_funded: [naira('bank_out', 'capital')],
  treasury_funded: [token('treasury', 'capital')],
  treasury_funding_undone: [token('capital', 'treasury')],
  deposit_own_funds: [token('suspense', 'capital')],
  // naira between our own accounts, and out
  vendor_account_left: [naira('bank_transit', 'bank_in')],
  payout_account_left: [naira('bank_transit', 'bank_out')],
  payout_account_reached: [naira('bank_out', 'bank_transit')],
  vendor_account_reached: [naira('bank_in', 'bank_transit')],
  naira_withdrawn: [naira('withdrawn', 'bank_out')],
  vendor_account_withdrawn: [naira('withdrawn', 'bank_in')],
  vendor_account_charged: [naira('charges', 'bank_in')],
  charge_returned: [naira('bank_out', 'charges')],
  // a buy
  credit_received: [naira('bank_in', 'suspense')],
  credit_matched: [naira('suspense', 'owed')],
  excess_set_aside: [naira('suspense', 'refunds_due')],
  fee_taken: [naira('owed', 'fees')],
  tokens_reserved: [token('reserved', 'treasury')],
  tokens_sent: [token('sent', 'reserved'), naira('owed', 'in_flight')],
  tokens_confirmed: [token('out', 'sent'), naira('in_flight', 'delivered')],
  tokens_unsent: [token('reserved', 'sent'), naira('in_flight', 'owed')],
  reservation_released: [token('treasury', 'reserved')],
  fee_returned: [naira('fees', 'owed')],
  // a sell
  deposit_received: [token('treasury', 'suspense'), token('treasury', 'dust', 'dust')],
  dust_gathered: [token('dust', 'suspense')],
  deposit_applied: [token('suspense', 'received'), naira('redeemed', 'payouts_due')],
  payout_reserved: [naira('bank_reserved', 'bank_out')],
  payout_paid: [naira('payouts_due', 'bank_reserved'), naira('payouts_due', 'fees', 'fee')],
  payout_released: [naira('bank_out', 'bank_reserved')],
  payout_undone: [naira('payouts_due', 'redeemed'), token('received', 'refunds_due')],
  payout_returned: [naira('bank_out', 'recoveries')],
  returned_payout_due: [naira('recoveries', 'payouts_due'), naira('fees', 'payouts_due', 'fee')],
  bank_charged: [naira('charges', 'bank_out')],
  vat_charged: [naira('charges', 'bank_out')],
  stamp_duty_charged: [naira('charges', 'bank_out')],
  // what networks take
  network_fee_paid: [token('network_costs', 'capital')],
  recipient_account_opened: [token('network_costs', 'capital')],
  treasury_account_opened: [token('network_costs', 'capital')],
  deposit_account_closed: [token('coin_in', 'rent_gained')],
  // refunds
  credit_refund_due: [naira('suspense', 'refunds_due')],
  payment_refund_due: [naira('owed', 'refunds_due')],
  deposit_refund_due: [token('suspense', 'refunds_due')],
  refund_reserved: [naira('bank_reserved', 'bank_out')],
  refund_paid: [naira('refunds_due', 'bank_reserved')],
  refund_released: [naira('bank_out', 'bank_reserved')],
  token_refund_reserved: [token('reserved', 'treasury')],
  token_refund_sent: [token('sent', 'reserved')],
  token_refund_paid: [token('refunds_due', 'sent')],
  token_refund_unsent: [token('reserved', 'sent')],
  token_refund_released: [token('treasury', 'reserved')],
  // the operator takes tokens out
  withdrawal_reserved: [token('reserved', 'treasury')],
  withdrawal_sent: [token('sent', 'reserved')],
  withdrawal_made: [token('withdrawn', 'sent')],
  withdrawal_unsent: [token('reserved', 'sent')],
  withdrawal_released: [token('treasury', 'reserved')],
  // what went wrong
  credit_reversed: [naira('suspense', 'bank_in')],
  payment_reversed: [naira('owed', 'bank_in')],
  refund_reversed: [naira('refunds_due', 'bank_in')],
  loss: [naira('losses', 'bank_in')],
  loss_recovered: [naira('bank_out', 'losses')],
  loss_accepted: [naira('losses_accepted', 'losses')],
  return_shortfall: [naira('charges', 'recoveries')],
  returned_refund_due: [naira('recoveries', 'refunds_due')],
  recovery_written_off: [naira('recoveries', 'written_off')],
  payout_paid_late: [naira('overpaid', 'bank_out')],
  late_payout_counted: [naira('recoveries', 'overpaid')],
  overpayment_recovered: [naira('bank_out', 'overpaid')],
  overpayment_accepted: [naira('losses_accepted', 'overpaid')],
  credit_written_off: [naira('suspense', 'written_off')],
  deposit_written_off: [token('suspense', 'written_off')],
  outflow_lost: [token('lost', 'treasury')],
} as const satisfies Record<string, readonly Leg[]>;

export type LedgerEvent = keyof typeof EVENTS;

/** Debits positive. */
export interface Posting {
  readonly account: string;
  readonly amountMinor: bigint;
}

export interface Entry {
  readonly event: LedgerEvent;
  readonly mode: Mode;
  /** The transaction, credit, deposit or movement it explains. */
  readonly subjectId: string;
  readonly postings: readonly Posting[];
}

export interface EntryFacts {
  readonly mode: Mode;
  readonly subjectId: string;
  /** The token's asset; needed by events with token legs. */
  readonly asset?: string;
  /** The bank account of a vendor, which events on bank_in need. */
  readonly bankAccount?: string;
  /** Our bank account, for bank_out and bank_reserved; null: the account of the simulated bank, which has no name. */
  readonly payoutAccount?: string | null;
  readonly amounts: Readonly<Record<string, bigint>>;
}

/** The entry of an event. Amounts of zero post nothing; an amount that is missing or negative is a mistake of ours. */
export function entryOf(event: LedgerEvent, facts: EntryFacts): Entry {
  const sums = new Map<string, bigint>();
  for (const leg of EVENTS[event] as readonly Leg[]) {
    const amountMinor = facts.amounts[leg.amount];
    if (amountMinor === undefined || amountMinor < 0n)
      throw new Error(`${event}: ${leg.amount} is ${amountMinor}`);
    for (const [name, signed] of [
      [leg.debit, amountMinor],
      [leg.credit, -amountMinor],
    ] as const) {
      const key = accountKey(name, leg, facts);
      sums.set(key, (sums.get(key) ?? 0n) + signed);
    }
  }
  const postings = [...sums].filter(([, amountMinor]) => amountMinor !== 0n);
  return {
    event,
    mode: facts.mode,
    subjectId: facts.subjectId,
    postings: postings.map(([account, amountMinor]) => ({ account, amountMinor })),
  };
}

function accountKey(name: AccountName, leg: Leg, { mode, asset, ...facts }: EntryFacts): string {
  if (leg.in === 'token' && asset === undefined) throw new Error(`${name} needs the asset`);
  return keyOf(mode, leg.in === 'token' ? asset! : NAIRA, name, detailOf(name, facts));
}

/** One bank account is one account of the ledger, so these names are followed by the bank account. */
function detailOf(
  name: AccountName,
  { bankAccount, payoutAccount }: Pick<EntryFacts, 'bankAccount' | 'payoutAccount'>,
): string | null {
  if (name === 'bank_in') {
    if (bankAccount === undefined) throw new Error('bank_in needs the bank account');
    return bankAccount;
  }
  if (name !== 'bank_out' && name !== 'bank_reserved') return null;
  if (payoutAccount === undefined) throw new Error(`${name} needs the account that is paid from`);
  return payoutAccount;
}

/** The key of an account: mode, asset, name, and for money at a bank the bank account. */
export function keyOf(mode: Mode, asset: string, name: AccountName, detail: string | null = null): string {
  return `${mode}/${asset}/${name}${detail === null ? '' : `/${detail}`}`;
}

/** A bank account as the ledger names it. */
export function accountDetail(bankCode: string | null, number: string): string {
  return `${bankCode ?? 'unknown'}:${number}`;
}

export interface AccountParts {
  readonly mode: Mode;
  readonly asset: string;
  readonly name: AccountName;
  readonly side: 'debit' | 'credit';
}

export function partsOf(key: string): AccountParts {
  const [mode, asset, name] = key.split('/') as [Mode, string, AccountName];
  return { mode, asset, name, side: CHART[name].side };
}
