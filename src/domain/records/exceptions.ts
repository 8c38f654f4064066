// What may be out of the ordinary about a transaction: one word each, the same in code, table, API and docs/concepts/states.md.
import type { State } from './states.ts';

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

export type Exception = (typeof EXCEPTIONS)[number];

/** The exceptions of a bank credit. A credit may pay for nothing yet, which is no exception of a transaction. */
export type CreditException = Exception | 'no_claim' | 'ambiguous' | 'other_account';

/** The exceptions of a deposit. A deposit may belong to no transaction, or its address may hold less than arrived there. */
export type DepositException =
  | Exception
  | 'wrong_token'
  | 'unattributed'
  | 'too_small'
  | 'reorganised'
  | 'arrived_short';

/** The exception of what goes back because reviewers said so. Settlement takes no more money for such a transaction. */
export const REFUND_DECIDED: Exception = 'refund_decided';

export function isReturning({ exception }: { readonly exception: string | null }): boolean {
  return exception === REFUND_DECIDED;
}

/** Each says what stops a transaction, and nothing about the money: once people let it go on, it is over. */
const STOPPING = [
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
] as const satisfies readonly Exception[];

const OVER_WHEN_RELEASED: ReadonlySet<Exception | null> = new Set<Exception>(STOPPING);

export function afterRelease(exception: Exception | null): Exception | null {
  return OVER_WHEN_RELEASED.has(exception) ? null : exception;
}

const GOING_BACK: ReadonlySet<string | null> = new Set<Exception>([
  'paid_over',
  'paid_late',
  'paid_partial',
  'unexpected_deposit',
]);

/** Tokens came for a sell that were not asked for. */
export function isGoingBack(exception: string | null): boolean {
  return GOING_BACK.has(exception);
}

/** Says why people look at a transaction: once it is not on hold any more, they have looked. */
const OF_A_HOLD: ReadonlySet<Exception> = new Set<Exception>([
  ...STOPPING,
  'name_mismatch',
  'suspicious_name',
  'payer_unclear',
  'duplicate_claim',
  'wallet_missing',
]);

/** The missing part came after all. */
const PAID_IN_FULL: ReadonlySet<State> = new Set<State>([
  'paid',
  'awaiting_trustline',
  'sending',
  'deposited',
  'paying_out',
  'completed',
]);

/**
 * Whether the trouble is over in this state. What the bank or the customer did with the money (too much, too late, refused,
 * taken back, returned) is a fact that stays: it explains refunds, and a case that may be open.
 */
export function isOver(exception: Exception, state: State): boolean {
  if (OF_A_HOLD.has(exception)) return state !== 'on_hold';
  if (exception === 'paid_partial') return PAID_IN_FULL.has(state);
  return exception === REFUND_DECIDED && state === 'refunded';
}
