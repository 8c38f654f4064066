// The second of two people approves or declines. An approval is carried out on the records as they are now, in one
// commit with the decision itself; another process that was faster makes it stale, and then it is judged again.

import type { Change } from '../../domain/records/change.ts';
import {
  type Approver,
  type Decider,
  decided,
  type Proposal,
  type ReviewRefusal,
  refuse,
} from '../../domain/review/proposal.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import {
  alreadyDecided,
  checkDecision,
  type DecisionRequest,
  refusedBy,
  samePersonTwice,
  stepUpNeeded,
} from '../back-office/check-decision.ts';
import { newId } from '../settlement/context.ts';
import { planReview } from './plan-review.ts';
import type { ReviewDeps } from './review-deps.ts';

const MAX_ROUNDS = 6;

/** The proposal as it is decided now. */
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
    if (proposal.decision !== null) return alreadyDecided(proposal);
    if (proposal.proposedBy === actor) return samePersonTwice(proposal);
    if (approve && stepUp === null) return stepUpNeeded();
    const by = { actor, atMs: deps.clock.now() };
    const outcome = await inTurn(deps, stepUp === null ? null : proposal, async () => {
      const change =
        stepUp === null
          ? ok(refusalOf(proposal, by, reason))
          : await approval(deps, proposal, { ...by, stepUp }, reason);
      return change.ok ? (await deps.store.commit([change.value]))[0]! : change;
    });
    if (outcome === undefined) continue;
    if ('ok' in outcome) return outcome;
    if (outcome.kind === 'committed') {
      const facts = { decidedBy: actor, approved: approve, withdrawn: false };
      return ok({ ...proposal, decision: { ...facts, reason, atMs: by.atMs } });
    }
    if (outcome.kind === 'refused' && outcome.rule !== 'decided_before') return refusedBy(outcome, proposal);
    // Stale, or decided meanwhile by another: look again.
  }
  return refuse('busy', 'It is being worked on at this moment. Try again.');
}

const TURN_MS = 5_000;

/**
 * How much may leave a treasury is read before it is set aside: of two withdrawals that are approved at once each would be
 * judged as if there were no other. So one goes after the other. Undefined: another has the turn.
 */
async function inTurn<Answer>(
  deps: ReviewDeps,
  proposal: Proposal | null,
  work: () => Promise<Answer>,
): Promise<Answer | undefined> {
  if (proposal?.request.action !== 'withdraw') return work();
  const { mode, network } = proposal.request.detail;
  const holder = newId(deps, 'prp');
  const hold = (forMs: number) =>
    deps.store.holdFeed(`withdrawals ${mode} ${network}`, holder, deps.clock.now(), forMs);
  if ((await hold(TURN_MS)) === undefined) return undefined;
  try {
    return await work();
  } finally {
    await hold(0);
  }
}

async function approval(
  deps: ReviewDeps,
  proposal: Proposal,
  by: Approver,
  reason: string,
): Promise<Result<Change, ReviewRefusal>> {
  const plan = await planReview(deps, proposal.request, by);
  if (!plan.ok) return plan;
  if (plan.value.amountMinor !== proposal.amountMinor) {
    return refuse('changed', 'The amount has changed since it was proposed: decline it and propose again.');
  }
  return ok(decided(plan.value.change, proposal, by, reason));
}

function refusalOf({ id, proposedBy }: Proposal, { actor, atMs }: Decider, reason: string): Change {
  return {
    atMs,
    decision: { proposalId: id, proposedBy, decidedBy: actor, approved: false, reason, stepUp: null },
  };
}
