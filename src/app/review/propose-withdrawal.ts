// The first of two people wants tokens to leave a treasury. The proposal's subject is the movement it will become, so
// that approving it can make one movement and never two.
import { ok, type Result } from '../../domain/result.ts';
import { type Proposal, type ReviewRefusal, samePerson, type WithdrawalDetail } from '../../domain/review.ts';
import { newId } from '../settlement.ts';
import { proposeReview } from './propose-review.ts';
import type { ReviewDeps } from './review-deps.ts';

export async function proposeWithdrawal(
  deps: ReviewDeps,
  { actor, ...given }: WithdrawalDetail & { readonly actor: string },
): Promise<Result<Proposal, ReviewRefusal>> {
  const network = deps.networks.find(given.mode, given.network)?.name ?? given.network;
  const detail: WithdrawalDetail = { ...given, network };
  // Pressed twice: the same proposal.
  const open = await deps.reviewDesk.listOpenProposals(detail.mode);
  const same = open.find(
    ({ request, proposedBy }) =>
      request.action === 'withdraw' &&
      samePerson(proposedBy, actor) &&
      request.detail.network === detail.network &&
      request.detail.address === detail.address &&
      request.detail.nairaMinor === detail.nairaMinor,
  );
  if (same !== undefined) return ok(same);
  return proposeReview(deps, { action: 'withdraw', subjectId: newId(deps, 'mov'), detail, actor });
}
