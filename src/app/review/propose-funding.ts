// The first of two people wants tokens of a treasury to be booked, or a booking to be taken back. The proposal's subject is an id
// of its own, so that approving it books it once.
import {
  type FundingDetail,
  type Proposal,
  type ReviewRefusal,
  type ReviewRequest,
  refuse,
  type UnfundingDetail,
} from '../../domain/review/proposal.ts';
import { idBody } from '../../domain/values/ids.ts';
import { decimal, tokenAsset } from '../../domain/values/money.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import { newId } from '../engine/deps.ts';
import { detailText, proposeReview } from './propose-review.ts';
import type { ReviewDeps } from './review-deps.ts';

export interface GivenFunding extends FundingDetail {
  readonly actor: string;
}

export function proposeFunding(
  deps: ReviewDeps,
  { actor, ...detail }: GivenFunding,
): Promise<Result<Proposal, ReviewRefusal>> {
  return proposeOnce(deps, { action: 'fund', subjectId: fundingId(deps), detail }, actor);
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
  const all = decimal(leftMinor, network?.asset.decimals ?? 0);
  const detail = { mode, asset, amount: amount ?? all, fundingId: id };
  return proposeOnce(deps, { action: 'unfund', subjectId: fundingId(deps), detail }, actor);
}

function fundingId(deps: ReviewDeps): string {
  return `fund_${idBody(newId(deps, 'mov'))}`;
}

/** Pressed twice: the same proposal. */
async function proposeOnce(
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
