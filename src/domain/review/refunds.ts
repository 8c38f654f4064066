// What reviewers can do with unmatched tokens, and with refunds that were refused or have no destination. They name a
// destination, or keep money that cannot be refunded. A repeated refund pays the same debt, so the debt is posted once.
import { entryOf } from '../ledger/ledger.ts';
import { makeMove } from '../records/change.ts';
import type { Deposit } from '../records/deposit.ts';
import { REFUND_DECIDED } from '../records/exceptions.ts';
import { type Movement, newMovement, type WalletDestination } from '../records/movement.ts';
import { makeReplacedReason, wasReplaced } from '../settlement/refund.ts';
import { koboToToken, tokenToKobo } from '../values/money.ts';
import { ok, type Result } from '../values/result.ts';
import { type Decider, type Plan, type RefundTarget, type ReviewRefusal, refuse } from './proposal.ts';

export function refundDeposit(
  deposit: Deposit,
  decimals: number,
  target: WalletDestination,
  by: Decider & { readonly newRefundId: string },
): Result<Plan, ReviewRefusal> {
  const { id, mode, network, asset, state, exception, transactionId } = deposit;
  if (state !== 'suspense')
    return refuse('not_possible', `${id} is ${state}: there is nothing left to decide.`);
  if (exception === 'wrong_token') {
    return refuse(
      'not_possible',
      `${id} is not our token and is not in the books: return it by hand, then write it off.`,
    );
  }
  if (transactionId !== null)
    return refuse('not_possible', `${id} belongs to ${transactionId}: refund that transaction.`);
  const { kobo: nairaMinor } = tokenToKobo(deposit.amountMinor, decimals);
  if (nairaMinor === 0n) return refuse('not_possible', `${id} is less than a kobo: write it off.`);
  const tokens = koboToToken(nairaMinor, decimals)!;
  const { atMs } = by;
  const refund = newMovement({
    ...{ kind: 'refund', mode, network, asset, nairaMinor, atMs },
    id: by.newRefundId,
    amountMinor: tokens,
    depositId: id,
    destination: target,
    reason: REFUND_DECIDED,
  });
  const change = {
    atMs,
    deposits: [makeMove(deposit, { state: 'refunded' as const, dueAtMs: null })],
    newMovements: [refund],
    entries: [entryOf('deposit_refund_due', { mode, subjectId: id, asset, amounts: { tokens } })],
  };
  return ok({ mode, amountMinor: nairaMinor, change });
}

/**
 * Only the whole kobo of the deposit are in suspense. Its dust was posted when the deposit arrived, and a wrong token was never
 * posted.
 */
export function writeOffDeposit(
  deposit: Deposit,
  decimals: number,
  { atMs }: Decider,
): Result<Plan, ReviewRefusal> {
  const { id, mode, asset, state, exception, transactionId } = deposit;
  if (state !== 'suspense')
    return refuse('not_possible', `${id} is ${state}: there is nothing left to decide.`);
  const countsForNoSell = transactionId === null || exception === 'too_small' || exception === 'wrong_token';
  if (!countsForNoSell)
    return refuse('not_possible', `${id} belongs to ${transactionId}: refund that transaction.`);
  const { kobo } = tokenToKobo(deposit.amountMinor, decimals);
  const inBooks = exception !== 'wrong_token';
  const tokens = inBooks ? koboToToken(kobo, decimals)! : 0n;
  const change = {
    atMs,
    deposits: [makeMove(deposit, { state: 'written_off', dueAtMs: null })],
    entries: [entryOf('deposit_written_off', { mode, subjectId: id, asset, amounts: { tokens } })],
  };
  return ok({ mode, amountMinor: inBooks ? kobo : 0n, change });
}

/** The tokens are the operator's own. They arrived as an unmatched deposit, and become capital. */
export function takeAsOwnFunds(
  deposit: Deposit,
  decimals: number,
  { atMs }: Decider,
): Result<Plan, ReviewRefusal> {
  const { id, mode, asset, state, exception, transactionId } = deposit;
  if (state !== 'suspense')
    return refuse('not_possible', `${id} is ${state}: there is nothing left to decide.`);
  if (transactionId !== null)
    return refuse(
      'not_possible',
      `${id} came to the deposit target of ${transactionId}: refund that transaction.`,
    );
  if (exception === 'wrong_token') return refuse('not_possible', `${id} is not our token.`);
  const { kobo } = tokenToKobo(deposit.amountMinor, decimals);
  const tokens = koboToToken(kobo, decimals)!;
  const change = {
    atMs,
    deposits: [makeMove(deposit, { state: 'own_funds', dueAtMs: null })],
    entries: [entryOf('deposit_own_funds', { mode, subjectId: id, asset, amounts: { tokens } })],
  };
  return ok({ mode, amountMinor: kobo, change });
}

/**
 * Gives a waiting refund a new destination, if it has none or if the recipient cannot receive it. A failed refund is made
 * again.
 */
export function redirectRefund(
  refund: Movement,
  target: RefundTarget,
  by: Decider & { readonly newRefundId: string },
): Result<Plan, ReviewRefusal> {
  const { id, mode, kind, state, reason, nairaMinor } = refund;
  const { atMs } = by;
  if (kind !== 'refund') return refuse('not_possible', `${id} is a ${kind}, not a refund.`);
  // A pending refund of tokens may go to a wallet that cannot receive them. Such a refund has no live attempt.
  const waits = refund.destination === null || refund.network !== null;
  if (state === 'pending' && waits) {
    const move = makeMove(refund, { destination: target, dueAtMs: atMs, tries: 0, updatedAtMs: atMs });
    return ok({ mode, amountMinor: nairaMinor, change: { atMs, movements: [move] } });
  }
  if (state !== 'failed') return refuse('not_possible', `${id} is ${state}: it has a destination already.`);
  if (reason === 'credit_reversed') {
    return refuse('not_possible', `${id} was cancelled: the bank took the money back.`);
  }
  if (wasReplaced(refund)) return refuse('not_possible', `${id} was ${reason}.`);
  const { network, asset, amountMinor, transactionId, creditId, depositId } = refund;
  const again = newMovement({
    ...{ kind, mode, network, asset, amountMinor, nairaMinor, transactionId, creditId, depositId, atMs },
    id: by.newRefundId,
    destination: target,
    reason: REFUND_DECIDED,
  });
  const old = makeMove(refund, { reason: makeReplacedReason(again), updatedAtMs: atMs });
  return ok({ mode, amountMinor: nairaMinor, change: { atMs, movements: [old], newMovements: [again] } });
}
