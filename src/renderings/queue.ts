// Renders the review queue of one mode by kind: how many records wait, and the oldest record.
import { type TSchema, Type } from 'typebox';
import type { Mode } from '../domain/values/mode.ts';
import type { WaitingSum } from '../ports/operations/operations-store.ts';
import type { QuarantinedLine, ReviewQueue } from '../ports/review-store.ts';
import * as schemas from './parts/schemas.ts';
import { isoTime, nairaOrNull } from './parts/values.ts';
import {
  depositSubject,
  movementSubject,
  noticeSubject,
  queuedCredit,
  renderCreditInReview,
  renderDeposit,
  renderMovement,
  renderNotice,
  renderTransactionSubject,
  type SubjectContext,
  transactionSubject,
} from './subjects.ts';

const quarantinedLine = schemas.nameSchema(
  'QuarantinedLine',
  Type.Object({
    ...{ id: Type.String(), mode: schemas.mode, source: Type.String(), reason: Type.String() },
    at: schemas.time,
  }),
);
const queueKindOf = <Kind extends string, Row extends TSchema>(kind: Kind, row: Row) =>
  Type.Object({
    mode: schemas.mode,
    kind: Type.Literal(kind),
    count: Type.Integer({ description: 'Number of all waiting records; 10000 means 10000 or more.' }),
    amount: schemas.nullable(Type.String({ description: 'The total amount, in naira.' })),
    since: schemas.nullable(schemas.time),
    records: Type.Array(row),
  });
export const queueKind = schemas.nameSchema(
  'QueueKind',
  Type.Union([
    queueKindOf('credits', queuedCredit),
    queueKindOf('transactions', transactionSubject),
    queueKindOf('deposits', depositSubject),
    queueKindOf('refunds', movementSubject),
    queueKindOf('notices', noticeSubject),
    queueKindOf('quarantined', quarantinedLine),
  ]),
);
type QueueKind = schemas.JsonOf<typeof queueKind>['kind'];

export function renderQueueKinds(
  mode: Mode,
  found: ReviewQueue,
  sums: readonly WaitingSum[],
  context: SubjectContext,
): readonly schemas.JsonOf<typeof queueKind>[] {
  const head = <Kind extends QueueKind>(kind: Kind) => {
    const sum = sums.find((each) => each.kind === (kind === 'transactions' ? 'holds' : kind));
    return {
      ...{ mode, kind, count: sum?.count ?? 0, amount: nairaOrNull(sum?.totalMinor ?? null) },
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

function renderQuarantined(line: QuarantinedLine): schemas.JsonOf<typeof quarantinedLine> {
  const { id, mode, source, reason, atMs } = line;
  return { id, mode, source, reason, at: isoTime(atMs) };
}
