// Renders a case: what happened, its amount and its business. A single case also shows its subject and the postings that closed
// it.
import { type TObject, Type } from 'typebox';
import { type BrowseLedgerDeps, readEntriesAbout } from '../app/ledger/browse-ledger.ts';
import type { CaseGroupSum } from '../domain/review/case-groups.ts';
import { CASE_TEXTS } from '../domain/review/describe-wait-reason.ts';
import type { CaseGroup, CaseRecord, OperationsStore } from '../ports/operations/operations-store.ts';
import { type QuestionDeps, questionShape, readQuestion } from './case-question.ts';
import { entryShape, renderEntry } from './ledger.ts';
import * as schemas from './parts/schemas.ts';
import { isoOrNull, isoTime, nairaText } from './parts/values.ts';
import { CASE_KINDS, CASE_OUTCOMES, CASE_STATES } from './subjects.ts';

const text = schemas.nullable(Type.String());

const caseFields = {
  id: Type.String(),
  kind: schemas.oneOf(CASE_KINDS),
  what: Type.String({ description: 'What happened.' }),
  mode: schemas.mode,
  state: schemas.oneOf(CASE_STATES),
  business_id: text,
  business_name: text,
  transaction_id: text,
  credit_id: text,
  movement_id: text,
  about: schemas.nullable(
    Type.String({
      description: 'The report, the difference, the credit or the deposit that the case is about.',
    }),
  ),
  account: schemas.nullable(Type.String({ description: 'The bank account of that report or difference.' })),
  day: schemas.nullable(Type.String({ description: 'The day of that report or difference.' })),
  amount: Type.String({ description: 'In naira.' }),
  opened_at: schemas.time,
  closed_at: schemas.nullable(schemas.time),
  closed_by: text,
  outcome: schemas.nullable(
    schemas.oneOf(CASE_OUTCOMES, {
      description:
        'How the case ended. Null while it is open, and for a case that was closed by hand in an earlier version.',
    }),
  ),
};
export const caseShape = schemas.nameSchema('Case', Type.Object(caseFields));

export function renderCase(given: CaseRecord): schemas.JsonOf<typeof caseShape> {
  return {
    id: given.id,
    kind: given.kind,
    what: CASE_TEXTS[given.kind],
    mode: given.mode,
    state: given.closedAtMs === null ? 'open' : 'closed',
    business_id: given.businessId,
    business_name: given.businessName,
    transaction_id: given.transactionId,
    credit_id: given.creditId,
    movement_id: given.movementId,
    ...{ about: given.about, account: given.account, day: given.day },
    amount: nairaText(given.amountMinor),
    opened_at: isoTime(given.openedAtMs),
    closed_at: isoOrNull(given.closedAtMs),
    closed_by: given.closedBy,
    outcome: given.outcome,
  };
}

export const caseGroupShape = schemas.nameSchema(
  'CaseGroup',
  Type.Object({
    ...{ file_id: Type.String(), mode: schemas.mode, name: text, account: text, cases: Type.Integer() },
    amount: Type.String({ description: 'The total of the cases, in naira.' }),
    opened_at: schemas.time,
    proposal_id: schemas.nullable(
      Type.String({ description: 'The newest open proposal about these cases.' }),
    ),
  }),
);

export function renderCaseGroup(given: CaseGroup): schemas.JsonOf<typeof caseGroupShape> {
  const { fileId, mode, name, account, cases, amountMinor, openedAtMs, proposalId } = given;
  return {
    ...{ file_id: fileId, mode, name, account, cases, amount: nairaText(amountMinor) },
    ...{ opened_at: isoTime(openedAtMs), proposal_id: proposalId },
  };
}

export const caseGroupSumAnswer = {
  cases: Type.Integer({ description: 'The number of cases that one proposal can close, the oldest first.' }),
  amount: Type.String({ description: 'The total of these cases, in naira.' }),
  digest: Type.String({ description: 'Of their ids and amounts. The proposal names it.' }),
};

export function renderCaseGroupSum({
  cases,
  amountMinor,
  digest,
}: CaseGroupSum): schemas.JsonOf<TObject<typeof caseGroupSumAnswer>> {
  return { cases, amount: nairaText(amountMinor), digest };
}

export const caseAnswer = { case: caseShape, ...questionShape, entries: Type.Array(entryShape) };

export interface CaseDeps extends QuestionDeps, BrowseLedgerDeps {
  readonly operations: Pick<OperationsStore, 'findCase'>;
}

export async function readCase(
  deps: CaseDeps,
  id: string,
): Promise<schemas.JsonOf<TObject<typeof caseAnswer>> | undefined> {
  const found = await deps.operations.findCase(id);
  if (found === undefined) return undefined;
  const about = found.transactionId ?? found.movementId ?? found.creditId ?? found.id;
  const entries = found.closedAtMs === null ? [] : await readEntriesAbout(deps, about);
  // The change that closes a case gives its postings the time at which the case was closed.
  const ending = entries.filter(({ atMs }) => atMs === found.closedAtMs);
  return {
    case: renderCase(found),
    ...(await readQuestion(found, deps)),
    entries: ending.map((each) => renderEntry(each, deps.networks)),
  };
}
