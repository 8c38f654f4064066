// Payouts and bank refunds for the operator: a list, and one payout with all its attempts. The list begins with payouts whose
// outcome has been unknown for a long time. The newest payouts follow.
import { Type } from 'typebox';
import { fail, ok } from '../../../../domain/values/result.ts';
import { caseShape, renderCase } from '../../../../renderings/cases.ts';
import * as schemas from '../../../../renderings/parts/schemas.ts';
import {
  attemptShape,
  PAYOUT_STATES,
  payoutShape,
  renderAttempt,
  renderPayout,
  toPayoutRow,
} from '../../../../renderings/payouts.ts';
import { cutIdPage, idPageFields, modeField, readIdPage, readMode } from '../../operations/queries.ts';
import { NO_SUCH_RECORD } from '../../refusals.ts';
import { type ConsoleRoute, operatorRoute } from '../../route.ts';

const GET = { method: 'GET', tag: 'Rails' } as const;
const RAIL = /^[\x21-\x7e]{1,60}$/;
/** The list shows at most this number of payouts whose outcome has been unknown for a long time, the oldest first. */
const UNKNOWN_SHOWN = 20;

const listRoute = operatorRoute(
  'operations.read',
  'several',
  {
    ...GET,
    path: '/payouts',
    name: 'listPayouts',
    summary: 'List the payouts and bank refunds of one mode, newest first',
    query: Type.Object({
      ...modeField,
      state: Type.Optional(schemas.oneOf(PAYOUT_STATES)),
      rail: Type.Optional(Type.String({ description: 'Only payouts with an attempt on this rail.' })),
      ...idPageFields,
    }),
    answer: {
      payouts: Type.Array(payoutShape),
      unknown_for_long: Type.Array(payoutShape, {
        description:
          'Payouts whose outcome has been unknown for a long time, oldest first. The filters do not apply. Only on the first page.',
      }),
      next_cursor: schemas.nullable(Type.String()),
    },
    refusals: ['filter_invalid', 'cursor_invalid'],
  },
  async ({ query }, deps) => {
    const mode = readMode(query);
    if (!mode.ok) return mode;
    const page = readIdPage(query);
    if (!page.ok) return page;
    const state = PAYOUT_STATES.find((each) => each === query.state) ?? null;
    if (query.state !== undefined && state === null)
      return fail({ code: 'filter_invalid', message: `state must be one of ${PAYOUT_STATES.join(', ')}.` });
    const { rail = null } = query;
    if (rail !== null && (typeof rail !== 'string' || !RAIL.test(rail)))
      return fail({ code: 'filter_invalid', message: 'rail must be the name of a rail.' });
    const { after, limit } = page.value;
    const filter = { mode: mode.value, state, rail, after, limit: limit + 1 };
    const [found, unknown] = await Promise.all([
      deps.operations.listPayouts(filter),
      after === null ? deps.reviewDesk.unknownPayouts(deps.clock.now(), UNKNOWN_SHOWN, mode.value) : [],
    ]);
    const { shown, nextCursor } = cutIdPage(found, limit);
    return ok({
      payouts: shown.map((each) => renderPayout(each, deps)),
      unknown_for_long: unknown.map((each) => renderPayout(toPayoutRow(each), deps)),
      next_cursor: nextCursor,
    });
  },
);

const readRoute = operatorRoute(
  'operations.read',
  'record',
  {
    ...GET,
    path: '/payouts/:record_id',
    name: 'getPayout',
    summary: 'Read a payout or a bank refund with all its attempts and cases',
    answer: {
      payout: payoutShape,
      attempts: Type.Array(attemptShape),
      cases: Type.Array(caseShape),
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

export const payoutRoutes: readonly ConsoleRoute[] = [listRoute, readRoute];
