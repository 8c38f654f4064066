// Plans how two people book treasury tokens, or remove them from the books again. Both are checked against the current chain
// and books.
import { bookFunding, undoFunding } from '../../domain/review/funding.ts';
import {
  type Decider,
  type FundingDetail,
  type Plan,
  type ReviewRefusal,
  type ReviewRequest,
  refuse,
} from '../../domain/review/proposal.ts';
import { withdrawalAccounts } from '../../domain/review/withdrawal.ts';
import { tokenAsset } from '../../domain/values/money.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import { treasuryBookKeys } from '../treasury/read-treasuries.ts';
import type { ReviewDeps, ReviewedNetwork } from './review-deps.ts';

export async function planFunding(
  deps: ReviewDeps,
  { subjectId: id, detail }: Extract<ReviewRequest, { action: 'fund' }>,
  by: Decider,
): Promise<Result<Plan, ReviewRefusal>> {
  const { mode, asset } = detail;
  const network = await findNetworkWithoutProposal(deps, detail, id);
  if (!network.ok) return network;
  if ((await deps.reviewDesk.findFunding(id)) !== undefined)
    return refuse('not_possible', `${id} is already booked.`);
  const final = await readFinalTokens(network.value);
  if (!final.ok) return final;
  // The service reads the books after the chain, so that a booking in between can only reduce the possible amount.
  const balances = await deps.store.balances(Object.values(treasuryBookKeys(mode, asset)));
  const bookedMinor = [...balances.values()].reduce((sum, each) => sum + each, 0n);
  const seenMinor = await deps.reviewDesk.seenTokens(mode, network.value.name);
  const { decimals } = network.value.asset;
  const facts = { id, decimals, finalMinor: final.value, heldMinor: bookedMinor + seenMinor };
  return bookFunding(detail, facts, by);
}

export async function planUnfunding(
  deps: ReviewDeps,
  { subjectId, detail }: Extract<ReviewRequest, { action: 'unfund' }>,
  by: Decider,
): Promise<Result<Plan, ReviewRefusal>> {
  const { mode, asset, fundingId } = detail;
  const network = await findNetworkWithoutProposal(deps, detail, subjectId);
  if (!network.ok) return network;
  const funding = await deps.reviewDesk.findFunding(fundingId);
  if (funding === undefined || funding.mode !== mode || funding.asset !== asset)
    return refuse('not_found', `The books have no funding ${fundingId} of ${mode} ${asset}.`);
  const balances = new Map(await deps.store.balances([...withdrawalAccounts(mode, asset)]));
  const { decimals } = network.value.asset;
  return undoFunding(detail, { decimals, leftMinor: funding.leftMinor, balances }, by);
}

/**
 * Returns the network of the asset, unless another proposal about its treasury is open. Two proposals that are checked against
 * the same books could each be correct, but together book too much. So one proposal must be decided before the next one is
 * made.
 */
async function findNetworkWithoutProposal(
  { networks, reviewDesk }: ReviewDeps,
  { mode, asset }: FundingDetail,
  ownSubject: string,
): Promise<Result<ReviewedNetwork, ReviewRefusal>> {
  const network = networks.enabled(mode).find((each) => tokenAsset(each.asset.code, each.name) === asset);
  if (network === undefined)
    return refuse('not_possible', `${asset} is not an asset of ${mode} mode, or its network is not enabled.`);
  const other = (await reviewDesk.listOpenProposals(mode)).find(
    ({ request }) =>
      (request.action === 'fund' || request.action === 'unfund') &&
      request.detail.asset === asset &&
      request.subjectId !== ownSubject,
  );
  if (other === undefined) return ok(network);
  return refuse(
    'not_possible',
    `${other.id} of ${other.proposedBy} is about the same treasury: decide or withdraw it first.`,
  );
}

async function readFinalTokens({
  name,
  finalTokens,
}: ReviewedNetwork): Promise<Result<bigint, ReviewRefusal>> {
  if (finalTokens === undefined)
    return refuse(
      'not_possible',
      `The balance of the treasury on ${name} is read only at the approval: approve on the page, or with reviews approve.`,
    );
  try {
    const finalMinor = await finalTokens();
    if (finalMinor !== null) return ok(finalMinor);
    return refuse(
      'not_possible',
      `The treasury on ${name} is simulated: ledger fund books its tokens at once.`,
    );
  } catch (error) {
    return refuse(
      'not_possible',
      `The balance of the treasury on ${name} cannot be read now (${(error as Error).message}). Nothing is booked until it can be read.`,
    );
  }
}
