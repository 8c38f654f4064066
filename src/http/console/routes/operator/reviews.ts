// Money that needs a review: the queue, one record with its related records, and the rejection of a buy that received no money.
import { Type } from 'typebox';
import { readRecord } from '../../../../app/review/read-record.ts';
import { rejectTransaction } from '../../../../app/review/reject-transaction.ts';
import { STATES } from '../../../../domain/records/states.ts';
import { isMode, type Mode } from '../../../../domain/values/mode.ts';
import { fail, ok, type Result } from '../../../../domain/values/result.ts';
import * as schemas from '../../../../renderings/parts/schemas.ts';
import {
  queueAnswer,
  recordAnswer,
  renderQueue,
  renderRecordWithRest,
} from '../../../../renderings/records.ts';
import { publicReason } from '../../../../renderings/review-of-record.ts';
import * as fields from '../../fields.ts';
import { type ConsoleRefusal, NO_SUCH_RECORD } from '../../refusals.ts';
import { type ConsoleRoute, operatorRoute } from '../../route.ts';
import { reviewFailure } from './decisions.ts';

const TAG = { tag: 'Reviews' } as const;
/** The queue contains at most this number of records of each kind. */
const QUEUE_LIMIT = 100;

export const modeQuery = Type.Object({ mode: Type.Optional(schemas.mode) });

/** Undefined if the request asks for both modes. */
export function readModeFilter(
  query: Readonly<Record<string, unknown>>,
): Result<Mode | undefined, ConsoleRefusal> {
  const { mode } = query;
  if (mode === undefined) return ok(undefined);
  if (typeof mode === 'string' && isMode(mode)) return ok(mode);
  return fail({ code: 'filter_invalid', message: 'mode must be live or test.' });
}

export const reviewRoutes: readonly ConsoleRoute[] = [
  operatorRoute(
    'operations.read',
    'several',
    {
      ...TAG,
      method: 'GET',
      path: '/reviews',
      name: 'listReviews',
      summary: 'List the records that need a review, oldest first',
      query: modeQuery,
      answer: queueAnswer,
      refusals: ['filter_invalid'],
    },
    async ({ query }, { reviewDesk, clock }) => {
      const mode = readModeFilter(query);
      if (!mode.ok) return mode;
      const queue = await reviewDesk.listQueue(QUEUE_LIMIT, mode.value);
      const unknownPayouts = await reviewDesk.unknownPayouts(clock.now(), QUEUE_LIMIT, mode.value);
      return ok(renderQueue(queue, unknownPayouts));
    },
  ),
  operatorRoute(
    'operations.read',
    'record',
    {
      ...TAG,
      method: 'GET',
      path: '/records/:record_id',
      name: 'getRecord',
      summary: 'Read a transaction, credit, deposit, movement, notice or case with its related records',
      answer: recordAnswer,
      refusals: ['not_found'],
    },
    async ({ params }, deps) => {
      const found = await readRecord(deps, params.record_id!);
      return found === undefined ? fail(NO_SUCH_RECORD) : ok(renderRecordWithRest(found));
    },
  ),
  operatorRoute(
    'money.propose',
    'nothing',
    {
      ...TAG,
      method: 'POST',
      path: '/transactions/:transaction_id/reject',
      name: 'rejectTransaction',
      summary: 'Reject a buy on hold that received no money; one person is enough',
      body: Type.Object({ public_reason: publicReason, note: fields.reason }),
      answer: { transaction_id: Type.String(), state: schemas.oneOf(STATES) },
      refusals: ['not_found', 'invalid', 'not_possible', 'busy'],
    },
    async ({ actor, params, body }, deps) => {
      const given = {
        transactionId: params.transaction_id!,
        note: body.note,
        publicReason: body.public_reason,
      };
      const rejected = await rejectTransaction(deps, { ...given, actor });
      if (!rejected.ok) return reviewFailure(rejected.error);
      return ok({ transaction_id: rejected.value.id, state: rejected.value.state });
    },
  ),
];
