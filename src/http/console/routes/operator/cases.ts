// Cases: what happened, how much it is about, and of whom. A case ends by a proposal on its id (review-body.ts).
import { Type } from 'typebox';
import { readEntriesAbout } from '../../../../app/ledger/browse-ledger.ts';
import { CASE_WORDS } from '../../../../domain/review/waiting-words.ts';
import { fail, ok } from '../../../../domain/values/result.ts';
import type { CaseRecord } from '../../../../ports/operations/case-record.ts';
import { nairaText } from '../../operations/amounts.ts';
import { questionShape, readQuestion } from '../../operations/case-question.ts';
import { CASE_KINDS, CASE_OUTCOMES, CASE_STATES } from '../../operations/case-words.ts';
import { idPage, idPageOf, pageOfIds } from '../../operations/queries.ts';
import { NO_SUCH_RECORD } from '../../refusals.ts';
import { isoTime } from '../../render.ts';
import { type ConsoleRoute, operatorRoute } from '../../route.ts';
import * as schemas from '../../schemas.ts';
import { entry, renderEntry } from '../money/ledger.ts';
import { modeOf } from './reviews.ts';

const GET = { method: 'GET', tag: 'Stops' } as const;
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
    Type.String({ description: 'The report, the difference, the credit or the deposit that it is about.' }),
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
        'How it ended. Null while it is open, and of a case that an earlier version closed by hand.',
    }),
  ),
};
export const oneCase = schemas.named('Case', Type.Object(caseFields));

export function renderCase(given: CaseRecord): schemas.Shown<typeof oneCase> {
  return {
    id: given.id,
    kind: given.kind,
    what: CASE_WORDS[given.kind],
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
    closed_at: given.closedAtMs === null ? null : isoTime(given.closedAtMs),
    closed_by: given.closedBy,
    outcome: given.outcome,
  };
}

export const caseRoutes: readonly ConsoleRoute[] = [
  operatorRoute(
    'operations.read',
    'several',
    {
      ...GET,
      path: '/cases',
      name: 'listCases',
      summary: 'List the recovery cases, the newest first; the open ones unless state is closed',
      query: Type.Object({
        mode: Type.Optional(schemas.mode),
        state: Type.Optional(schemas.oneOf(CASE_STATES, { default: 'open' })),
        ...idPage,
      }),
      answer: { cases: Type.Array(oneCase), next_cursor: text },
      refusals: ['filter_invalid', 'cursor_invalid'],
    },
    async ({ query }, { operations }) => {
      const mode = modeOf(query);
      if (!mode.ok) return mode;
      const state = CASE_STATES.find((each) => each === (query.state ?? 'open'));
      if (state === undefined)
        return fail({ code: 'filter_invalid', message: `state must be one of ${CASE_STATES.join(', ')}.` });
      const page = idPageOf(query);
      if (!page.ok) return page;
      const { after, limit } = page.value;
      const filter = { mode: mode.value ?? null, open: state === 'open', after, limit: limit + 1 };
      const { shown, nextCursor } = pageOfIds(await operations.listCases(filter), limit);
      return ok({ cases: shown.map(renderCase), next_cursor: nextCursor });
    },
  ),
  operatorRoute(
    'operations.read',
    'record',
    {
      ...GET,
      path: '/cases/:record_id',
      name: 'getCase',
      summary: 'Read a case: what it asks about, and of a closed one the postings that ended it',
      answer: { case: oneCase, ...questionShape, entries: Type.Array(entry) },
      refusals: ['not_found'],
    },
    async ({ params }, deps) => {
      const found = await deps.operations.findCase(params.record_id!);
      if (found === undefined) return fail(NO_SUCH_RECORD);
      const about = found.transactionId ?? found.movementId ?? found.creditId ?? found.id;
      const entries = found.closedAtMs === null ? [] : await readEntriesAbout(deps, about);
      // The change that closes a case writes its postings, at the same moment.
      const ending = entries.filter(({ atMs }) => atMs === found.closedAtMs);
      return ok({
        case: renderCase(found),
        ...(await readQuestion(found, deps)),
        entries: ending.map((each) => renderEntry(each, deps.networks)),
      });
    },
  ),
];
