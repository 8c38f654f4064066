// The states of a buy and of a sell: one word each, the same in code, table, API and docs/states.md, and the
// moves between them. Nothing else may move a transaction.

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
export type State = BuyState | SellState;

export const STATES: readonly State[] = [...new Set<State>([...BUY_STATES, ...SELL_STATES])];

export const MOVES: {
  readonly buy: Readonly<Record<BuyState, readonly BuyState[]>>;
  readonly sell: Readonly<Record<SellState, readonly SellState[]>>;
} = {
  buy: {
    awaiting_wallet: ['awaiting_payment', 'paid', 'on_hold', 'expired', 'cancelled'],
    awaiting_payment: ['paid', 'on_hold', 'expired', 'cancelled'],
    paid: ['on_hold', 'awaiting_trustline', 'sending', 'refunded'],
    on_hold: ['paid', 'rejected', 'refunded'],
    awaiting_trustline: ['sending', 'on_hold', 'refunded'],
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
    confirming: ['awaiting_deposit', 'deposited', 'on_hold', 'expired'],
    deposited: ['on_hold', 'paying_out', 'refunded'],
    on_hold: ['deposited', 'payout_failed', 'refunded'],
    paying_out: ['completed', 'payout_failed', 'on_hold'],
    completed: [],
    expired: ['deposited', 'on_hold', 'refunded'],
    cancelled: ['refunded'],
    payout_failed: ['refunded'],
    refunded: [],
  },
};

export function canMove(type: TransactionType, from: State, to: State): boolean {
  const moves: Readonly<Record<string, readonly string[]>> = MOVES[type];
  return moves[from]?.includes(to) ?? false;
}

export interface Awaiting {
  readonly type: TransactionType;
  readonly state: State;
  readonly wallet: unknown;
  /** Whether money, or tokens, came in for it. */
  readonly receivedMinor: bigint;
  readonly exception: string | null;
}

const GOING_BACK = new Set(['paid_over', 'paid_late', 'paid_partial', 'unexpected_deposit']);

/** Tokens came for a sell that were not asked for. */
export function isGoingBack(exception: string | null): boolean {
  return exception !== null && GOING_BACK.has(exception);
}

/** What is awaited, in one sentence; null when nothing is. */
export function nextAction({ type, state, wallet, receivedMinor, exception }: Awaiting): string | null {
  switch (state) {
    case 'awaiting_wallet':
      return receivedMinor > 0n
        ? 'The payment was found. Give the wallet that receives the tokens: PUT /transactions/v1/{transaction_id}/wallet.'
        : 'Give the wallet that receives the tokens: PUT /transactions/v1/{transaction_id}/wallet.';
    case 'awaiting_payment':
      return 'Waiting for the bank to report the payment into the vendor account.';
    case 'awaiting_deposit':
      return receivedMinor > 0n
        ? 'A part of the tokens arrived; waiting for the rest at the deposit address.'
        : 'Waiting for the tokens to arrive at the deposit address.';
    case 'awaiting_trustline':
      return 'Waiting for the wallet to open a trustline for the token.';
    case 'paid':
      return 'The payment was found; the tokens are about to be sent.';
    case 'deposited':
      return 'The tokens arrived; the bank payout is about to be made.';
    case 'on_hold':
      return 'Waiting for an operator to review the transaction.';
    case 'sending':
      return 'The tokens are being sent.';
    case 'confirming':
      return type === 'buy'
        ? 'Waiting for the network to confirm the tokens sent.'
        : 'Waiting for the network to confirm the deposit.';
    case 'paying_out':
      return 'Waiting for the bank to confirm the payout.';
    case 'payout_failed':
      return wallet === null
        ? 'The bank refused the payout. Give the wallet that gets the tokens back: PUT /transactions/v1/{transaction_id}/wallet.'
        : 'The bank refused the payout; the tokens will be returned to the wallet.';
    case 'completed':
    case 'expired':
    case 'cancelled':
      return type === 'sell' && wallet === null && isGoingBack(exception)
        ? 'Tokens are to be returned. Give the wallet that gets them: PUT /transactions/v1/{transaction_id}/wallet.'
        : null;
    case 'rejected':
    case 'refunded':
      return null;
  }
}
