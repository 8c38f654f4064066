// The review queue and one of its records, for the pages of the operator. This file also previews an action before a person
// proposes it.
import { Type } from 'typebox';
import { previewReview } from '../../../../app/operations/preview-review.ts';
import { readReview } from '../../../../app/operations/read-review.ts';
import { fail, ok } from '../../../../domain/values/result.ts';
import { queueKind, renderQueueKinds } from '../../../../renderings/queue.ts';
import { preview, readSubjectContext, renderPreview } from '../../../../renderings/review.ts';
import { renderReview, reviewAnswer } from '../../../../renderings/review-of-record.ts';
import { modeField, readMode } from '../../operations/queries.ts';
import { NO_SUCH_RECORD } from '../../refusals.ts';
import { type ConsoleRoute, operatorRoute } from '../../route.ts';
import { reviewFailure } from './decisions.ts';
import { ReviewBody, reviewRequestOf } from './review-body.ts';

const TAG = { tag: 'Reviews' } as const;
const QUEUE_LIMIT = 100;

const queueRoute = operatorRoute(
  'operations.read',
  'several',
  {
    ...TAG,
    method: 'GET',
    path: '/review-queue',
    name: 'getReviewQueue',
    summary: 'Read the review queue of one mode by kind: the number of records, and the oldest ones',
    query: Type.Object(modeField),
    answer: { kinds: Type.Array(queueKind) },
    refusals: ['filter_invalid'],
  },
  async ({ query }, deps) => {
    const mode = readMode(query);
    if (!mode.ok) return mode;
    const [found, sums] = await Promise.all([
      deps.reviewDesk.listQueue(QUEUE_LIMIT, mode.value),
      deps.operations.waiting(mode.value, deps.clock.now(), 0),
    ]);
    const context = await readSubjectContext(
      deps,
      found.transactions.map(({ businessId }) => businessId),
    );
    return ok({ kinds: renderQueueKinds(mode.value, found, sums, context) });
  },
);

const reviewRoute = operatorRoute(
  'operations.read',
  'record',
  {
    ...TAG,
    method: 'GET',
    path: '/reviews/:record_id',
    name: 'getReview',
    summary: 'Read a record with its possible buys, its possible actions, and its proposals',
    query: Type.Object({
      compare: Type.Optional(
        Type.String({ description: 'The id of a transaction to compare with a bank credit.' }),
      ),
    }),
    answer: reviewAnswer,
    refusals: ['not_found', 'filter_invalid'],
  },
  async ({ params, query, actor }, deps) => {
    const { compare } = query;
    const compareWith = typeof compare === 'string' && compare !== '' ? compare : null;
    const found = await readReview(deps, { id: params.record_id!, actor, compareWith });
    return found === undefined ? fail(NO_SUCH_RECORD) : ok(await renderReview(deps, found));
  },
);

const previewRoute = operatorRoute(
  'operations.read',
  'several',
  {
    ...TAG,
    method: 'POST',
    path: '/reviews/preview',
    name: 'previewReview',
    summary: 'Preview the postings and effects of a proposal if it were approved now; nothing is written',
    body: ReviewBody,
    answer: { preview },
    refusals: ['not_found', 'invalid', 'not_possible'],
  },
  async ({ body, actor }, deps) => {
    const request = reviewRequestOf(body);
    if (!request.ok) return request;
    const found = await previewReview(deps, request.value, actor);
    if (!found.ok) return reviewFailure(found.error);
    return ok({ preview: renderPreview(found.value, await readSubjectContext(deps, [])) });
  },
);

export const reviewPageRoutes: readonly ConsoleRoute[] = [queueRoute, reviewRoute, previewRoute];
