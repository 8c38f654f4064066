// The postings of every ledger event, as data. docs/concepts/ledger.md shows the same table, and a test compares the two. An
// entry made here balances for each asset, and the database refuses an unbalanced entry.
import type { Mode } from '../values/mode.ts';
import { NAIRA } from '../values/money.ts';
import { type LedgerAccountName, ledgerKey } from './chart-of-accounts.ts';

export interface Leg {
  readonly in: 'naira' | 'token';
  readonly debit: LedgerAccountName;
  readonly credit: LedgerAccountName;
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
  withdrawal_reserved: [tokenLeg('reserved', 'treasury')],
  withdrawal_sent: [tokenLeg('sent', 'reserved')],
  withdrawal_made: [tokenLeg('withdrawn', 'sent')],
  withdrawal_unsent: [tokenLeg('reserved', 'sent')],
  withdrawal_released: [tokenLeg('treasury', 'reserved')],
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

/** The amount of the posting is positive for a debit and negative for a credit. */
export interface Posting {
  readonly account: string;
  readonly amountMinor: bigint;
}

export interface Entry {
  readonly event: LedgerEvent;
  readonly mode: Mode;
  /** The id of the transaction, credit, deposit or movement that the entry explains. */
  readonly subjectId: string;
  readonly postings: readonly Posting[];
}

export interface EntryFacts {
  readonly mode: Mode;
  readonly subjectId: string;
  /** The asset of the token. Events with token legs need it. */
  readonly asset?: string;
  /** The bank account of a vendor. Events on the ledger account `bank_in` need it. */
  readonly bankAccount?: string;
  /**
   * Our bank account, for the ledger accounts `bank_out` and `bank_reserved`. Null: the account of the simulated bank, which
   * has no name.
   */
  readonly payoutAccount?: string | null;
  readonly amounts: Readonly<Record<string, bigint>>;
}

/** Makes the ledger entry of an event. An amount of zero posts nothing. A missing or negative amount is a bug. */
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

/** Each bank account has its own ledger account, so the bank account is part of these account names. */
function detailOf(
  name: LedgerAccountName,
  { bankAccount, payoutAccount }: Pick<EntryFacts, 'bankAccount' | 'payoutAccount'>,
): string | null {
  if (name === 'bank_in') {
    if (bankAccount === undefined) throw new Error('bank_in needs the bank account');
    return bankAccount;
  }
  if (name !== 'bank_out' && name !== 'bank_reserved') return null;
  if (payoutAccount === undefined) throw new Error(`${name} needs the account that the money is paid from`);
  return payoutAccount;
}
