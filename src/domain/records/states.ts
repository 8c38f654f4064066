// The states of a buy and of a sell, and the only possible moves between them. Each state has one code, which is the same in
// the code, the tables, the API and docs/concepts/states.md.

export const TRANSACTION_TYPES = ['buy', 'sell'] as const;
export type TransactionType = (typeof TRANSACTION_TYPES)[number];

export const BUY_STATES = [
  'awaiting_wallet',
  'awaiting_payment',
  'paid',
  'on_hold',
  'awaiting_trustline',
  'sending',
  'confirming',
  'completed',
  'expired',
  'cancelled',
  'rejected',
  'refunded',
] as const;

export const SELL_STATES = [
  'awaiting_deposit',
  'confirming',
  'deposited',
  'on_hold',
  'paying_out',
  'completed',
  'expired',
  'cancelled',
  'payout_failed',
  'refunded',
] as const;

type BuyState = (typeof BUY_STATES)[number];
type SellState = (typeof SELL_STATES)[number];
export type TransactionState = BuyState | SellState;

export const STATES: readonly TransactionState[] = [
  ...new Set<TransactionState>([...BUY_STATES, ...SELL_STATES]),
];

export const ALLOWED_MOVES: {
  readonly buy: Readonly<Record<BuyState, readonly BuyState[]>>;
  readonly sell: Readonly<Record<SellState, readonly SellState[]>>;
} = {
  buy: {
    awaiting_wallet: ['awaiting_payment', 'paid', 'on_hold', 'expired', 'cancelled'],
    awaiting_payment: ['paid', 'on_hold', 'expired', 'cancelled'],
    paid: ['on_hold', 'awaiting_trustline', 'sending'],
    on_hold: ['paid', 'rejected', 'refunded'],
    awaiting_trustline: ['sending', 'on_hold'],
    sending: ['confirming', 'completed', 'on_hold'],
    confirming: ['sending', 'completed', 'on_hold'],
    completed: [],
    expired: ['paid', 'on_hold', 'refunded'],
    cancelled: ['refunded'],
    rejected: ['refunded'],
    refunded: [],
  },
  sell: {
    awaiting_deposit: ['confirming', 'deposited', 'on_hold', 'expired', 'cancelled'],
    confirming: ['awaiting_deposit', 'deposited'],
    deposited: ['on_hold', 'paying_out'],
    // A sell on hold moves to `paying_out` and `completed` only after the bank returned a payout.
    on_hold: ['deposited', 'paying_out', 'completed', 'refunded'],
    // A sell moves from `paying_out` to `on_hold` in two cases. Either the account for a returned payout cannot be paid, or
    // every rail refused the payout and people return the tokens.
    paying_out: ['completed', 'on_hold', 'payout_failed'],
    // A completed sell moves to `on_hold` if the bank returns its payout.
    completed: ['on_hold'],
    expired: ['deposited', 'on_hold', 'refunded'],
    cancelled: ['refunded'],
    payout_failed: ['refunded'],
    refunded: [],
  },
};

export function canMove(type: TransactionType, from: TransactionState, to: TransactionState): boolean {
  const moves: Readonly<Record<string, readonly string[]>> = ALLOWED_MOVES[type];
  return moves[from]?.includes(to) ?? false;
}
