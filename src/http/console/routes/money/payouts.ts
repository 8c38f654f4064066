// Payouts and refunds by bank: those whose outcome is unknown for long first, then the newest; and one with every attempt at it.
import { Type } from 'typebox';
import { memoryOf, waitsOf } from '../../../../domain/movements/outcome-memory.ts';
import type { AccountDestination, MovementState } from '../../../../domain/records/movement.ts';
import { fail, ok } from '../../../../domain/values/result.ts';
import type { PayoutAttempt, PayoutRow } from '../../../../ports/operations/payout-list.ts';
import type { UnknownPayout } from '../../../../ports/review-desk.ts';
import type { ConsoleDeps } from '../../deps.ts';
import { nairaText } from '../../operations/amounts.ts';
import { idPage, idPageOf, modeIn, oneMode, pageOfIds } from '../../operations/queries.ts';
import { NO_SUCH_RECORD } from '../../refusals.ts';
import { isoTime, renderRecord } from '../../render.ts';
import { type ConsoleRoute, operatorRoute } from '../../route.ts';
import * as schemas from '../../schemas.ts';
import { oneCase, renderCase } from '../operator/cases.ts';

const GET = { method: 'GET', tag: 'Rails' } as const;
const STATES = [
  ...(['pending', 'sending', 'unknown', 'done', 'failed', 'returned'] as const),
] satisfies readonly MovementState[];
const RAIL = /^[\x21-\x7e]{1,60}$/;
/** The oldest of those that are unknown for long. */
const UNKNOWN_SHOWN = 20;

const text = Type.String();
const maybe = schemas.nullable;

const payoutFields = {
  id: text,
  kind: schemas.oneOf(['payout', 'refund']),
  mode: schemas.mode,
  state: schemas.oneOf(STATES),
  reason: maybe(Type.String({ description: 'Why it is in this state, where there is a reason.' })),
  amount: Type.String({ description: 'In naira, for example "15000.00".' }),
  to: maybe(Type.Object({ bank_code: text, bank: text, account_number: text, account_name: maybe(text) })),
  from_account: maybe(Type.String({ description: 'Our bank account that its naira are set aside in.' })),
  rail: maybe(Type.String({ description: 'Of the last attempt.' })),
  reference: maybe(Type.String({ description: 'Of the last attempt, as the bank knows it.' })),
  attempts: Type.Integer(),
  next_try_at: maybe(schemas.time),
  sure_at: maybe(
    Type.String({
      description:
        'Of one that the bank refused: about when it is certain that the bank does not pay it after all. Until then nothing else is done.',
    }),
  ),
  needs_people: Type.Boolean({
    description:
      'The bank does not tell what became of it: two people find out and record it (paid, unpaid).',
  }),
  business_id: maybe(text),
  business_name: maybe(text),
  transaction_id: maybe(text),
  credit_id: maybe(text),
  case_id: maybe(Type.String({ description: 'The open case about it.' })),
  created_at: schemas.time,
  updated_at: schemas.time,
};
const payout = schemas.named('Payout', Type.Object(payoutFields));
const attempt = schemas.named(
  'PayoutAttempt',
  Type.Object({
    no: Type.Integer(),
    rail: maybe(text),
    reference: text,
    state: schemas.oneOf(['prepared', 'accepted', 'unknown', 'rejected', 'landed', 'failed', 'dead']),
    said: maybe(Type.String({ description: 'What the bank said about it last.' })),
    evidence: maybe(schemas.record),
    at: schemas.time,
    updated_at: schemas.time,
  }),
);

