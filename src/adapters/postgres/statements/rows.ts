// The columns of staged rows and the records of files and days.
import type { StagedRow, StatementDay, StatementFile, StoredVerdict } from '../../../ports/statements.ts';
import { type Column, namesOf } from '../connection/column-arrays.ts';
import { all, big, columns, from, plain, time } from '../connection/columns.ts';

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
export const STAGED_NAMES = namesOf(STAGED);

/** Whoever imported it is a person with a name, or the command line. */
export const FILE = columns<StatementFile>({
  ...all(plain, 'id', 'mode', 'account', 'vendorId', 'name', 'digest', 'format', 'profile'),
  importedBy: from('coalesce((select p.name from people p where p.id = imported_by), imported_by)', plain),
  ...all(time, 'startedAtMs', 'endedAtMs'),
  ...all(plain, 'state', 'rowsRead', 'rowsNew', 'rowsKnown', 'problems'),
  fromDay: from('from_day::text', plain),
  toDay: from('to_day::text', plain),
});

const VERDICT = { state: plain, openingMinor: big, closingMinor: big, gap: plain, complete: plain };
export const DAY = columns<StatementDay>({
  ...VERDICT,
  mode: plain,
  account: plain,
  day: from('day::text', plain),
  rows: plain,
});
export const STORED_VERDICT = columns<StoredVerdict>({ ...VERDICT, profile: plain, doubt: plain });

export function minor(value: string | null): bigint | null {
  return value === null ? null : BigInt(value);
}
