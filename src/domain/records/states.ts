// The states of a buy and of a sell: one word each, the same in code, table, API and docs/states.md, and the
// moves between them. Nothing else may move a transaction.
import { isGoingBack, REFUND_DECIDED } from './exceptions.ts';

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
    on_hold: ['deposited', 'refunded'],
    paying_out: ['completed', 'payout_failed'],
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

const PUT_WALLET = 'PUT /transactions/v1/{transaction_id}/wallet.';
const GIVE_WALLET = `Give the wallet that receives the tokens: ${PUT_WALLET}`;
const GIVE_REFUND_WALLET = `Give the wallet that gets the tokens back: ${PUT_WALLET}`;

/** What is awaited, in one sentence; null when nothing is. */
export function nextAction(awaiting: Awaiting): string | null {
  const { type, state, wallet, receivedMinor, exception } = awaiting;
  switch (state) {
    case 'awaiting_wallet':
      return receivedMinor > 0n ? `The payment was found. ${GIVE_WALLET}` : GIVE_WALLET;
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
      return nextOfHeld(awaiting);
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
        ? `The bank refused the payout. ${GIVE_REFUND_WALLET}`
        : 'The bank refused the payout; the tokens will be returned to the wallet.';
    case 'completed':
    case 'expired':
    case 'cancelled':
      return type === 'sell' && wallet === null && isGoingBack(exception)
        ? `Tokens are to be returned. Give the wallet that gets them: ${PUT_WALLET}`
        : null;
    case 'rejected':
    case 'refunded':
      return null;
  }
}

/** Not everything on hold waits for people. */
function nextOfHeld({ type, wallet, exception }: Awaiting): string {
  if (exception === 'wallet_missing') return `The payment was found. ${GIVE_WALLET}`;
  if (exception !== REFUND_DECIDED) return 'Waiting for an operator to review the transaction.';
  if (type === 'buy') return 'The payment is being returned.';
  return wallet === null ? GIVE_REFUND_WALLET : 'The tokens are being returned to the wallet.';
}
