// The exceptions of a transaction. Each exception has one code, which is the same in the code, the tables, the API and
// docs/concepts/states.md.
import type { TransactionState } from './states.ts';

export const EXCEPTIONS = [
  'paid_partial',
  'paid_over',
  'paid_late',
  'paid_after_cancel',
  'unexpected_deposit',
  'name_mismatch',
  'suspicious_name',
  'payer_unclear',
  'duplicate_claim',
  'wallet_missing',
  'account_unknown',
  'business_frozen',
  'screening_hit',
  'limit_transaction',
  'limit_day',
  'limit_month',
  'limit_reached',
  'wallet_forbidden',
  'amount_not_representable',
  'send_failed',
  'payout_failed',
  'payout_returned',
  'credit_reversed',
  'refund_decided',
] as const;

export type TransactionException = (typeof EXCEPTIONS)[number];

/** The exceptions of a bank credit. Some of them are only for a credit that pays no transaction yet. */
export type CreditException = TransactionException | 'no_claim' | 'ambiguous' | 'other_account';

/**
 * The exceptions of a deposit. Some of them are only for a deposit without a transaction, or for an address that holds less
 * than the deposits that arrived there.
 */
export type DepositException =
  | TransactionException
  | 'wrong_token'
  | 'unattributed'
  | 'too_small'
  | 'reorganised'
  | 'arrived_short';

/**
 * The exception of a transaction whose money is returned because reviewers decided so. Settlement accepts no more money for
 * such a transaction.
 */
export const REFUND_DECIDED: TransactionException = 'refund_decided';

export function isRefundDecided({ exception }: { readonly exception: string | null }): boolean {
  return exception === REFUND_DECIDED;
}

/** These exceptions only stop a transaction and say nothing about its money. They end when people release the transaction. */
const STOPPING_EXCEPTIONS = [
  'account_unknown',
  'business_frozen',
  'screening_hit',
  'limit_transaction',
  'limit_day',
  'limit_month',
  'limit_reached',
  'wallet_forbidden',
  'amount_not_representable',
  'send_failed',
] as const satisfies readonly TransactionException[];

const OVER_WHEN_RELEASED: ReadonlySet<TransactionException | null> = new Set<TransactionException>(
  STOPPING_EXCEPTIONS,
);

export function clearStoppingException(exception: TransactionException | null): TransactionException | null {
  return OVER_WHEN_RELEASED.has(exception) ? null : exception;
}

const EXCEPTIONS_WITH_REFUND: ReadonlySet<string | null> = new Set<TransactionException>([
  'paid_over',
  'paid_late',
  'paid_partial',
  'unexpected_deposit',
]);

export function leadsToRefund(exception: string | null): boolean {
  return EXCEPTIONS_WITH_REFUND.has(exception);
}

/** These exceptions explain why people must review a transaction. They end when the transaction is no longer on hold. */
const HOLD_EXCEPTIONS: ReadonlySet<TransactionException> = new Set<TransactionException>([
  ...STOPPING_EXCEPTIONS,
  'name_mismatch',
  'suspicious_name',
  'payer_unclear',
  'duplicate_claim',
  'wallet_missing',
]);

const PAID_IN_FULL: ReadonlySet<TransactionState> = new Set<TransactionState>([
  'paid',
  'awaiting_trustline',
  'sending',
  'deposited',
  'paying_out',
  'completed',
]);

/**
 * Whether the exception is over in this state. An exception about what the bank or the customer did with the money (too much,
 * too late, refused, reversed, returned) is never over. It explains refunds, and possibly an open case.
 */
export function isExceptionOver(exception: TransactionException, state: TransactionState): boolean {
  if (HOLD_EXCEPTIONS.has(exception)) return state !== 'on_hold';
  if (exception === 'paid_partial') return PAID_IN_FULL.has(state);
  return exception === REFUND_DECIDED && state === 'refunded';
}