const list = operatorRoute(
  'operations.read',
  'several',
  {
    ...GET,
    path: '/payouts',
    name: 'listPayouts',
    summary: 'List the payouts and refunds by bank of one mode, the newest first',
    query: Type.Object({
      ...oneMode,
      state: Type.Optional(schemas.oneOf(STATES)),
      rail: Type.Optional(Type.String({ description: 'Only those with an attempt on this rail.' })),
      ...idPage,
    }),
    answer: {
      payouts: Type.Array(payout),
      unknown_for_long: Type.Array(payout, {
        description: 'Of all, the oldest first, whatever the filter says; on the first page alone.',
      }),
      next_cursor: maybe(text),
    },
    refusals: ['filter_invalid', 'cursor_invalid'],
  },
  async ({ query }, deps) => {
    const mode = modeIn(query);
    if (!mode.ok) return mode;
    const page = idPageOf(query);
    if (!page.ok) return page;
    const state = STATES.find((each) => each === query.state) ?? null;
    if (query.state !== undefined && state === null)
      return fail({ code: 'filter_invalid', message: `state must be one of ${STATES.join(', ')}.` });
    const { rail = null } = query;
    if (rail !== null && (typeof rail !== 'string' || !RAIL.test(rail)))
      return fail({ code: 'filter_invalid', message: 'rail must be the name of a rail.' });
    const { after, limit } = page.value;
    const filter = { mode: mode.value, state, rail, after, limit: limit + 1 };
    const [found, unknown] = await Promise.all([
      deps.operations.listPayouts(filter),
      after === null ? deps.reviewDesk.unknownPayouts(deps.clock.now(), UNKNOWN_SHOWN, mode.value) : [],
    ]);
    const { shown, nextCursor } = pageOfIds(found, limit);
    return ok({
      payouts: shown.map((each) => renderPayout(each, deps)),
      unknown_for_long: unknown.map((each) => renderPayout(withLast(each), deps)),
      next_cursor: nextCursor,
    });
  },
);

const one = operatorRoute(
  'operations.read',
  'record',
  {
    ...GET,
    path: '/payouts/:record_id',
    name: 'getPayout',
    summary: 'Read a payout or a refund by bank with every attempt at it and the cases about it',
    answer: {
      payout,
      attempts: Type.Array(attempt),
      cases: Type.Array(oneCase),
    },
    refusals: ['not_found'],
  },
  async ({ params }, deps) => {
    const found = await deps.operations.findPayout(params.record_id!);
    if (found === undefined) return fail(NO_SUCH_RECORD);
    return ok({
      payout: renderPayout(found.payout, deps),
      attempts: found.attempts.map(renderAttempt),
      cases: found.cases.map(renderCase),
    });
  },
);

export const payoutRoutes: readonly ConsoleRoute[] = [list, one];

function withLast({ tried, ...movement }: UnknownPayout): PayoutRow {
  const last = tried.at(-1);
  return {
    ...movement,
    ...{ rail: last?.rail ?? null, reference: last?.reference ?? null },
    ...{ businessId: null, businessName: null, caseId: null },
    ...waitsOf(movement, last?.evidence ?? null),
  };
}

function renderPayout(row: PayoutRow, { banks }: Pick<ConsoleDeps, 'banks'>): schemas.Shown<typeof payout> {
  const { destination, dueAtMs } = row;
  return {
    // By bank nothing else is paid.
    kind: row.kind as 'payout' | 'refund',
    ...{ id: row.id, mode: row.mode, state: row.state, reason: row.reason },
    amount: nairaText(row.nairaMinor),
    to: destination === null ? null : renderTarget(destination as AccountDestination, banks),
    from_account: row.bankAccount,
    ...{ rail: row.rail, reference: row.reference, attempts: row.attempts },
    next_try_at: dueAtMs === null ? null : isoTime(dueAtMs),
    sure_at: row.sureAtMs === null ? null : isoTime(row.sureAtMs),
    needs_people: row.needsPeople,
    ...{ business_id: row.businessId, business_name: row.businessName },
    ...{ transaction_id: row.transactionId, credit_id: row.creditId, case_id: row.caseId },
    created_at: isoTime(row.createdAtMs),
    updated_at: isoTime(row.updatedAtMs),
  };
}

function renderTarget(
  { bankCode, accountNumber, accountName }: AccountDestination,
  banks: ConsoleDeps['banks'],
) {
  return {
    ...{ bank_code: bankCode, bank: banks.resolve(bankCode)?.name ?? bankCode },
    ...{ account_number: accountNumber, account_name: accountName },
  };
}

function renderAttempt(given: PayoutAttempt): schemas.Shown<typeof attempt> {
  const { no, rail, reference, state, evidence, atMs, updatedAtMs } = given;
  // What is kept as the reason may go on with words of ours.
  const { refusal } = memoryOf({ evidence });
  const said = evidence?.bank_says ?? refusal?.reason ?? evidence?.reason;
  return {
    ...{ no, rail, reference, state, said: typeof said === 'string' ? said : null },
    evidence: evidence === null ? null : renderRecord({ ...evidence }),
    at: isoTime(atMs),
    updated_at: isoTime(updatedAtMs),
  };
}
