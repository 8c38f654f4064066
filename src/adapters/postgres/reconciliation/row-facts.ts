// What is known about statement rows besides their own fields: whether settlement matched them, whether their names are settled,
// and which rows have the same amount.
import {
  type BookItem,
  normaliseReference,
  type ReconciliationRow,
} from '../../../domain/reconciliation/items.ts';
import { listOwnReferences, listSessions } from '../../../domain/reconciliation/row-words.ts';
import type { UnmatchedRowState } from '../../../domain/reconciliation/unlinked-pool.ts';
import { addDays } from '../../../domain/reconciliation/working-days.ts';
import type { AccountDayKey, AccountKey } from '../../../ports/reconciliation.ts';
import {
  all,
  bigintColumn,
  columnFrom,
  day,
  defineColumns,
  plainColumn,
} from '../connection/record-columns.ts';
import type { QueryClient } from './rows.ts';

const ROW = defineColumns<ReconciliationRow>({
  ...{
    id: columnFrom(`key || '/' || ordinal`, plainColumn),
    ...all(day, 'day', 'valueDay'),
    amountMinor: bigintColumn,
  },
  ...{
    narration: columnFrom(`coalesce(narration, '')`, plainColumn),
    ...all(plainColumn, 'reference', 'sessionId', 'kind', 'payerAccount'),
  },
});
const ROWS = `select ${ROW.list()} from statement_rows
  where mode = $1 and account = $2 and day between $3::date and $4::date order by day, key, ordinal`;

export async function readRowsBetween(
  client: QueryClient,
  { mode, account }: AccountKey,
  fromDay: string,
  toDay: string,
) {
  return (await client.query({ text: ROWS, values: [mode, account, fromDay, toDay] })).rows.map(ROW.read);
}

/** The rows of an account with one of these amounts. */
export async function readRowsWithAmounts(
  client: QueryClient,
  { mode, account }: AccountKey,
  fromDay: string,
  toDay: string,
  amounts: readonly bigint[],
): Promise<readonly ReconciliationRow[]> {
  const { rows } = await client.query({
    text: `select ${ROW.list()} from statement_rows
      where mode = $1 and account = $2 and day between $3::date and $4::date and amount_minor = any ($5::bigint[])
      order by day, key, ordinal`,
    values: [mode, account, fromDay, toDay, amounts.map(String)],
  });
  return rows.map(ROW.read);
}

/** The credits that were created from the rows, or that the rows report, no matter how late they were booked. */
export async function readCreditsOfRows(
  client: QueryClient,
  { mode }: AccountKey,
  rows: readonly ReconciliationRow[],
): Promise<string[]> {
  const found = await client.query<{ id: string }>({
    text: `select id from bank_credits where mode = $1 and source = 'statements' and source_id = any ($2::text[])
      union select credit_id from credit_reports
      where mode = $1 and source = 'statements' and source_id = any ($2::text[]) and credit_id is not null`,
    values: [mode, rows.map(({ id }) => id)],
  });
  return found.rows.map(({ id }) => id);
}

/** The rows that report a credit, and that settlement could not match to a credit, or could not match yet. */
export async function readUnmatchedRows(
  client: QueryClient,
  { mode }: AccountKey,
  rows: readonly ReconciliationRow[],
): Promise<ReadonlyMap<string, UnmatchedRowState>> {
  const credited = rows.flatMap(({ id, amountMinor }) => (amountMinor > 0n ? [id] : []));
  if (credited.length === 0) return new Map();
  const found = await client.query<{ id: string; state: UnmatchedRowState }>({
    text: `select source_id as id, case when state = 'waiting' then 'waiting' else 'case' end as state from credit_reports
      where mode = $1 and source = 'statements' and source_id = any ($2::text[]) and credit_id is null`,
    values: [mode, credited],
  });
  return new Map(found.rows.map(({ id, state }) => [id, state]));
}

/** How far apart the bank may show one transfer twice. */
const AROUND_DAYS = 10;

/** Names of transfers that were linked earlier. A name that a second row shows is not settled: the bank shows the transfer twice. */
export async function readSettledNames(
  client: QueryClient,
  of: AccountDayKey,
  rows: readonly ReconciliationRow[],
  open: readonly BookItem[],
): Promise<ReadonlySet<string>> {
  const waiting = new Set(open.flatMap(({ sessions, names }) => [...sessions, ...names]));
  const isSettled = (name: string) => !waiting.has(name);
  const sessions = await readKnownSessions(client, of, rows.flatMap(listSessions).filter(isSettled));
  const references = await readKnownReferences(client, of, rows.flatMap(listOwnReferences).filter(isSettled));
  const known = new Set([...sessions, ...references]);
  if (known.size === 0) return known;
  const naming = rows.filter((row) => listNames(row).some((name) => known.has(name)));
  const amounts = naming.map(({ amountMinor }) => amountMinor);
  const from = addDays(of.day, -AROUND_DAYS);
  const alike = await readRowsWithAmounts(client, of, from, of.day, amounts);
  for (const name of known)
    for (const row of naming.filter((each) => listNames(each).includes(name)))
      if (alike.some((each) => isShownAgain(each, row, name))) known.delete(name);
  return known;
}

const listNames = (row: ReconciliationRow) => [...listSessions(row), ...listOwnReferences(row)];

function isShownAgain(other: ReconciliationRow, row: ReconciliationRow, name: string): boolean {
  return other.id !== row.id && other.amountMinor === row.amountMinor && listNames(other).includes(name);
}

async function readKnownSessions(client: QueryClient, { mode }: AccountKey, sessions: readonly string[]) {
  if (sessions.length === 0) return [];
  const found = await client.query<{ session_id: string }>({
    text: 'select session_id from bank_credits where mode = $1 and session_key = any ($2::text[])',
    values: [mode, sessions.map((session) => `/${session}`)],
  });
  return found.rows.map(({ session_id }) => session_id);
}

/** A reference of ours contains the id of its movement. */
async function readKnownReferences(client: QueryClient, { mode }: AccountKey, references: readonly string[]) {
  if (references.length === 0) return [];
  const found = await client.query<{ id: string }>({
    text: 'select id from movements where mode = $1 and id = any ($2::text[])',
    values: [mode, references.map(movementIdOf)],
  });
  return found.rows.map(({ id }) => normaliseReference(id));
}

/** `mov01k…` is the normalised reference of `mov_01k…`. */
export function movementIdOf(reference: string): string {
  return reference.replace(/^mov/, 'mov_');
}
