// Renders statement files, the days that they cover, rows that the service could not parse, and doubtful reversals.
import { type TObject, Type } from 'typebox';
import type { AccountOutcome } from '../app/statements/import-every-account.ts';
import type { ImportSummary } from '../app/statements/import-statement.ts';
import {
  STATEMENT_FORMATS,
  type StatementDay,
  type StatementDoubt,
  type StatementFile,
} from '../ports/statements.ts';
import * as schemas from './parts/schemas.ts';
import { isoOrNull, isoTime, nairaOrNull, nairaText } from './parts/values.ts';

const text = Type.String();
const maybe = schemas.nullable;

export const fileShape = schemas.nameSchema(
  'StatementFile',
  Type.Object({
    ...{
      file_id: text,
      mode: schemas.mode,
      account: text,
      vendor_id: maybe(text),
      name: text,
      format: schemas.oneOf(STATEMENT_FORMATS),
      profile: text,
    },
    ...{ imported_by: text, started_at: schemas.time, ended_at: maybe(schemas.time) },
    state: schemas.oneOf(['reading', 'done', 'failed']),
    ...{ bytes_read: Type.Integer(), bytes_total: maybe(Type.Integer()) },
    ...{ rows_read: Type.Integer(), rows_new: Type.Integer(), rows_known: Type.Integer() },
    ...{ from_day: maybe(text), to_day: maybe(text), problem_count: Type.Integer() },
    money_in: maybe(Type.String({ description: 'The sum of money in, in naira; null: not known.' })),
    money_out: maybe(Type.String({ description: 'The sum of money out, in naira; null: not known.' })),
    awaits_confirmation: Type.Boolean({
      description:
        'Nothing was stored: two people must confirm the totals, because the column profile is unverified.',
    }),
  }),
);
export const statementDayShape = schemas.nameSchema(
  'StatementDay',
  Type.Object({
    ...{ day: text, account: text, rows: Type.Integer(), complete: Type.Boolean() },
    state: schemas.oneOf(['sound', 'unchecked', 'gap']),
    ...{ opening: maybe(text), closing: maybe(text) },
    why: maybe(Type.String({ description: 'Why the state is gap.' })),
  }),
);
export const problemShape = schemas.nameSchema(
  'RowProblem',
  Type.Object({ line: Type.Integer(), column: Type.Integer(), reason: text }),
);
export const doubtShape = schemas.nameSchema(
  'StatementDoubt',
  Type.Object({
    ...{ mode: schemas.mode, account: text, day: text, amount: text, narration: text, file_id: text },
    ...{ line: Type.Integer(), why: text },
  }),
);

const question = schemas.nameSchema(
  'ImportQuestion',
  Type.Object(
    { incoming_rows: Type.Integer(), incoming: text, outgoing_rows: Type.Integer(), outgoing: text },
    {
      description:
        'The account has no credit source, and nothing was imported. To import the file, send it again with without_source, the number of incoming rows.',
    },
  ),
);

export const importAnswer = {
  file: fileShape,
  same: Type.Boolean({ description: 'The same file was imported before; nothing was changed.' }),
  ...{
    pending: Type.Integer(),
    days: Type.Integer(),
    gaps: Type.Integer(),
    incomplete_days: Type.Array(text),
  },
  problems: Type.Array(problemShape),
  question: maybe(question),
};

export function renderImportSummary({
  file: done,
  isSame,
  pending,
  days,
  gaps,
  incompleteDays,
  question: asked,
}: ImportSummary): schemas.JsonOf<TObject<typeof importAnswer>> {
  return {
    ...{ file: renderFile(done), same: isSame, pending, days, gaps, incomplete_days: incompleteDays },
    problems: renderProblems(done),
    question: asked && {
      ...{ incoming_rows: asked.incoming, incoming: nairaText(asked.incomingMinor) },
      ...{ outgoing_rows: asked.outgoing, outgoing: nairaText(asked.outgoingMinor) },
    },
  };
}

/** The result for each account of a file that names several. */
export const everyAccountAnswer = {
  accounts: Type.Array(
    schemas.nameSchema(
      'AccountImport',
      Type.Object({
        account: Type.String({ description: 'Our account, or the end of the number in the file.' }),
        refused: maybe(Type.String({ description: 'Why nothing of this account was imported.' })),
        imported: maybe(Type.Object(importAnswer)),
      }),
    ),
  ),
};

export function renderEveryAccount(
  outcomes: readonly AccountOutcome[],
): schemas.JsonOf<TObject<typeof everyAccountAnswer>> {
  return {
    accounts: outcomes.map(({ account, result }) => ({
      account,
      refused: result.ok ? null : result.error.message,
      imported: result.ok ? renderImportSummary(result.value) : null,
    })),
  };
}

export function renderFile(each: StatementFile): schemas.JsonOf<typeof fileShape> {
  return {
    ...{
      file_id: each.id,
      mode: each.mode,
      account: each.account,
      vendor_id: each.vendorId,
      name: each.name,
    },
    ...{ format: each.format, profile: each.profile, imported_by: each.importedBy },
    started_at: isoTime(each.startedAtMs),
    ended_at: isoOrNull(each.endedAtMs),
    ...{ bytes_read: each.bytesRead, bytes_total: each.bytesTotal },
    ...{ state: each.state, rows_read: each.rowsRead, rows_new: each.rowsNew, rows_known: each.rowsKnown },
    ...{ from_day: each.fromDay, to_day: each.toDay, problem_count: each.problems.total },
    money_in: nairaOrNull(each.totals?.inMinor ?? null),
    money_out: nairaOrNull(each.totals?.outMinor ?? null),
    awaits_confirmation: each.awaitsConfirmation,
  };
}

export function renderStatementDay(each: StatementDay): schemas.JsonOf<typeof statementDayShape> {
  return {
    ...{ day: each.day, account: each.account, rows: each.rows, complete: each.complete, state: each.state },
    ...{ opening: nairaOrNull(each.openingMinor), closing: nairaOrNull(each.closingMinor), why: each.gap },
  };
}

export function renderDoubt(each: StatementDoubt): schemas.JsonOf<typeof doubtShape> {
  const { mode, account, day, narration, fileId, line, why } = each;
  return { mode, account, day, amount: nairaText(each.amountMinor), narration, file_id: fileId, line, why };
}

/** Returns only the problems that the service stored. `problem_count` is the number of all problems in the statement file. */
export function renderProblems({ problems }: StatementFile): schemas.JsonOf<typeof problemShape>[] {
  return problems.list.map(({ line, column, reason }) => ({ line, column, reason }));
}
