// Lets the second of two people approve or decline. The service carries out an approval on the current records and balances, in
// the same commit as the decision. If another process was faster, the commit writes nothing, and the service checks the
// approval again.
import type { Change } from '../../domain/records/change.ts';
import {
  type Approver,
  attachDecision,
  type Decider,
  type Proposal,
  type ReviewRefusal,
  refuse,
} from '../../domain/review/proposal.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import type { CommitRule } from '../../ports/store/commit.ts';
import {
  checkDecision,
  type DecisionRequest,
  refuseByRule,
  refuseDecidedProposal,
  refuseSamePerson,
  refuseWithoutStepUp,
} from '../back-office/check-decision.ts';
import { planReview } from './plan-review.ts';
import type { ReviewDeps } from './review-deps.ts';

const MAX_ROUNDS = 6;

/**
 * These rules fail if another person decided meanwhile, or if the money is no longer available. The service then checks the
 * approval again, so that the current records give the reason for the refusal.
 */
const RETRIED_RULES: ReadonlySet<CommitRule> = new Set<CommitRule>([
  'decided_before',
  'condition_broken',
  'account_negative',
]);

export async function decideReview(
  deps: ReviewDeps,
  request: DecisionRequest,
): Promise<Result<Proposal, ReviewRefusal>> {
  const checked = checkDecision(request);
  if (!checked.ok) return checked;
  const reason = checked.value;
  const { proposalId, actor, approve } = request;
  const stepUp = approve ? request.stepUp : null;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const proposal = await deps.reviewDesk.findProposal(proposalId);
    if (proposal === undefined) return refuse('not_found', `There is no proposal ${proposalId}.`);
    if (proposal.decision !== null) return refuseDecidedProposal(proposal);
    if (proposal.proposedBy === actor) return refuseSamePerson(proposal);
    if (approve && stepUp === null) return refuseWithoutStepUp();
    const by = { actor, atMs: deps.clock.now() };
    const change =
      stepUp === null
        ? ok(makeDecline(proposal, by, reason))
        : await planApproval(deps, proposal, { ...by, stepUp }, reason);
    if (!change.ok) return change;
    const outcome = (await deps.store.commit([change.value]))[0]!;
    if (outcome.kind === 'committed') {
      const facts = { decidedBy: actor, approved: approve, withdrawn: false };
      return ok({ ...proposal, decision: { ...facts, reason, atMs: by.atMs } });
    }
    if (outcome.kind === 'refused' && !RETRIED_RULES.has(outcome.rule))
      return refuseByRule(outcome, proposal);
  }
  return refuse('busy', 'The record is being processed. Try again.');
}

async function planApproval(
  deps: ReviewDeps,
  proposal: Proposal,
  by: Approver,
  reason: string,
): Promise<Result<Change, ReviewRefusal>> {
  const plan = await planReview(deps, proposal.request, by);
  if (!plan.ok) return plan;
  if (plan.value.amountMinor !== proposal.amountMinor) {
    return refuse(
      'changed',
      'The amount has changed since the proposal. Decline the proposal and make a new one.',
    );
  }
  return ok(attachDecision(plan.value.change, proposal, by, reason));
}

function makeDecline({ id, proposedBy }: Proposal, { actor, atMs }: Decider, reason: string): Change {
  return {
    atMs,
    decision: { proposalId: id, proposedBy, decidedBy: actor, approved: false, reason, stepUp: null },
  };
}
