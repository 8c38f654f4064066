// Lets the first of two people propose to book treasury tokens, or to reverse such a booking. The subject of the proposal is a
// new id, so that an approval books the tokens only once.
import {
  type FundingDetail,
  type Proposal,
  type ReviewRefusal,
  type ReviewRequest,
  refuse,
  type UnfundingDetail,
} from '../../domain/review/proposal.ts';
import { idBody } from '../../domain/values/ids.ts';
import { formatDecimal, tokenAsset } from '../../domain/values/money.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import { newId } from '../engine/deps.ts';
import { detailText, proposeReview } from './propose-review.ts';
import type { ReviewDeps } from './review-deps.ts';

export interface FundingRequest extends FundingDetail {
  readonly actor: string;
}

export function proposeFunding(
  deps: ReviewDeps,
  { actor, ...detail }: FundingRequest,
): Promise<Result<Proposal, ReviewRefusal>> {
  return proposeUnlessOpen(deps, { action: 'fund', subjectId: newFundingId(deps), detail }, actor);
}

export async function proposeUnfunding(
  deps: ReviewDeps,
  {
    actor,
    amount,
    fundingId: id,
  }: Pick<UnfundingDetail, 'fundingId'> & { readonly actor: string; readonly amount: string | undefined },
): Promise<Result<Proposal, ReviewRefusal>> {
  const funding = await deps.reviewDesk.findFunding(id);
  if (funding === undefined) return refuse('not_found', `The books have no funding ${id} of a treasury.`);
  const { mode, asset, leftMinor } = funding;
  const network = deps.networks
    .enabled(mode)
    .find((each) => tokenAsset(each.asset.code, each.name) === asset);
  const all = formatDecimal(leftMinor, network?.asset.decimals ?? 0);
  const detail = { mode, asset, amount: amount ?? all, fundingId: id };
  return proposeUnlessOpen(deps, { action: 'unfund', subjectId: newFundingId(deps), detail }, actor);
}

function newFundingId(deps: ReviewDeps): string {
  return `fund_${idBody(newId(deps, 'mov'))}`;
}

/** If the same person sends the same proposal twice, the service returns the first one. */
async function proposeUnlessOpen(
  deps: ReviewDeps,
  asked: Extract<ReviewRequest, { action: 'fund' | 'unfund' }>,
  actor: string,
): Promise<Result<Proposal, ReviewRefusal>> {
  const open = await deps.reviewDesk.listOpenProposals(asked.detail.mode);
  const same = open.find(
    ({ request, proposedBy }) =>
      proposedBy === actor && request.action === asked.action && detailText(request) === detailText(asked),
  );
  return same === undefined ? proposeReview(deps, { ...asked, actor }) : ok(same);
}
