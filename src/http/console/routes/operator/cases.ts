// Cases: what happened, how much it is about, and of whom. A case ends by a proposal on its id (review-body.ts).
import { Type } from 'typebox';
import { readEntriesAbout } from '../../../../app/ledger/browse-ledger.ts';
import { OPEN_QUESTIONS } from '../../../../domain/records/change.ts';
import { CASE_WORDS } from '../../../../domain/review/waiting-words.ts';
import { fail, ok } from '../../../../domain/values/result.ts';
import type { CaseRecord } from '../../../../ports/operations/case-record.ts';
import { nairaText } from '../../operations/amounts.ts';
import { questionShape, readQuestion } from '../../operations/case-question.ts';
import { idPage, idPageOf, pageOfIds } from '../../operations/queries.ts';
import { NO_SUCH_RECORD } from '../../refusals.ts';
import { isoTime } from '../../render.ts';
import { type ConsoleRoute, operatorRoute } from '../../route.ts';
import * as schemas from '../../schemas.ts';
import { entry, renderEntry } from '../money/ledger.ts';
import { modeOf } from './reviews.ts';

const GET = { method: 'GET', tag: 'Stops' } as const;
const text = schemas.nullable(Type.String());
const STATES = ['open', 'closed'] as const;
const OUTCOMES = [
  ...(['recovered', 'accepted', 'paid_again', 'sent_back', 'written_off', 'counted'] as const),
  'explained',
  'resolved',
] as const;

export const oneCase = Type.Object({
  id: Type.String(),
  kind: Type.String({ enum: ['credit_reversed', 'payout_returned', 'payout_paid_late', ...OPEN_QUESTIONS] }),
  what: Type.String({ description: 'What happened.' }),
  mode: schemas.mode,
  state: Type.String({ enum: [...STATES] }),
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
    Type.String({
      enum: [...OUTCOMES],
      description:
        'How it ended. Null while it is open, and of a case that an earlier version closed by hand.',
    }),
  ),
});

export function renderCase(given: CaseRecord) {
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
        state: Type.Optional(Type.String({ enum: [...STATES], default: 'open' })),
        ...idPage,
      }),
      answer: { cases: Type.Array(oneCase), next_cursor: text },
      refusals: ['filter_invalid', 'cursor_invalid'],
    },
    async ({ query }, { operations }) => {
      const mode = modeOf(query);
      if (!mode.ok) return mode;
      const state = STATES.find((each) => each === (query.state ?? 'open'));
      if (state === undefined)
        return fail({ code: 'filter_invalid', message: `state must be one of ${STATES.join(', ')}.` });
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
