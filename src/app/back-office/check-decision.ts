// Contains what all decisions on a proposal have in common: who may decide, what an approval needs, and how a person learns
// that a rule of the database refused the decision.
import { isPerson } from '../../domain/people/actor.ts';
import type { StepUp } from '../../domain/people/people-needed.ts';
import { type ProposalDecision, type ReviewRefusal, refuse } from '../../domain/review/proposal.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import type { RefusedCommit } from '../../ports/store/commit.ts';
import { isPlainText } from '../input/field-rules.ts';

// Only a signed-in person may propose and decide. Two different ids prove that there are two people; two different names do
// not.
const REASON_MAX = 500;

export function checkPerson(actor: string): Result<string, ReviewRefusal> {
  if (isPerson(actor)) return ok(actor);
  return refuse('sign_in_needed', 'Only a signed-in person may do this. Sign in first: bin/sliproad login');
}

export function checkReason(text: string): Result<string, ReviewRefusal> {
  const reason = text.trim();
  if (reason !== '' && reason.length <= REASON_MAX && isPlainText(reason)) return ok(reason);
  return refuse('invalid', `The reason must be one line of at most ${REASON_MAX} characters.`);
}

export interface DecisionRequest {
  readonly proposalId: string;
  readonly actor: string;
  readonly approve: boolean;
  readonly reason: string;
  /** The second factor that this person gave for this proposal, or null. An approval needs a second factor. */
  readonly stepUp: StepUp | null;
}

interface DecidableProposal {
  readonly id: string;
  readonly proposedBy: string;
  readonly decision: ProposalDecision | null;
}

export function checkDecision(
  given: Pick<DecisionRequest, 'actor' | 'reason'>,
): Result<string, ReviewRefusal> {
  const person = checkPerson(given.actor);
  return person.ok ? checkReason(given.reason) : person;
}

export function refuseWithoutStepUp() {
  return refuse(
    'step_up_needed',
    'An approval needs a second factor for this proposal. Approve again with a second factor.',
  );
}

export function refuseByRule(
  { rule, constraint }: Pick<RefusedCommit, 'rule' | 'constraint'>,
  proposal: DecidableProposal,
) {
  switch (rule) {
    case 'same_person':
      return refuseSamePerson(proposal);
    case 'not_a_person':
      return refuse('not_a_person', 'Your account no longer exists. Sign in again.');
    case 'not_allowed':
      return refuse('not_allowed', 'Your role does not allow decisions. Ask an admin or an approver.');
    case 'proposer_not_allowed':
      return refuse(
        'not_possible',
        `${proposal.proposedBy}, who made this proposal, may no longer propose. Decline it and make a new proposal.`,
      );
    case 'step_up_needed':
      return refuseWithoutStepUp();
    case 'step_up_old':
      return refuse(
        'step_up_old',
        'Your second factor is older than five minutes. Approve again with a new one.',
      );
    case 'step_up_used':
      return refuse(
        'step_up_used',
        'This confirmation was already used for another decision. Approve again with a new code.',
      );
    default:
      return refuse('not_possible', `The database refused the change (${constraint}). Nothing was changed.`);
  }
}

export function refuseDecidedProposal({ id, decision }: DecidableProposal) {
  const { approved, withdrawn, decidedBy } = decision!;
  const word = withdrawn ? 'withdrawn' : approved ? 'approved' : 'declined';
  return refuse('already_decided', `${id} was ${word} by ${decidedBy}.`);
}

export function refuseSamePerson({ id, proposedBy }: DecidableProposal) {
  return refuse(
    'same_person',
    `${id} was proposed by ${proposedBy}, so another person must decide. The author may withdraw it.`,
  );
}
