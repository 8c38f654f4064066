// The second of two people approves or declines. An approval is carried out on the records and balances as they are now, in
// one commit with the decision itself; when another process was faster the commit writes nothing, and it is judged again.

import type { Change } from '../../domain/records/change.ts';
import {
  type Decider,
  decided,
  type Proposal,
  type ReviewRefusal,
  refuse,
  samePerson,
} from '../../domain/review/proposal.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import type { Refused, Rule } from '../../ports/store/commit.ts';
import { checkPerson, checkReason } from './person.ts';
import { planReview } from './plan-review.ts';
import type { ReviewDeps } from './review-deps.ts';

const MAX_ROUNDS = 6;

/** Decided meanwhile by another, or the tokens are no longer free: what there is now says why, as it does of a stale one. */
const LOOK_AGAIN: ReadonlySet<Rule> = new Set<Rule>(['decided_before', 'condition_broken']);

export interface DecisionRequest {
  readonly proposalId: string;
  readonly actor: string;
  readonly approve: boolean;
  readonly reason: string;
}

/** The proposal as it is decided now. */
export async function decideReview(
  deps: ReviewDeps,
  { proposalId, actor, approve, reason: text }: DecisionRequest,
): Promise<Result<Proposal, ReviewRefusal>> {
  const person = checkPerson(actor);
  if (!person.ok) return person;
  const reason = checkReason(text);
  if (!reason.ok) return reason;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const proposal = await deps.reviewDesk.findProposal(proposalId);
    if (proposal === undefined) return refuse('not_found', `There is no proposal ${proposalId}.`);
    if (proposal.decision !== null) return alreadyDecided(proposal);
    if (samePerson(proposal.proposedBy, actor)) return samePersonTwice(proposal);
    const by: Decider = { actor, atMs: deps.clock.now() };
    const change = approve
      ? await approval(deps, proposal, by, reason.value)
      : ok(refusalOf(proposal, by, reason.value));
    if (!change.ok) return change;
    const outcome = (await deps.store.commit([change.value]))[0]!;
    if (outcome.kind === 'committed') {
      const decision = { decidedBy: actor, approved: approve, reason: reason.value, atMs: by.atMs };
      return ok({ ...proposal, decision });
    }
    if (outcome.kind === 'refused' && !LOOK_AGAIN.has(outcome.rule)) return refused(outcome, proposal);
  }
  return refuse('busy', 'It is being worked on at this moment. Try again.');
}

async function approval(
  deps: ReviewDeps,
  proposal: Proposal,
  by: Decider,
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
  return { atMs, decision: { proposalId: id, proposedBy, decidedBy: actor, approved: false, reason } };
}

function refused({ rule, constraint }: Refused, proposal: Proposal) {
  if (rule === 'same_person') return samePersonTwice(proposal);
  return refuse('not_possible', `The database refused it (${constraint}). Nothing was changed.`);
}

function alreadyDecided({ id, decision }: Proposal) {
  const word = decision!.approved ? 'approved' : 'declined';
  return refuse('already_decided', `${id} was ${word} by ${decision!.decidedBy}.`);
}

function samePersonTwice({ id, proposedBy }: Proposal) {
  return refuse('same_person', `${id} was proposed by ${proposedBy}: another person must decide it.`);
}
