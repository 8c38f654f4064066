// The review queue and one record of it as the pages show them, and what an action would do before anyone proposes it.
import { type TObject, type TSchema, Type } from 'typebox';
import { previewReview } from '../../../../app/operations/preview-review.ts';
import { type ReviewOfRecord, readReview } from '../../../../app/operations/read-review.ts';
import type { BankCredit } from '../../../../domain/records/credit.ts';
import { PUBLIC_REASONS } from '../../../../domain/records/reasons.ts';
import { STATES } from '../../../../domain/records/states.ts';
import { fail, ok } from '../../../../domain/values/result.ts';
import type { WaitingSum } from '../../../../ports/operations/operations-desk.ts';
import type { QuarantinedLine, ReviewQueue } from '../../../../ports/review-desk.ts';
import type { TimelineLine } from '../../../../ports/store/reads.ts';
import { renderRecord } from '../../../../renderings/parts/record.ts';
import * as schemas from '../../../../renderings/parts/schemas.ts';
import { isoTime, nairaOrNull } from '../../../../renderings/parts/values.ts';
import { contextOf } from '../../../../renderings/review/context.ts';
import { renderShownProposal, shownProposal } from '../../../../renderings/review/proposals.ts';
import {
  candidate,
  possibleAction,
  preview,
  renderAction,
  renderCandidate,
  renderPreview,
} from '../../../../renderings/review/review.ts';
import {
  creditSubject,
  depositSubject,
  movementSubject,
  noticeSubject,
  queuedCredit,
  renderCredit,
  renderCreditInReview,
  renderDeposit,
  renderMovement,
  renderNotice,
  renderSubject,
  renderTransactionSubject,
  type SubjectContext,
  subject,
  transactionSubject,
} from '../../../../renderings/review/subjects.ts';
import type { ConsoleDeps } from '../../deps.ts';
import { modeIn, oneMode } from '../../operations/queries.ts';
import { NO_SUCH_RECORD } from '../../refusals.ts';
import { type ConsoleRoute, operatorRoute } from '../../route.ts';
import { refusedReview } from './decisions.ts';
import { ReviewBody, reviewRequestOf } from './review-body.ts';
import { publicReason } from './reviews.ts';

const TAG = { tag: 'Reviews' } as const;
/** Of each kind: reviewers take the oldest first. */
const QUEUE_LIMIT = 100;

const quarantined = schemas.named(
  'QuarantinedLine',
  Type.Object({
    ...{ id: Type.String(), mode: schemas.mode, source: Type.String(), reason: Type.String() },
    at: schemas.time,
  }),
);
const tab = <Kind extends string, Row extends TSchema>(kind: Kind, row: Row) =>
  Type.Object({
    kind: Type.Literal(kind),
    count: Type.Integer({ description: 'Of all that wait; 10000 means that many or more.' }),
    amount: schemas.nullable(Type.String({ description: 'In naira, of all that wait.' })),
    since: schemas.nullable(schemas.time),
    records: Type.Array(row),
  });
const queueKind = schemas.named(
  'QueueKind',
  Type.Union([
    tab('credits', queuedCredit),
    tab('transactions', transactionSubject),
    tab('deposits', depositSubject),
    tab('refunds', movementSubject),
    tab('notices', noticeSubject),
    tab('quarantined', quarantined),
  ]),
);
type QueueKind = schemas.Shown<typeof queueKind>['kind'];

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
    answer: { kinds: Type.Array(queueKind) },
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
    return ok({ kinds: renderQueue(found, sums, context) });
  },
);

function renderQueue(
  found: ReviewQueue,
  sums: readonly WaitingSum[],
  context: SubjectContext,
): readonly schemas.Shown<typeof queueKind>[] {
  const head = <Kind extends QueueKind>(kind: Kind) => {
    const sum = sums.find((each) => each.kind === (kind === 'transactions' ? 'holds' : kind));
    return {
      ...{ kind, count: sum?.count ?? 0, amount: nairaOrNull(sum?.totalMinor ?? null) },
      since: sum === undefined ? null : isoTime(sum.sinceMs),
    };
  };
  const { transactions, deposits, refunds } = found;
  return [
    { ...head('credits'), records: found.credits.map(renderCreditInReview) },
    {
      ...head('transactions'),
      records: transactions.map((each) => renderTransactionSubject(each, context)),
    },
    { ...head('deposits'), records: deposits.map((each) => renderDeposit(each, context)) },
    { ...head('refunds'), records: refunds.map((each) => renderMovement(each, context)) },
    { ...head('notices'), records: found.notices.map(renderNotice) },
    { ...head('quarantined'), records: found.quarantined.map(renderQuarantined) },
  ];
}

function renderQuarantined(line: QuarantinedLine): schemas.Shown<typeof quarantined> {
  const { id, mode, source, reason, atMs } = line;
  return { id, mode, source, reason, at: isoTime(atMs) };
}

const timelineLine = schemas.named(
  'RecordTimelineLine',
  Type.Object({
    ...{ from: schemas.nullable(schemas.oneOf(STATES)), to: schemas.oneOf(STATES), actor: Type.String() },
    ...{ reason: Type.String(), evidence: schemas.nullable(schemas.record), at: schemas.time },
  }),
);
const reviewShape = {
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
    answer: reviewShape,
    refusals: ['not_found', 'filter_invalid'],
  },
  async ({ params, query, actor }, deps) => {
    const { compare } = query;
    const compareWith = typeof compare === 'string' && compare !== '' ? compare : null;
    const found = await readReview(deps, { id: params.record_id!, actor, compareWith });
    return found === undefined ? fail(NO_SUCH_RECORD) : ok(await renderReview(deps, found));
  },
);

async function renderReview(
  deps: ConsoleDeps,
  { found, ...rest }: ReviewOfRecord,
): Promise<schemas.Shown<TObject<typeof reviewShape>>> {
  const { businessId = null } = found.record as { readonly businessId?: string | null };
  const businesses = rest.candidates.map(({ transaction }) => transaction.businessId);
  const context = await contextOf(deps, [businessId, ...businesses]);
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

function renderTimelineLine(line: TimelineLine): schemas.Shown<typeof timelineLine> {
  const { from, to, actor, reason, evidence, atMs } = line;
  return { from, to, actor, reason, evidence: evidence && renderRecord(evidence), at: isoTime(atMs) };
}

const previewed = operatorRoute(
  'operations.read',
  'several',
  {
    ...TAG,
    method: 'POST',
    path: '/reviews/preview',
    name: 'previewReview',
    summary: 'Read what a proposal would post and do if it were approved now; nothing is written',
    body: ReviewBody,
    answer: { preview },
    refusals: ['not_found', 'invalid', 'not_possible'],
  },
  async ({ body, actor }, deps) => {
    const request = reviewRequestOf(body);
    if (!request.ok) return request;
    const found = await previewReview(deps, request.value, actor);
    if (!found.ok) return refusedReview(found.error);
    return ok({ preview: renderPreview(found.value, await contextOf(deps, [])) });
  },
);

export const reviewPageRoutes: readonly ConsoleRoute[] = [queue, review, previewed];
