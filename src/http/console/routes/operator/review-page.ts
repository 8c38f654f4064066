// The review queue and one record of it as the pages show them, and what an action would do before anyone proposes it.
import { Type } from 'typebox';
import { previewReview } from '../../../../app/operations/preview-review.ts';
import { type ReviewOfRecord, readReview } from '../../../../app/operations/read-review.ts';
import type { BankCredit } from '../../../../domain/records/credit.ts';
import { PUBLIC_REASONS } from '../../../../domain/records/reasons.ts';
import { fail, ok } from '../../../../domain/values/result.ts';
import type { ReviewQueue } from '../../../../ports/review-desk.ts';
import type { ConsoleDeps } from '../../deps.ts';
import { nairaOrNull } from '../../operations/amounts.ts';
import { contextOf } from '../../operations/context.ts';
import { modeIn, oneMode } from '../../operations/queries.ts';
import {
  renderAction,
  renderCandidate,
  renderPreview,
  renderShownProposal,
} from '../../operations/render-review.ts';
import { renderCreditInReview, renderSubject, type SubjectContext } from '../../operations/render-subject.ts';
import { NO_SUCH_RECORD } from '../../refusals.ts';
import { isoTime, renderRecord } from '../../render.ts';
import { type ConsoleRoute, operatorRoute } from '../../route.ts';
import * as schemas from '../../schemas.ts';
import { refusedReview } from './decisions.ts';
import { ReviewBody, reviewRequestOf } from './review-body.ts';

const TAG = { tag: 'Reviews' } as const;
const records = Type.Array(schemas.record);
/** Of each kind: reviewers take the oldest first. */
const QUEUE_LIMIT = 100;
const KINDS = ['credits', 'transactions', 'deposits', 'refunds', 'notices', 'quarantined'] as const;

const tab = Type.Object({
  kind: Type.String({ enum: [...KINDS] }),
  count: Type.Integer({ description: 'Of all that wait; 10000 means that many or more.' }),
  amount: schemas.nullable(Type.String({ description: 'In naira, of all that wait.' })),
  since: schemas.nullable(schemas.time),
  records,
});

const queue = operatorRoute(
  'operations.read',
  'several',
  {
    ...TAG,
    method: 'GET',
    path: '/review-queue',
    name: 'getReviewQueue',
    summary: 'Read the review queue of one mode by kind: how much waits, and the oldest of it',
    query: Type.Object(oneMode),
    answer: { kinds: Type.Array(tab) },
    refusals: ['filter_invalid'],
  },
  async ({ query }, deps) => {
    const mode = modeIn(query);
    if (!mode.ok) return mode;
    const [found, sums] = await Promise.all([
      deps.reviewDesk.listQueue(QUEUE_LIMIT, mode.value),
      deps.operations.waiting(mode.value, deps.clock.now(), 0),
    ]);
    const context = await contextOf(
      deps,
      found.transactions.map(({ businessId }) => businessId),
    );
    return ok({
      kinds: KINDS.map((kind) => {
        const sum = sums.find((each) => each.kind === (kind === 'transactions' ? 'holds' : kind));
        const rows = renderRows(found, kind, context);
        return {
          ...{ kind, count: sum?.count ?? 0, amount: nairaOrNull(sum?.totalMinor ?? null) },
          ...{ since: sum === undefined ? null : isoTime(sum.sinceMs), records: rows },
        };
      }),
    });
  },
);

function renderRows(found: ReviewQueue, kind: (typeof KINDS)[number], context: SubjectContext): unknown[] {
  if (kind === 'quarantined') return found.quarantined.map((each) => renderRecord(each));
  if (kind === 'credits') return found.credits.map(renderCreditInReview);
  return found[kind].map((each) => renderSubject(each, context));
}

const review = operatorRoute(
  'operations.read',
  'record',
  {
    ...TAG,
    method: 'GET',
    path: '/reviews/:record_id',
    name: 'getReview',
    summary: 'Read a record with the buys it may pay, what can be done with it, and the proposals about it',
    query: Type.Object({
      compare: Type.Optional(Type.String({ description: 'A transaction to compare with a bank credit.' })),
    }),
    answer: {
      subject: schemas.record,
      candidates: records,
      actions: records,
      proposals: records,
      credits: records,
      deposits: records,
      movements: records,
      timeline: records,
      public_reasons: Type.Array(Type.String()),
    },
    refusals: ['not_found', 'filter_invalid'],
  },
  async ({ params, query, actor }, deps) => {
    const { compare } = query;
    const compareWith = typeof compare === 'string' && compare !== '' ? compare : null;
    const found = await readReview(deps, { id: params.record_id!, actor, compareWith });
    return found === undefined ? fail(NO_SUCH_RECORD) : ok(await renderReview(deps, found));
  },
);

async function renderReview(deps: ConsoleDeps, { found, ...rest }: ReviewOfRecord): Promise<object> {
  const { businessId = null } = found.record as { readonly businessId?: string | null };
  const businesses = rest.candidates.map(({ transaction }) => transaction.businessId);
  const context = await contextOf(deps, [businessId, ...businesses]);
  return {
    subject: renderSubject(found.record, context),
    candidates: rest.candidates.map((each) => renderCandidate(found.record as BankCredit, each, context)),
    actions: rest.actions.map(renderAction),
    proposals: rest.proposals.map((each) => renderShownProposal(each, context)),
    credits: found.credits.map((each) => renderSubject(each, context)),
    deposits: found.deposits.map((each) => renderSubject(each, context)),
    movements: found.movements.map((each) => renderSubject(each, context)),
    timeline: found.timeline.map((each) => renderRecord(each)),
    public_reasons: PUBLIC_REASONS,
  };
}

const preview = operatorRoute(
  'operations.read',
  'several',
  {
    ...TAG,
    method: 'POST',
    path: '/reviews/preview',
    name: 'previewReview',
    summary: 'Read what a proposal would post and do if it were approved now; nothing is written',
    body: ReviewBody,
    answer: { preview: schemas.record },
    refusals: ['not_found', 'invalid', 'not_possible'],
  },
  async ({ body, actor }, deps) => {
    const request = reviewRequestOf(body);
    if (!request.ok) return request;
    const previewed = await previewReview(deps, request.value, actor);
    if (!previewed.ok) return refusedReview(previewed.error);
    return ok({ preview: renderPreview(previewed.value, await contextOf(deps, [])) });
  },
);

export const reviewPageRoutes: readonly ConsoleRoute[] = [queue, review, preview];
