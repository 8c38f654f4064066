// What an action would do to the current records, or why it is not possible. Proposing and approving both use this function, so
// the same rules apply to a proposal and its approval.
import {
  type Decider,
  type Plan,
  type ReviewRefusal,
  type ReviewRequest,
  refuse,
} from '../../domain/review/proposal.ts';
import type { Result } from '../../domain/values/result.ts';
import { planCase, planNotice } from './plan-case.ts';
import { planCaseGroup } from './plan-case-group.ts';
import { planCredit, planDeposit } from './plan-credit.ts';
import { planFunding, planUnfunding } from './plan-funding.ts';
import { planNairaBooking } from './plan-naira-booking.ts';
import { planRefund } from './plan-refund.ts';
import { planSendsResume, planTransaction } from './plan-transaction.ts';
import { planWithdrawal } from './plan-withdrawal.ts';
import type { ReviewDeps } from './review-deps.ts';

export async function planReview(
  deps: ReviewDeps,
  request: ReviewRequest,
  by: Decider,
): Promise<Result<Plan, ReviewRefusal>> {
  const { subjectId } = request;
  if (request.action === 'withdraw') return planWithdrawal(deps, request, by);
  if (request.action === 'fund') return planFunding(deps, request, by);
  if (request.action === 'unfund') return planUnfunding(deps, request, by);
  if (request.action === 'naira') return planNairaBooking(deps, request, by);
  if (request.action === 'explained_all') return planCaseGroup(deps, request, by);
  if (request.action === 'resume') return planSendsResume(deps, request, by);
  const spoken = request.action === 'refund' ? request.detail.publicReason : undefined;
  if (spoken !== undefined && !['txn_', 'cas_'].includes(subjectId.slice(0, 4))) {
    return refuse(
      'invalid',
      'Only a refund of a transaction or of a case has a public reason: leave it out.',
    );
  }
  switch (subjectId.slice(0, 4)) {
    case 'crd_':
      return planCredit(deps, request, by);
    case 'txn_':
      return planTransaction(deps, request, by);
    case 'dep_':
      return planDeposit(deps, request, by);
    case 'mov_':
      return planRefund(deps, request, by);
    case 'ntc_':
      return planNotice(deps, request, by);
    case 'cas_':
      return planCase(deps, request, by);
    default:
      return refuse(
        'not_found',
        `${subjectId} is not the id of a credit, a transaction, a deposit, a refund, a notice or a case.`,
      );
  }
}
