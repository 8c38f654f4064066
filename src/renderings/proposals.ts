// Renders a proposal: when it is created, in the list of waiting proposals, and alone with the postings of its approval.
import { type TObject, Type } from 'typebox';
import type { SettingOutcome } from '../app/back-office/change-setting.ts';
import type { ShownProposal } from '../app/operations/read-review.ts';
import { type AnyProposal, describeProposal } from '../app/review/decide-proposal.ts';
import type { OpenProposal } from '../app/review/list-proposals.ts';
import type { ProposalDecision } from '../domain/review/proposal.ts';
import { minorToWire } from '../domain/values/money.ts';
import { renderRecord } from './parts/record.ts';
import * as schemas from './parts/schemas.ts';
import { isoTime, nairaText } from './parts/values.ts';
import { preview, renderPreview } from './review.ts';
import type { SubjectContext } from './subjects.ts';

const text = Type.String();
const maybe = schemas.nullable;

const decision = schemas.nameSchema(
  'ProposalDecision',
  Type.Object({
    decided_by: Type.String({ description: 'For a withdrawn proposal: its author.' }),
    ...{ approved: Type.Boolean(), withdrawn: Type.Boolean(), reason: text, at: schemas.time },
  }),
);
const commonFields = {
  ...{ kind: schemas.oneOf(['review', 'setting']), id: text, mode: schemas.mode },
  request: {
    ...schemas.record,
    description: 'What is requested; the fields depend on the action or the setting.',
  },
  why: Type.Optional(
    maybe(
      Type.String({
        description: 'For a setting: why this change needs two people, if others need only one.',
      }),
    ),
  ),
  ...{ proposed_by: text, proposed_at: schemas.time, decision: maybe(decision) },
};
const proposalFields = {
  ...commonFields,
  amount: Type.Optional(Type.Number({ description: 'For a review, in naira.' })),
  before: Type.Optional(Type.String({ description: 'For a setting: the value that it would change.' })),
};
const describedFields = {
  ...{ what: text, proposed_by_name: text },
  obstacle: maybe(Type.String({ description: 'Why the proposal cannot be approved now.' })),
};
export const proposal = schemas.nameSchema('Proposal', Type.Object(proposalFields));
export const openProposal = schemas.nameSchema(
  'OpenProposal',
  Type.Object({ ...proposalFields, ...describedFields }),
);
export const shownProposal = schemas.nameSchema(
  'ShownProposal',
  Type.Object({
    ...{ ...commonFields, ...describedFields },
    amount: Type.Optional(Type.String({ description: 'For a review, in naira: "15000.00".' })),
    subject_id: Type.Optional(Type.String({ description: 'Of a review.' })),
    before: maybe(Type.String({ description: 'For a setting: the value that it would change.' })),
    decided_by_name: maybe(text),
    state: schemas.oneOf(['open', 'approved', 'declined', 'withdrawn']),
    preview: maybe(preview),
  }),
);

function renderCommon({ kind, proposal: given }: AnyProposal) {
  return {
    ...{ kind, id: given.id, mode: given.mode, request: renderRecord(given.request) },
    ...('why' in given && { why: given.why }),
    ...{ proposed_by: given.proposedBy, proposed_at: isoTime(given.proposedAtMs) },
    decision: given.decision && renderDecision(given.decision),
  };
}

function renderDecision(given: ProposalDecision): schemas.JsonOf<typeof decision> {
  const { decidedBy, approved, withdrawn, reason, atMs } = given;
  return { decided_by: decidedBy, approved, withdrawn, reason, at: isoTime(atMs) };
}

export function renderProposal(given: AnyProposal): schemas.JsonOf<typeof proposal> {
  return {
    ...renderCommon(given),
    ...(given.kind === 'review'
      ? { amount: minorToWire(given.proposal.amountMinor) }
      : { before: given.proposal.before }),
  };
}

export function renderOpenProposal(given: OpenProposal): schemas.JsonOf<typeof openProposal> {
  const { proposedByName, obstacle } = given;
  return {
    ...renderProposal(given),
    ...{ what: describeProposal(given), proposed_by_name: proposedByName, obstacle },
  };
}

export function renderShownProposal(
  shown: ShownProposal,
  context: SubjectContext,
): schemas.JsonOf<typeof shownProposal> {
  const { found } = shown;
  return {
    ...renderCommon(found),
    ...(found.kind === 'review' && {
      amount: nairaText(found.proposal.amountMinor),
      subject_id: found.proposal.request.subjectId,
    }),
    what: shown.what,
    before: found.kind === 'setting' ? found.proposal.before : null,
    proposed_by_name: shown.proposedByName,
    decided_by_name: shown.decidedByName,
    state: stateOf(found.proposal.decision),
    obstacle: shown.obstacle,
    preview: shown.preview && renderPreview(shown.preview, context),
  };
}

function stateOf(given: ProposalDecision | null) {
  if (given === null) return 'open';
  if (given.approved) return 'approved';
  return given.withdrawn ? 'withdrawn' : 'declined';
}

export const settingOutcomeAnswer = {
  done: Type.Boolean({ description: 'False: the change waits for a second person; see proposal.' }),
  proposal: schemas.nullable(proposal),
};

export function renderSettingOutcome(
  outcome: SettingOutcome,
): schemas.JsonOf<TObject<typeof settingOutcomeAnswer>> {
  if (outcome.kind === 'done') return { done: true, proposal: null };
  return { done: false, proposal: renderProposal({ kind: 'setting', proposal: outcome.proposal }) };
}
