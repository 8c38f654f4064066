// Renders a reconciled day, its differences and its links.
import { Type } from 'typebox';
import { describeDifference } from '../domain/reconciliation/describe-difference.ts';
import { DIFFERENCE_REASONS } from '../domain/reconciliation/explain-differences.ts';
import { type BookItem, DIFFERENCE_KINDS, type ReconciliationRow } from '../domain/reconciliation/items.ts';
import { type BookingProposal, proposeBooking } from '../domain/reconciliation/propose-booking.ts';
import { type DaySide, RECONCILED_DAY_STATES } from '../domain/reconciliation/reconcile.ts';
import { LINK_WAYS, type ReconciliationLink } from '../domain/reconciliation/unlinked-pool.ts';
import { CHARGE_KINDS } from '../domain/records/naira-move.ts';
import type { DifferenceWithCase, ReconciledDay } from '../ports/reconciliation.ts';
import * as schemas from './parts/schemas.ts';
import { isoTime, nairaText } from './parts/values.ts';

const text = Type.String();
const nullableText = schemas.nullable(text);
const { oneOf } = schemas;
const sideShape = schemas.nameSchema(
  'DaySide',
  Type.Object({ opening: text, in: text, out: text, charges: text, closing: text }),
);
const itemShape = schemas.nameSchema(
  'BookItem',
  Type.Object({
    entry: text,
    event: text,
    subject_id: text,
    day: text,
    at: schemas.time,
    amount: text,
  }),
);
const rowShape = schemas.nameSchema(
  'StatementRow',
  Type.Object({
    ...{
      id: text,
      day: text,
      kind: oneOf(['payment', 'reversal', 'charge']),
      narration: text,
      reference: nullableText,
      session_id: nullableText,
      amount: text,
    },
  }),
);

export const reconciledDayShape = schemas.nameSchema(
  'ReconciledDay',
  Type.Object({
    mode: schemas.mode,
    account: text,
    day: text,
    state: oneOf(RECONCILED_DAY_STATES),
    books: sideShape,
    statement: schemas.nullable(sideShape),
    rail: schemas.nullable(Type.Object({ balance: text, books: text, at: schemas.time })),
    links: Type.Integer(),
    explained: Type.Integer(),
    unexplained: Type.Integer(),
    explained_amount: text,
    unexplained_amount: text,
    reconciled_at: schemas.time,
  }),
);

const bookingShape = schemas.nameSchema(
  'ProposedBooking',
  Type.Object(
    {
      kind: oneOf(['charge_seen', 'charge_returned', 'moved']),
      charge: schemas.nullable(oneOf(CHARGE_KINDS)),
      amount: text,
      day: text,
      reference: text,
      to: schemas.nullable(Type.String({ description: 'The account that receives the naira of a move.' })),
    },
    { description: 'What the naira command in `next` books, if two people approve it.' },
  ),
);

export const differenceShape = schemas.nameSchema(
  'Difference',
  Type.Object({
    id: text,
    kind: oneOf(DIFFERENCE_KINDS),
    reason: oneOf(DIFFERENCE_REASONS),
    day: text,
    amount: Type.String({ description: 'The amount by which the books exceed the bank.' }),
    explained: Type.Boolean(),
    what: text,
    next: nullableText,
    booking: schemas.nullable(bookingShape),
    case_id: nullableText,
    case_outcome: nullableText,
    item: schemas.nullable(itemShape),
    row: schemas.nullable(rowShape),
  }),
);

export const linkShape = schemas.nameSchema(
  'Link',
  Type.Object({
    way: oneOf(LINK_WAYS),
    items: Type.Array(itemShape),
    rows: Type.Array(rowShape),
  }),
);

export function renderReconciledDay(given: ReconciledDay): schemas.JsonOf<typeof reconciledDayShape> {
  const { mode, account, day, state, links, explained, unexplained, rail } = given;
  return {
    ...{ mode, account, day, state, links, explained, unexplained },
    books: renderSide(given.books),
    statement: given.statement && renderSide(given.statement),
    rail: rail && {
      ...{ balance: nairaText(rail.balanceMinor), books: nairaText(rail.booksMinor) },
      at: isoTime(rail.atMs),
    },
    explained_amount: nairaText(given.explainedMinor),
    unexplained_amount: nairaText(given.unexplainedMinor),
    reconciled_at: isoTime(given.atMs),
  };
}

function renderSide({
  openingMinor,
  inMinor,
  outMinor,
  chargesMinor,
  closingMinor,
}: DaySide): schemas.JsonOf<typeof sideShape> {
  return {
    ...{ opening: nairaText(openingMinor), in: nairaText(inMinor), out: nairaText(outMinor) },
    ...{ charges: nairaText(chargesMinor), closing: nairaText(closingMinor) },
  };
}

export function renderDifference(given: DifferenceWithCase): schemas.JsonOf<typeof differenceShape> {
  const { id, kind, reason, day, caseId, caseOutcome, isExplained, item, row } = given;
  return {
    ...{ id, kind, reason, day, amount: nairaText(given.offMinor), explained: isExplained },
    ...{ ...describeDifference(given), case_id: caseId, case_outcome: caseOutcome },
    booking: renderBooking(proposeBooking(given)),
    item: item && renderItem(item),
    row: row && renderRow(row),
  };
}

function renderBooking(booking: BookingProposal | null): schemas.JsonOf<typeof bookingShape> | null {
  if (booking === null) return null;
  const { kind, charge, amountMinor, day, reference, to } = booking;
  return { kind, charge, amount: nairaText(amountMinor), day, reference, to };
}

export function renderLink({ way, items, rows }: ReconciliationLink): schemas.JsonOf<typeof linkShape> {
  return { way, items: items.map(renderItem), rows: rows.map(renderRow) };
}

function renderItem({
  id,
  event,
  subjectId,
  day,
  atMs,
  amountMinor,
}: BookItem): schemas.JsonOf<typeof itemShape> {
  return { entry: id, event, subject_id: subjectId, day, at: isoTime(atMs), amount: nairaText(amountMinor) };
}

function renderRow({
  id,
  day,
  kind,
  narration,
  reference,
  sessionId,
  amountMinor,
}: ReconciliationRow): schemas.JsonOf<typeof rowShape> {
  return { id, day, kind, narration, reference, session_id: sessionId, amount: nairaText(amountMinor) };
}
