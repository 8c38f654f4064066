// How a transaction on hold is released or refunded. The steps are the same for buys and sells.
import type { Change, TransactionMove } from '../records/change.ts';
import { clearStoppingException, REFUND_DECIDED } from '../records/exceptions.ts';
import type { PublicReason } from '../records/move-reasons.ts';
import type { Movement } from '../records/movement.ts';
import type { TransactionState } from '../records/states.ts';
import type { Transaction } from '../records/transaction.ts';
import { moveTransaction } from '../records/transaction-moves.ts';
import { ok, type Result } from '../values/result.ts';
import type { Decider, Plan } from './proposal.ts';

/** The public reason of a refund. It is the reason that the reviewers chose, or only the fact that they decided on a refund. */
export type RefundReason = PublicReason | 'being_refunded';

/** The transaction continues at once, and the same exception does not stop it again. */
export function releaseTransaction(
  transaction: Transaction,
  to: TransactionState,
  { actor, atMs }: Decider,
): Result<Plan, never> {
  const updates = { released: true, exception: clearStoppingException(transaction.exception) };
  const facts = { actor, atMs, reason: 'released' as const, dueAtMs: atMs, updates };
  const change: Change = { atMs, transactions: [moveTransaction(transaction, to, facts)] };
  return ok({ mode: transaction.mode, amountMinor: transaction.amountMinor, change });
}

/**
 * The transaction is on hold until all its money was returned. Because of its exception, no further money counts for it. The
 * business reads the public reason, even if the transaction was already on hold.
 */
export function holdForRefund(
  transaction: Transaction,
  { actor, atMs, publicReason: reason }: Decider & { readonly publicReason: RefundReason },
): TransactionMove {
  const updates = { exception: REFUND_DECIDED };
  const move = moveTransaction(transaction, 'on_hold', { actor, atMs, reason, dueAtMs: null, updates });
  return { ...move, after: { ...move.after, stateReason: reason } };
}

export function isMoneyOnItsWay(movements: readonly Movement[]): boolean {
  return movements.some(
    ({ kind, state }) => (kind === 'send' || kind === 'payout') && state !== 'failed' && state !== 'returned',
  );
}

/**
 * Payouts that rails refused and that wait for another rail. A payout that two people ordered is not included while no rail has
 * received it.
 */
export function listPayoutsRefusedByRails(movements: readonly Movement[]): readonly Movement[] {
  return movements.filter(
    ({ kind, state, attempts }) => kind === 'payout' && state === 'pending' && attempts > 0,
  );
}

export function returnedPayouts(movements: readonly Movement[]): readonly Movement[] {
  return movements.filter(({ kind, state }) => kind === 'payout' && state === 'returned');
}
