// The columns of staged rows and the records of files and days.
import type { DayState } from '../../../domain/statements/judge-day.ts';
import type { Mode } from '../../../domain/values/mode.ts';
import type { StatementFormat } from '../../../ports/statements/reader.ts';
import type { ProblemList, StagedRow, StatementDay, StatementFile } from '../../../ports/statements/store.ts';
import type { Column } from '../connection/column-arrays.ts';

const text = (value: bigint | null) => (value === null ? null : String(value));

/** In the order of the temporary table. */
export const STAGED: readonly Column<StagedRow>[] = [
  ['seq', 'integer', ({ seq }) => String(seq)],
  ['key', 'text', ({ key }) => key],
  ['day', 'date', ({ row }) => row.day],
  ['amount_minor', 'bigint', ({ row }) => String(row.amountMinor)],
  ['balance_minor', 'bigint', ({ row }) => text(row.balanceMinor)],
  ['value_day', 'date', ({ row }) => row.valueDay],
  ['booked_at', 'timestamptz', ({ row }) => (row.atMs === null ? null : new Date(row.atMs).toISOString())],
  ['narration', 'text', ({ row }) => row.narration],
  ['reference', 'text', ({ row }) => row.reference],
  ['session_id', 'text', ({ row }) => row.sessionId],
  ['payer_name', 'text', ({ row }) => row.payerName],
  ['payer_account', 'text', ({ row }) => row.payerAccount],
  ['payer_bank_name', 'text', ({ row }) => row.payerBankName],
  ['kind', 'text', ({ row }) => row.kind],
  ['line', 'integer', ({ row }) => String(row.line)],
  ['direction_by', 'text', ({ row }) => row.directionBy],
];
export const STAGED_NAMES = STAGED.map(([name]) => name).join(', ');

export interface FileRow {
  id: string;
  mode: Mode;
  account: string;
  vendor_id: string | null;
  name: string;
  digest: string | null;
  format: StatementFormat;
  profile: string;
  imported_by: string;
  started_at: Date;
  ended_at: Date | null;
  state: StatementFile['state'];
  rows_read: number;
  rows_new: number;
  rows_known: number;
  from_day: string | null;
  to_day: string | null;
  problems: ProblemList;
}

/** Whoever imported it is a person with a name, or the command line. */
export const FILE_COLUMNS = `id, mode, account, vendor_id, name, digest, format, profile,
  coalesce((select p.name from people p where p.id = imported_by), imported_by) as imported_by, started_at, ended_at,
  state, rows_read, rows_new, rows_known, from_day::text, to_day::text, problems`;

export function fileOf(row: FileRow): StatementFile {
  return {
    ...{ id: row.id, mode: row.mode, account: row.account, vendorId: row.vendor_id, name: row.name },
    ...{ digest: row.digest, format: row.format, profile: row.profile, importedBy: row.imported_by },
    startedAtMs: row.started_at.getTime(),
    endedAtMs: row.ended_at?.getTime() ?? null,
    ...{ state: row.state, rowsRead: row.rows_read, rowsNew: row.rows_new, rowsKnown: row.rows_known },
    ...{ fromDay: row.from_day, toDay: row.to_day, problems: row.problems },
  };
}

export interface StoredDayRow {
  mode: Mode;
  account: string;
  day: string;
  complete: boolean;
  state: DayState;
  opening_minor: string | null;
  closing_minor: string | null;
  rows: number;
  profile: string;
  gap: string | null;
  doubt: string | null;
}

export const DAY_COLUMNS =
  'mode, account, day::text, complete, state, opening_minor, closing_minor, rows, profile, gap, doubt';

export function minor(value: string | null): bigint | null {
  return value === null ? null : BigInt(value);
}

export function dayOf(row: StoredDayRow): StatementDay {
  return {
    ...{ mode: row.mode, account: row.account, day: row.day, complete: row.complete, state: row.state },
    ...{ openingMinor: minor(row.opening_minor), closingMinor: minor(row.closing_minor) },
    ...{ rows: row.rows, gap: row.gap },
  };
}
