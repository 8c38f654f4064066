// Defines the columns of staged statement rows and the records of statement files and days.
import type {
  StagedRow,
  StatementDay,
  StatementFile,
  StatementTotals,
  StoredVerdict,
} from '../../../ports/statements.ts';
import { type ArrayColumn, namesOf } from '../connection/column-arrays.ts';
import {
  all,
  bigintColumn,
  columnFrom,
  convertedColumn,
  defineColumns,
  plainColumn,
  timeColumn,
} from '../connection/record-columns.ts';

const textOrNull = (value: bigint | null) => (value === null ? null : String(value));

/** The order is the column order of the temporary table. */
export const STAGED_COLUMNS: readonly ArrayColumn<StagedRow>[] = [
  ['seq', 'integer', ({ seq }) => String(seq)],
  ['key', 'text', ({ key }) => key],
  ['day', 'date', ({ row }) => row.day],
  ['amount_minor', 'bigint', ({ row }) => String(row.amountMinor)],
  ['balance_minor', 'bigint', ({ row }) => textOrNull(row.balanceMinor)],
  ['value_day', 'date', ({ row }) => row.valueDay],
  ['booked_at', 'timestamptz', ({ row }) => (row.atMs === null ? null : new Date(row.atMs).toISOString())],
  ['narration', 'text', ({ row }) => row.narration],
  ['reference', 'text', ({ row }) => row.reference],
  ['session_id', 'text', ({ row }) => row.sessionId],
  ['payer_name', 'text', ({ row }) => row.payerName],
  ['payer_account', 'text', ({ row }) => row.payerAccount],
  ['payer_bank_name', 'text', ({ row }) => row.payerBankName],
  ['narrated_account', 'text', ({ row }) => row.narratedAccount],
  ['name_from', 'text', ({ row }) => row.origins.name],
  ['account_from', 'text', ({ row }) => row.origins.account],
  ['bank_from', 'text', ({ row }) => row.origins.bankName],
  ['session_from', 'text', ({ row }) => row.origins.session],
  ['kind', 'text', ({ row }) => row.kind],
  ['line', 'integer', ({ row }) => String(row.line)],
  ['direction_by', 'text', ({ row }) => row.directionBy],
];
export const STAGED_NAMES = namesOf(STAGED_COLUMNS);

/** The importer is a person with a name, or the command line. */
export const FILE_COLUMNS = defineColumns<StatementFile>({
  ...all(plainColumn, 'id', 'mode', 'account', 'vendorId', 'name', 'digest', 'format', 'profile'),
  importedBy: columnFrom(
    'coalesce((select p.name from people p where p.id = imported_by), imported_by)',
    plainColumn,
  ),
  ...all(timeColumn, 'startedAtMs', 'endedAtMs'),
  ...all(plainColumn, 'state', 'rowsRead', 'rowsNew', 'rowsKnown', 'problems'),
  // A file has fewer bytes than a float8 counts exactly; the driver returns a bigint as text.
  bytesRead: columnFrom('bytes_read::float8', plainColumn),
  bytesTotal: columnFrom('bytes_total::float8', plainColumn),
  awaitsConfirmation: columnFrom(
    `(awaits_confirmation and not exists (select from statement_profiles_confirmed c where c.mode = statement_files.mode
      and c.account = statement_files.account and c.profile = statement_files.profile))`,
    plainColumn,
  ),
  totals: columnFrom(
    `case when in_minor is not null then jsonb_build_object('in', in_minor::text, 'out', out_minor::text) end`,
    convertedColumn(readTotals),
  ),
  fromDay: columnFrom('from_day::text', plainColumn),
  toDay: columnFrom('to_day::text', plainColumn),
});

const VERDICT = {
  state: plainColumn,
  openingMinor: bigintColumn,
  closingMinor: bigintColumn,
  gap: plainColumn,
  complete: plainColumn,
};
export const DAY_COLUMNS = defineColumns<StatementDay>({
  ...VERDICT,
  mode: plainColumn,
  account: plainColumn,
  day: columnFrom('day::text', plainColumn),
  rows: plainColumn,
});
export const STORED_VERDICT = defineColumns<StoredVerdict>({
  ...VERDICT,
  profile: plainColumn,
  doubt: plainColumn,
});

function readTotals(stored: { readonly in: string; readonly out: string } | null): StatementTotals | null {
  return stored && { inMinor: BigInt(stored.in), outMinor: BigInt(stored.out) };
}

export function minorOrNull(value: string | null): bigint | null {
  return value === null ? null : BigInt(value);
}
