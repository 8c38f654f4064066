// Renders a record as its reviewer sees it: the record, the buys that it may pay, the possible actions, its proposals and its
// related records.
import { type TObject, Type } from 'typebox';
import type { RecordReview } from '../app/operations/read-review.ts';
import type { BankCredit } from '../domain/records/credit.ts';
import { PUBLIC_REASONS } from '../domain/records/move-reasons.ts';
import { STATES } from '../domain/records/states.ts';
import type { TimelineLine } from '../ports/store/reads.ts';
import { renderRecord } from './parts/record.ts';
import * as schemas from './parts/schemas.ts';
import { isoTime } from './parts/values.ts';
import { renderShownProposal, shownProposal } from './proposals.ts';
import {
  type ContextDeps,
  candidate,
  possibleAction,
  readSubjectContext,
  renderAction,
  renderCandidate,
} from './review.ts';
import {
  creditSubject,
  depositSubject,
  movementSubject,
  renderCredit,
  renderDeposit,
  renderMovement,
  renderSubject,
  subject,
} from './subjects.ts';

export const publicReason = schemas.oneOf(PUBLIC_REASONS, {
  description: `the reason that the business reads, one of ${PUBLIC_REASONS.join(', ')}.`,
});

const timelineLine = schemas.nameSchema(
  'RecordTimelineLine',
  Type.Object({
    ...{ from: schemas.nullable(schemas.oneOf(STATES)), to: schemas.oneOf(STATES), actor: Type.String() },
    ...{ reason: Type.String(), evidence: schemas.nullable(schemas.record), at: schemas.time },
  }),
);
export const reviewAnswer = {
  subject,
  candidates: Type.Array(candidate),
  actions: Type.Array(possibleAction),
  proposals: Type.Array(shownProposal),
  credits: Type.Array(creditSubject),
  deposits: Type.Array(depositSubject),
  movements: Type.Array(movementSubject),
  timeline: Type.Array(timelineLine),
  public_reasons: Type.Array(publicReason),
};

export async function renderReview(
  deps: ContextDeps,
  { found, ...rest }: RecordReview,
): Promise<schemas.JsonOf<TObject<typeof reviewAnswer>>> {
  const { businessId = null } = found.record as { readonly businessId?: string | null };
  const businesses = rest.candidates.map(({ transaction }) => transaction.businessId);
  const context = await readSubjectContext(deps, [businessId, ...businesses]);
  return {
    subject: renderSubject(found.record, context),
    candidates: rest.candidates.map((each) => renderCandidate(found.record as BankCredit, each, context)),
    actions: rest.actions.map(renderAction),
    proposals: rest.proposals.map((each) => renderShownProposal(each, context)),
    credits: found.credits.map(renderCredit),
    deposits: found.deposits.map((each) => renderDeposit(each, context)),
    movements: found.movements.map((each) => renderMovement(each, context)),
    timeline: found.timeline.map(renderTimelineLine),
    public_reasons: PUBLIC_REASONS,
  };
}

function renderTimelineLine(line: TimelineLine): schemas.JsonOf<typeof timelineLine> {
  const { from, to, actor, reason, evidence, atMs } = line;
  return { from, to, actor, reason, evidence: evidence && renderRecord(evidence), at: isoTime(atMs) };
}
