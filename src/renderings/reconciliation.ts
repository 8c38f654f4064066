// A reconciled day, its differences and its links.
import { Type } from 'typebox';
import { REASONS } from '../domain/reconciliation/explain.ts';
import { type BookItem, DIFFERENCE_KINDS, type StatementRow } from '../domain/reconciliation/items.ts';
import { type Link, WAYS } from '../domain/reconciliation/pool.ts';
import { DAY_STATES, type Side } from '../domain/reconciliation/reconcile.ts';
import { wordsOf } from '../domain/reconciliation/words.ts';
import type { ReconciledDay, ShownDifference } from '../ports/reconciliation.ts';
import * as schemas from './parts/schemas.ts';
import { isoTime, nairaText } from './parts/values.ts';

const text = Type.String();
const maybe = schemas.nullable(text);
const { oneOf } = schemas;
const sideShape = schemas.named(
  'DaySide',
  Type.Object({ opening: text, in: text, out: text, charges: text, closing: text }),
);
const itemShape = schemas.named(
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
const rowShape = schemas.named(
  'StatementRow',
  Type.Object({
    ...{
      id: text,
      day: text,
      kind: oneOf(['payment', 'reversal', 'charge']),
      narration: text,
      reference: maybe,
      session_id: maybe,
      amount: text,
    },
  }),
);

export const dayShape = schemas.named(
  'ReconciledDay',
  Type.Object({
    mode: schemas.mode,
    account: text,
    day: text,
    state: oneOf(DAY_STATES),
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

export const differenceShape = schemas.named(
  'Difference',
  Type.Object({
    id: text,
    kind: oneOf(DIFFERENCE_KINDS),
    reason: oneOf(REASONS),
    day: text,
    amount: Type.String({ description: 'What the books have above the bank.' }),
    explained: Type.Boolean(),
    what: text,
    next: maybe,
    case_id: maybe,
    case_outcome: maybe,
    item: schemas.nullable(itemShape),
    row: schemas.nullable(rowShape),
  }),
);

export const linkShape = schemas.named(
  'Link',
  Type.Object({
    way: oneOf(WAYS),
    items: Type.Array(itemShape),
    rows: Type.Array(rowShape),
  }),
);

export function renderDay(given: ReconciledDay): schemas.Shown<typeof dayShape> {
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
}: Side): schemas.Shown<typeof sideShape> {
  return {
    ...{ opening: nairaText(openingMinor), in: nairaText(inMinor), out: nairaText(outMinor) },
    ...{ charges: nairaText(chargesMinor), closing: nairaText(closingMinor) },
  };
}

export function renderDifference(given: ShownDifference): schemas.Shown<typeof differenceShape> {
  const { id, kind, reason, day, caseId, caseOutcome, isExplained, item, row } = given;
  return {
    ...{ id, kind, reason, day, amount: nairaText(given.offMinor), explained: isExplained },
    ...{ ...wordsOf(given), case_id: caseId, case_outcome: caseOutcome },
    item: item && renderItem(item),
    row: row && renderRow(row),
  };
}

export function renderLink({ way, items, rows }: Link): schemas.Shown<typeof linkShape> {
  return { way, items: items.map(renderItem), rows: rows.map(renderRow) };
}

function renderItem({
  id,
  event,
  subjectId,
  day,
  atMs,
  amountMinor,
}: BookItem): schemas.Shown<typeof itemShape> {
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
}: StatementRow): schemas.Shown<typeof rowShape> {
  return { id, day, kind, narration, reference, session_id: sessionId, amount: nairaText(amountMinor) };
}
