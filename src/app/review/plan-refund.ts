// Plans a refund that has no destination or that a rail refused. It gets the destination that two people give.
import { readMemory } from '../../domain/movements/outcome-memory.ts';
import type { LiveAttempt } from '../../domain/movements/steps.ts';
import type { Movement } from '../../domain/records/movement.ts';
import { findRecordingObstacle, recordPaid, recordUnpaid } from '../../domain/review/outcomes.ts';
import {
  type Decider,
  type Plan,
  type ReviewRefusal,
  type ReviewRequest,
  refuse,
} from '../../domain/review/proposal.ts';
import { redirectRefund } from '../../domain/review/refunds.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import { newId } from '../engine/deps.ts';
import { undoPayout } from '../settlement/undo-payout.ts';
import { checkTargetAccount, checkTargetWallet } from './check-target.ts';
import type { ReviewDeps } from './review-deps.ts';

/** The rail does not report the outcome of this payout or bank refund. Two people learned the outcome from the bank itself. */
async function planPayoutOutcome(
  deps: ReviewDeps,
  movement: Movement,
  outcome: 'paid' | 'unpaid',
  by: Decider,
): Promise<Result<Plan, ReviewRefusal>> {
  const { store } = deps;
  const { id, mode, nairaMinor: amountMinor, transactionId } = movement;
  const attempt = (await store.lastAttempts([id])).get(id);
  const obstacle = findRecordingObstacle(movement, attempt, by.atMs);
  if (obstacle !== null || attempt === undefined)
    return refuse('not_possible', obstacle ?? `${id} was not tried.`);
  const transaction =
    transactionId === null ? undefined : (await store.transactionsById([transactionId])).get(transactionId);
  const alive: LiveAttempt = { movement, attempt, transaction: transaction ?? null };
  if (outcome === 'paid') return ok({ mode, amountMinor, change: recordPaid(alive, by) });
  // No person can pay to this account. So no other rail is tried, and the tokens are returned.
  const isPayeesFault = readMemory(attempt).refusal?.fault === 'payout' && movement.kind === 'payout';
  const change = isPayeesFault
    ? await undoPayout(deps, alive, 'two people: not paid', by.atMs)
    : recordUnpaid(alive, by);
  return ok({ mode, amountMinor, change });
}

export async function planRefund(
  deps: ReviewDeps,
  request: ReviewRequest,
  by: Decider,
): Promise<Result<Plan, ReviewRefusal>> {
  const refund = await deps.store.movementById(request.subjectId);
  if (refund === undefined) return refuse('not_found', `There is no refund ${request.subjectId}.`);
  if (request.action === 'paid' || request.action === 'unpaid')
    return planPayoutOutcome(deps, refund, request.action, by);
  if (request.action !== 'refund' || request.detail.target === null) {
    return refuse(
      'invalid',
      'This refund has no destination or was refused: name the account or the address.',
    );
  }
  const credit =
    refund.creditId === null
      ? undefined
      : (await deps.store.creditsById([refund.creditId])).get(refund.creditId);
  if (credit?.state === 'reversed')
    return refuse('not_possible', 'The bank reversed that payment, so there is nothing to refund.');
  const { target } = request.detail;
  const checked =
    refund.network === null
      ? checkTargetAccount(deps, target)
      : await checkTargetWallet(deps, refund.mode, refund.network, target);
  if (!checked.ok) return checked;
  return redirectRefund(refund, checked.value, { ...by, newRefundId: newId(deps, 'mov') });
}
