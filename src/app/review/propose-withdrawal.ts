// Lets the first of two people propose that tokens leave a treasury. The subject of the proposal is the id of the future
// movement, so that an approval creates exactly one movement.
import {
  type Proposal,
  type ReviewRefusal,
  refuse,
  type WithdrawalDetail,
} from '../../domain/review/proposal.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import { newId } from '../engine/deps.ts';
import { proposeReview } from './propose-review.ts';
import type { ReviewDeps } from './review-deps.ts';

export async function proposeWithdrawal(
  deps: ReviewDeps,
  { actor, ...given }: WithdrawalDetail & { readonly actor: string },
): Promise<Result<Proposal, ReviewRefusal>> {
  const detail = normaliseWithdrawal(deps, given);
  const open = await deps.reviewDesk.listOpenProposals(detail.mode);
  const same = open.find(
    ({ request }) =>
      request.action === 'withdraw' &&
      request.detail.network === detail.network &&
      request.detail.address === detail.address &&
      request.detail.nairaMinor === detail.nairaMinor,
  );
  // If the same person sends the same proposal twice, the service returns the first one. If two people propose the same, the
  // service refuses the second proposal. Otherwise each of them could approve the other's proposal, and the tokens would leave
  // twice.
  if (same !== undefined && same.proposedBy !== actor)
    return refuse(
      'not_possible',
      `${same.proposedBy} proposed the same withdrawal: approve or decline ${same.id}.`,
    );
  if (same !== undefined) return ok(same);
  return proposeReview(deps, { action: 'withdraw', subjectId: newId(deps, 'mov'), detail, actor });
}

/**
 * Spells the address as its network does, so that two spellings of one address are equal. An invalid address is refused later.
 */
function normaliseWithdrawal({ networks }: ReviewDeps, given: WithdrawalDetail): WithdrawalDetail {
  const network = networks.find(given.mode, given.network);
  if (network === undefined) return given;
  const checked = network.checkAddress(given.address);
  return { ...given, network: network.name, address: checked.ok ? checked.address : given.address };
}
