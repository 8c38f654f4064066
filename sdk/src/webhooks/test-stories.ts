// The state change that each test event of a transaction reports.
import type { Transaction } from '../api-types.ts';
import type { TransactionState } from '../api-words.ts';

export interface Story {
  readonly kind: Transaction['type'];
  readonly from: TransactionState | null;
  readonly to: TransactionState;
  readonly reason: string;
  readonly message: string;
  readonly actor: string;
  readonly sequence: number;
}

type Line = readonly [
  Transaction['type'],
  TransactionState | null,
  TransactionState,
  string,
  string,
  string,
  number,
];

const KEY = 'key_01kfz3m2c7w4x9v6b1n8h5j0qd';

/** For each event of a transaction, the change that it reports: kind, from, to, reason, message, actor, sequence. */
const LINES: Readonly<Record<string, Line>> = {
  'transaction.accepted': [
    'Buy',
    null,
    'awaiting_payment',
    'accepted',
    'The transaction was accepted.',
    KEY,
    1,
  ],
  'transaction.awaiting_wallet': [
    'Buy',
    null,
    'awaiting_wallet',
    'accepted',
    'The transaction was accepted.',
    KEY,
    1,
  ],
  'transaction.awaiting_payment': [
    'Buy',
    'awaiting_wallet',
    'awaiting_payment',
    'wallet_given',
    'The wallet was set.',
    KEY,
    2,
  ],
  'transaction.paid': [
    'Buy',
    'awaiting_payment',
    'paid',
    'payment_found',
    'The bank reported the payment.',
    'matching',
    2,
  ],
  'transaction.on_hold': [
    'Buy',
    'awaiting_payment',
    'on_hold',
    'paid_partial',
    'Less arrived than requested.',
    'matching',
    2,
  ],
  'transaction.awaiting_trustline': [
    'Buy',
    'paid',
    'awaiting_trustline',
    'trustline_missing',
    'The wallet cannot receive the token yet.',
    'network',
    3,
  ],
  'transaction.sending': [
    'Buy',
    'paid',
    'sending',
    'tokens_reserved',
    'The tokens are reserved and are being sent.',
    'settlement',
    3,
  ],
  'transaction.confirming': [
    'Buy',
    'sending',
    'confirming',
    'tokens_sent',
    'The tokens were sent to the network.',
    'network',
    4,
  ],
  'transaction.completed': [
    'Buy',
    'confirming',
    'completed',
    'tokens_arrived',
    'The tokens arrived at the wallet.',
    'network',
    5,
  ],
  'transaction.expired': [
    'Buy',
    'awaiting_payment',
    'expired',
    'payment_not_found',
    'No payment was found in time.',
    'service',
    2,
  ],
  'transaction.cancelled': [
    'Buy',
    'awaiting_payment',
    'cancelled',
    'cancelled_by_business',
    'The business cancelled the transaction.',
    KEY,
    2,
  ],
  'transaction.rejected': [
    'Buy',
    'on_hold',
    'rejected',
    'declined',
    'The operator declined the transaction.',
    'operator',
    3,
  ],
  'transaction.refunded': ['Buy', 'on_hold', 'refunded', 'refund_made', 'A refund was made.', 'bank', 5],
  'transaction.awaiting_deposit': [
    'Sell',
    'confirming',
    'awaiting_deposit',
    'tokens_dropped',
    'The network dropped the transfer to the deposit address.',
    'network',
    3,
  ],
  'transaction.deposited': [
    'Sell',
    'confirming',
    'deposited',
    'deposit_final',
    'The network can no longer undo the deposit.',
    'network',
    3,
  ],
  'transaction.paying_out': [
    'Sell',
    'deposited',
    'paying_out',
    'payout_reserved',
    'The naira are reserved and are being paid out.',
    'settlement',
    4,
  ],
  'transaction.payout_failed': [
    'Sell',
    'paying_out',
    'payout_failed',
    'payout_failed',
    'The bank permanently refused the payout.',
    'bank',
    5,
  ],
  'transaction.updated': [
    'Buy',
    'on_hold',
    'on_hold',
    'paid_in_part',
    'Part of the payment arrived.',
    'matching',
    3,
  ],
  'transaction.payment_reversed': [
    'Buy',
    'completed',
    'completed',
    'payment_reversed_after_use',
    'The bank reversed the payment after tokens or a refund were sent for it.',
    'bank',
    6,
  ],
  'transaction.payout_returned': [
    'Buy',
    'refunded',
    'refunded',
    'payout_returned',
    'The bank returned the payout.',
    'bank',
    6,
  ],
  'refund.completed': ['Buy', 'on_hold', 'on_hold', 'refund_made', 'A refund was made.', 'bank', 4],
};

/** Undefined means that the event is not about a transaction. */
export function storyOf(type: string): Story | undefined {
  const line = Object.hasOwn(LINES, type) ? LINES[type] : undefined;
  if (line === undefined) return undefined;
  const [kind, from, to, reason, message, actor, sequence] = line;
  return { kind, from, to, reason, message, actor, sequence };
}
