// A refund without a destination, or one that was refused: it gets the destination that two people name.

import {
  type Decider,
  type Plan,
  type ReviewRefusal,
  type ReviewRequest,
  refuse,
} from '../../domain/review/proposal.ts';
import { redirectRefund } from '../../domain/review/refunds.ts';
import type { Result } from '../../domain/values/result.ts';
import { newId } from '../engine/deps.ts';
import { checkAccount, checkWallet } from './check-target.ts';
import { planOutcome } from './plan-outcome.ts';
import type { ReviewDeps } from './review-deps.ts';

export async function planRefund(
  deps: ReviewDeps,
  request: ReviewRequest,
  by: Decider,
): Promise<Result<Plan, ReviewRefusal>> {
  const refund = await deps.store.movementById(request.subjectId);
  if (refund === undefined) return refuse('not_found', `There is no refund ${request.subjectId}.`);
  if (request.action === 'paid' || request.action === 'unpaid')
    return planOutcome(deps, refund, request.action, by);
  if (request.action !== 'refund' || request.detail.target === null) {
    return refuse(
      'invalid',
      'This refund has no destination, or was refused: give the account or the address.',
    );
  }
  const credit =
    refund.creditId === null
      ? undefined
      : (await deps.store.creditsById([refund.creditId])).get(refund.creditId);
  if (credit?.state === 'reversed')
    return refuse('not_possible', 'The bank took that payment back: there is nothing to give back.');
  const { target } = request.detail;
  const checked =
    refund.network === null
      ? checkAccount(deps, target)
      : await checkWallet(deps, refund.mode, refund.network, target);
  if (!checked.ok) return checked;
  return redirectRefund(refund, checked.value, { ...by, newRefundId: newId(deps, 'mov') });
}
