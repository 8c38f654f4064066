// Reads what reconciliation needs for one day of one bank account, in one transaction: the books, the statement, open
// differences of earlier days, and the balance that the rail reported.
import type { UnbookedPayout } from '../../../domain/reconciliation/explain-differences.ts';
import { type Difference, normaliseReference } from '../../../domain/reconciliation/items.ts';
import type {
  DayResult,
  DayStatement,
  RailBalanceReading,
  ReconciliationFacts,
} from '../../../domain/reconciliation/reconcile.ts';
import { addDays, makeWorkingDays } from '../../../domain/reconciliation/working-days.ts';
import { lagosDayToMs } from '../../../domain/values/calendar.ts';
import type { AccountDayKey, AccountKey, DayDecider } from '../../../ports/reconciliation.ts';
import {
  all,
  bigintColumn,
  columnFrom,
  convertedColumn,
  defineColumns,
  named,
  plainColumn,
} from '../connection/record-columns.ts';
import {
  readBalanceAt,
  readItemsBetween,
  readItemsOfCredits,
  readItemsWithAmounts,
  readPartiesOf,
} from './book-items.ts';
import { readHolidaysAround } from './holidays.ts';
import { findElsewhere } from './other-accounts.ts';
import {
  readCreditsOfRows,
  readRowsBetween,
  readRowsWithAmounts,
  readSettledNames,
  readUnmatchedRows,
} from './row-facts.ts';
import { DIFFERENCE, JOIN_STATEMENT_ROW, type QueryClient } from './rows.ts';

/** The number of later days whose book items and statement rows are also searched. */
const AHEAD_DAYS = 5;
const AROUND_DAYS = 10;

export interface ReadFacts {
  readonly facts: ReconciliationFacts;
  /** The time is a text from the database, with microseconds. */
  readonly statementAt: string | null;
  readonly rail: StoredRailReading | null;
}

interface StoredRailReading extends RailBalanceReading {
  readonly at: Date;
}

export async function readDayFacts(client: QueryClient, of: AccountDayKey): Promise<ReadFacts> {
  const { day } = of;
  const fromMs = lagosDayToMs(day);
  const toMs = lagosDayToMs(addDays(day, 1));
  const statement = await readStatementDay(client, of);
  const carried = await readCarriedDifferences(client, of);
  const items = await readItemsBetween(client, of, fromMs, toMs);
  const before = await readDayBefore(client, of);
  const opening = before?.booksMinor ?? (await readBalanceAt(client, of, fromMs)).balanceMinor;
  // The account was not in use on this first day. The rail's current balance was paid in later, so this balance is compared on
  // a later day.
  const isNew = before === undefined && statement === null && opening === 0n && items.length === 0;
  const rail = isNew ? null : await readRailAfter(client, of, toMs);
  const rows = [...carried.flatMap(({ row }) => row ?? []), ...(statement?.rows ?? [])];
  const open = [...carried.flatMap(({ item }) => item ?? []), ...items];
  const complete = await readCompleteDays(client, of);
  return {
    statementAt: statement?.updatedAt ?? null,
    rail,
    facts: {
      ...{ day, items, carried, statement, rail, booksOpeningMinor: opening },
      beforeMinor: before?.beforeMinor ?? null,
      ahead: { items: [], rows: [] },
      underWay: await readPayoutsUnderWay(client, of),
      hasStatement: (other) => complete.has(other),
      hasLaterStatement: [...complete].some((each) => each > day),
      withoutRowsSince: await readWithoutRowsSince(client, of),
      ...{ alike: [], elsewhere: new Map() },
      settledNames: await readSettledNames(client, of, rows, open),
      unmatchedRows: await readUnmatchedRows(client, of, rows),
      workingDays: makeWorkingDays(await readHolidaysAround(client, day)),
    },
  };
}

/** Decides once. If a difference stays open, decides again with the items of the following days. */
export async function decideDay(
  client: QueryClient,
  of: AccountDayKey,
  facts: ReconciliationFacts,
  decide: DayDecider,
): Promise<DayResult> {
  const first = decide(facts);
  const amounts = first.open.flatMap(({ kind, item, row }) =>
    kind === 'books' || kind === 'statement' ? [(item ?? row)!.amountMinor] : [],
  );
  if (amounts.length === 0) return first;
  const from = addDays(of.day, 1);
  const until = addDays(of.day, AHEAD_DAYS + 1);
  const span = { fromMs: lagosDayToMs(from), toMs: lagosDayToMs(until) };
  const shown = await readRowsBetween(client, of, from, addDays(until, -1));
  const wanted = new Set(amounts);
  const openRows = first.open.flatMap(({ kind, row }) => (kind === 'statement' ? [row!] : []));
  const soon = await readItemsWithAmounts(client, of, span, [...wanted]);
  const later = await readItemsOfCredits(
    client,
    of,
    await readCreditsOfRows(client, of, openRows),
    span.fromMs,
  );
  const known = new Set(soon.map(({ id }) => id));
  const items = [...soon, ...later.filter(({ id }) => !known.has(id))];
  const rows = shown.filter(({ amountMinor }) => wanted.has(amountMinor));
  return decide({
    ...facts,
    ahead: { items, rows },
    alike: await readRowsWithAmounts(client, of, addDays(of.day, -AROUND_DAYS), of.day, [...wanted]),
    elsewhere: await findElsewhere(client, of, first.open),
    unmatchedRows: new Map([...facts.unmatchedRows, ...(await readUnmatchedRows(client, of, rows))]),
  });
}

type Statement = DayStatement & { readonly updatedAt: string };
const STATEMENT = defineColumns<Omit<Statement, 'rows'>>({
  ...all(bigintColumn, 'openingMinor', 'closingMinor'),
  updatedAt: columnFrom('updated_at::text', plainColumn),
});

