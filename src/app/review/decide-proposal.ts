// Decides a proposal of any kind: about money that waits for review, or about a setting.

import { describeSetting } from '../../domain/back-office/describe-setting.ts';
import type { SettingProposal } from '../../domain/back-office/setting.ts';
import { describeReviewRequest } from '../../domain/review/describe-review-request.ts';
import { type Proposal, type ReviewRefusal, refuse } from '../../domain/review/proposal.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import type { ProposalStore } from '../../ports/review-store.ts';
import {
  checkPerson,
  checkReason,
  type DecisionRequest,
  refuseDecidedProposal,
} from '../back-office/check-decision.ts';
import { decideSetting } from '../back-office/decide-setting.ts';
import type { SettingDeps } from '../back-office/setting-deps.ts';
import { decideReview } from './decide-review.ts';
import type { ReviewDeps } from './review-deps.ts';

export interface ProposalDeps extends ReviewDeps, SettingDeps {
  readonly proposalDesk: ProposalStore;
}

export type AnyProposal =
  | { readonly kind: 'review'; readonly proposal: Proposal }
  | { readonly kind: 'setting'; readonly proposal: SettingProposal };

export function describeProposal({ kind, proposal }: AnyProposal): string {
  return kind === 'review' ? describeReviewRequest(proposal.request) : describeSetting(proposal.request);
}

export async function decideProposal(
  deps: ProposalDeps,
  request: DecisionRequest,
): Promise<Result<AnyProposal, ReviewRefusal>> {
  const kind = await deps.proposalDesk.kindOf(request.proposalId);
  if (kind === undefined) return refuse('not_found', `There is no proposal ${request.proposalId}.`);
  if (kind === 'setting') {
    const decided = await decideSetting(deps, request);
    return decided.ok ? ok({ kind, proposal: decided.value }) : decided;
  }
  const decided = await decideReview(deps, request);
  return decided.ok ? ok({ kind, proposal: decided.value }) : decided;
}

export async function findProposal(
  { proposalDesk, reviewDesk, settingDesk }: ProposalDeps,
  id: string,
): Promise<AnyProposal | undefined> {
  const kind = await proposalDesk.kindOf(id);
  if (kind === 'setting') {
    const proposal = await settingDesk.findProposal(id);
    return proposal && { kind, proposal };
  }
  const proposal = kind && (await reviewDesk.findProposal(id));
  return proposal && { kind: 'review', proposal };
}

/** Lets the author of a proposal withdraw it. A withdrawn proposal counts as never decided, so nothing changes. */
export async function withdrawProposal(
  deps: ProposalDeps,
  given: { readonly proposalId: string; readonly actor: string; readonly reason: string },
): Promise<Result<AnyProposal, ReviewRefusal>> {
  const { proposalId: id, actor } = given;
  const person = checkPerson(actor);
  if (!person.ok) return person;
  const reason = checkReason(given.reason);
  if (!reason.ok) return reason;
  const found = await findProposal(deps, id);
  if (found === undefined) return refuse('not_found', `There is no proposal ${id}.`);
  const { proposedBy, decision } = found.proposal;
  if (decision !== null) return refuseDecidedProposal(found.proposal);
  if (proposedBy !== actor)
    return refuse('not_possible', `Only ${proposedBy} can withdraw ${id}: decline it instead.`);
  if (await deps.proposalDesk.withdraw(id, actor, reason.value, deps.clock.now())) return ok(found);
  return refuseDecidedProposal((await findProposal(deps, id))!.proposal);
}
