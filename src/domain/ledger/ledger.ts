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

export interface Leg {
  readonly in: 'naira' | 'token';
  readonly debit: LedgerAccountName;
  readonly credit: LedgerAccountName;
  /** The name of one of the event's amounts. */
  readonly amount: string;
}

const nairaLeg = (debit: LedgerAccountName, credit: LedgerAccountName, amount = 'amount'): Leg => ({
  in: 'naira',
  debit,
  credit,
  amount,
});
const tokenLeg = (debit: LedgerAccountName, credit: LedgerAccountName, amount = 'tokens'): Leg => ({
  in: 'token',
  debit,
  credit,
  amount,
});

export const LEDGER_EVENTS = {
  float_funded: [nairaLeg('bank_out', 'capital')],
  treasury_funded: [tokenLeg('treasury', 'capital')],
  treasury_funding_undone: [tokenLeg('capital', 'treasury')],
  deposit_own_funds: [tokenLeg('suspense', 'capital')],
  // naira between our own accounts, and out
  vendor_account_left: [nairaLeg('bank_transit', 'bank_in')],
  payout_account_left: [nairaLeg('bank_transit', 'bank_out')],
  payout_account_reached: [nairaLeg('bank_out', 'bank_transit')],
  vendor_account_reached: [nairaLeg('bank_in', 'bank_transit')],
  naira_withdrawn: [nairaLeg('withdrawn', 'bank_out')],
  vendor_account_withdrawn: [nairaLeg('withdrawn', 'bank_in')],
  vendor_account_charged: [nairaLeg('charges', 'bank_in')],
  charge_returned: [nairaLeg('bank_out', 'charges')],
  // a buy
  credit_received: [nairaLeg('bank_in', 'suspense')],
  credit_matched: [nairaLeg('suspense', 'owed')],
  excess_set_aside: [nairaLeg('suspense', 'refunds_due')],
  fee_taken: [nairaLeg('owed', 'fees')],
  tokens_reserved: [tokenLeg('reserved', 'treasury')],
  tokens_sent: [tokenLeg('sent', 'reserved'), nairaLeg('owed', 'in_flight')],
  tokens_confirmed: [tokenLeg('out', 'sent'), nairaLeg('in_flight', 'delivered')],
  tokens_unsent: [tokenLeg('reserved', 'sent'), nairaLeg('in_flight', 'owed')],
  reservation_released: [tokenLeg('treasury', 'reserved')],
  fee_returned: [nairaLeg('fees', 'owed')],
  // a sell
  deposit_received: [tokenLeg('treasury', 'suspense'), tokenLeg('treasury', 'dust', 'dust')],
  dust_gathered: [tokenLeg('dust', 'suspense')],
  deposit_applied: [tokenLeg('suspense', 'received'), nairaLeg('redeemed', 'payouts_due')],
  payout_reserved: [nairaLeg('bank_reserved', 'bank_out')],
  payout_paid: [nairaLeg('payouts_due', 'bank_reserved'), nairaLeg('payouts_due', 'fees', 'fee')],
  payout_released: [nairaLeg('bank_out', 'bank_reserved')],
  payout_undone: [nairaLeg('payouts_due', 'redeemed'), tokenLeg('received', 'refunds_due')],
  payout_returned: [nairaLeg('bank_out', 'recoveries')],
  returned_payout_due: [nairaLeg('recoveries', 'payouts_due'), nairaLeg('fees', 'payouts_due', 'fee')],
  bank_charged: [nairaLeg('charges', 'bank_out')],
  vat_charged: [nairaLeg('charges', 'bank_out')],
  stamp_duty_charged: [nairaLeg('charges', 'bank_out')],
  // what networks take
  network_fee_paid: [tokenLeg('network_costs', 'capital')],
  recipient_account_opened: [tokenLeg('network_costs', 'capital')],
  treasury_account_opened: [tokenLeg('network_costs', 'capital')],
  deposit_account_closed: [tokenLeg('coin_in', 'rent_gained')],
  // refunds
  credit_refund_due: [nairaLeg('suspense', 'refunds_due')],
  payment_refund_due: [nairaLeg('owed', 'refunds_due')],
  deposit_refund_due: [tokenLeg('suspense', 'refunds_due')],
  refund_reserved: [nairaLeg('bank_reserved', 'bank_out')],
  refund_paid: [nairaLeg('refunds_due', 'bank_reserved')],
  refund_released: [nairaLeg('bank_out', 'bank_reserved')],
  token_refund_reserved: [tokenLeg('reserved', 'treasury')],
  token_refund_sent: [tokenLeg('sent', 'reserved')],
  token_refund_paid: [tokenLeg('refunds_due', 'sent')],
  token_refund_unsent: [tokenLeg('reserved', 'sent')],
  token_refund_released: [tokenLeg('treasury', 'reserved')],
  // the operator takes tokens out
  withdrawal_reserved: [tokenLeg('reserved', 'treasury')],
  withdrawal_sent: [tokenLeg('sent', 'reserved')],
  withdrawal_made: [tokenLeg('withdrawn', 'sent')],
  withdrawal_unsent: [tokenLeg('reserved', 'sent')],
  withdrawal_released: [tokenLeg('treasury', 'reserved')],
  // what went wrong
  credit_reversed: [nairaLeg('suspense', 'bank_in')],
  payment_reversed: [nairaLeg('owed', 'bank_in')],
  refund_reversed: [nairaLeg('refunds_due', 'bank_in')],
  loss: [nairaLeg('losses', 'bank_in')],
  loss_recovered: [nairaLeg('bank_out', 'losses')],
  loss_accepted: [nairaLeg('losses_accepted', 'losses')],
  return_shortfall: [nairaLeg('charges', 'recoveries')],
  returned_refund_due: [nairaLeg('recoveries', 'refunds_due')],
  recovery_written_off: [nairaLeg('recoveries', 'written_off')],
  payout_paid_late: [nairaLeg('overpaid', 'bank_out')],
  late_payout_counted: [nairaLeg('recoveries', 'overpaid')],
  overpayment_recovered: [nairaLeg('bank_out', 'overpaid')],
  overpayment_accepted: [nairaLeg('losses_accepted', 'overpaid')],
  credit_written_off: [nairaLeg('suspense', 'written_off')],
  deposit_written_off: [tokenLeg('suspense', 'written_off')],
  outflow_lost: [tokenLeg('lost', 'treasury')],
} as const satisfies Record<string, readonly Leg[]>;

export type LedgerEvent = keyof typeof LEDGER_EVENTS;

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
  for (const leg of LEDGER_EVENTS[event] as readonly Leg[]) {
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

function accountKey(name: LedgerAccountName, leg: Leg, { mode, asset, ...facts }: EntryFacts): string {
  if (leg.in === 'token' && asset === undefined) throw new Error(`${name} needs the asset`);
  return ledgerKey(mode, leg.in === 'token' ? asset! : NAIRA, name, detailOf(name, facts));
}

/** One bank account is one account of the ledger, so these names are followed by the bank account. */
function detailOf(
  name: LedgerAccountName,
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