async function readStatementDay(client: QueryClient, of: AccountDayKey): Promise<Statement | null> {
  const { rows } = await client.query({
    text: `select ${STATEMENT.list()} from statement_days where mode = $1 and account = $2 and day = $3`,
    values: [of.mode, of.account, of.day],
  });
  if (rows[0] === undefined) return null;
  return { ...STATEMENT.read(rows[0]), rows: await readRowsBetween(client, of, of.day, of.day) };
}

async function readCompleteDays(
  client: QueryClient,
  { mode, account, day }: AccountDayKey,
): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ day: string }>({
    text: `select to_char(day, 'YYYY-MM-DD') as day from statement_days
      where mode = $1 and account = $2 and complete and day between $3::date - ${AROUND_DAYS} and $3::date + ${AROUND_DAYS}`,
    values: [mode, account, day],
  });
  return new Set(rows.map((row) => row.day));
}

async function readCarriedDifferences(
  client: QueryClient,
  { mode, account, day }: AccountDayKey,
): Promise<readonly Difference[]> {
  const { rows } = await client.query({
    text: `select ${DIFFERENCE.list()} from reconciliation_items i ${JOIN_STATEMENT_ROW} where i.mode = $1 and i.account = $2 and i.day < $3
      and (i.resolved_day is null or i.resolved_day >= $3) order by i.day, i.item`,
    values: [mode, account, day],
  });
  const carried = rows.map(DIFFERENCE.read);
  const parties = await readPartiesOf(
    client,
    { mode, account },
    carried.flatMap(({ item }) => item?.id ?? []),
  );
  return carried.map((each) =>
    each.item === null ? each : { ...each, item: { ...each.item, parties: parties.get(each.item.id) ?? [] } },
  );
}

/** The first day after the last earlier day with rows; null if that is this day, or if no earlier day has rows. */
async function readWithoutRowsSince(
  client: QueryClient,
  { mode, account, day }: AccountDayKey,
): Promise<string | null> {
  const { rows } = await client.query<{ last: string | null }>({
    text: `select to_char(max(day), 'YYYY-MM-DD') as last from statement_days
      where mode = $1 and account = $2 and day < $3::date and rows > 0`,
    values: [mode, account, day],
  });
  const last = rows[0]?.last ?? null;
  if (last === null) return null;
  const since = addDays(last, 1);
  return since < day ? since : null;
}

const BEFORE = defineColumns<{ readonly booksMinor: bigint; readonly beforeMinor: bigint | null }>(
  all(bigintColumn, 'booksMinor', 'beforeMinor'),
);

async function readDayBefore(client: QueryClient, { mode, account, day }: AccountDayKey) {
  const { rows } = await client.query({
    text: `select ${BEFORE.list()} from reconciliations where mode = $1 and account = $2 and day = $3::date - 1`,
    values: [mode, account, day],
  });
  return rows.map(BEFORE.read)[0];
}

const KEPT = defineColumns<StoredRailReading>({
  ...{ balanceMinor: named('rail_minor', bigintColumn), at: named('rail_at', plainColumn) },
  ...{
    booksMinor: named('rail_books_minor', bigintColumn),
    reservedMinor: named('rail_reserved_minor', bigintColumn),
  },
});
const READING = defineColumns<Pick<StoredRailReading, 'balanceMinor' | 'at'>>({
  ...{ balanceMinor: bigintColumn, at: named('balance_at', plainColumn) },
});

/** Only the rail's first reading after the day is used, because a later reading belongs to a later day. */
async function readRailAfter(
  client: QueryClient,
  of: AccountDayKey,
  toMs: number,
): Promise<StoredRailReading | null> {
  const { mode, account, day } = of;
  const kept = await client.query({
    text: `select ${KEPT.list()} from reconciliations
      where mode = $1 and account = $2 and day = $3 and rail_minor is not null`,
    values: [mode, account, day],
  });
  if (kept.rows[0] !== undefined) return KEPT.read(kept.rows[0]);
  const { rows } = await client.query({
    text: `select ${READING.list()} from rail_health
      where mode = $1 and account = $2 and balance_minor is not null and balance_at >= $3 and balance_at < $4
      order by balance_at desc limit 1`,
    values: [mode, account, new Date(toMs), new Date(lagosDayToMs(addDays(day, 2)))],
  });
  if (rows[0] === undefined) return null;
  const reading = READING.read(rows[0]);
  const { balanceMinor: booksMinor, reservedMinor } = await readBalanceAt(client, of, reading.at.getTime());
  return { ...reading, booksMinor, reservedMinor };
}

const UNDER_WAY = defineColumns<UnbookedPayout>({
  ...{ movementId: columnFrom('m.id', plainColumn), amountMinor: columnFrom('m.naira_minor', bigintColumn) },
  names: columnFrom(
    `(select array_agg(a.reference) from movement_attempts a where a.movement_id = m.id and a.rail is not null)`,
    convertedColumn((names: readonly (string | null)[] | null) =>
      (names ?? []).map((name) => normaliseReference(name ?? '')),
    ),
  ),
});

async function readPayoutsUnderWay(
  client: QueryClient,
  { mode, account }: AccountKey,
): Promise<readonly UnbookedPayout[]> {
  const { rows } = await client.query({
    text: `select ${UNDER_WAY.list()}
      from movements m where m.due_at is not null and m.network is null and m.mode = $1 and m.bank_account = $2
        and m.state in ('sending', 'unknown') order by m.id`,
    values: [mode, account],
  });
  return rows.map(UNDER_WAY.read);
}
