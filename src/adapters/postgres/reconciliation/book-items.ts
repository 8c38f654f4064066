// Reads the ledger entries that concern one bank account, with every value by which a statement row can identify them.
import { LEDGER_EVENTS, type LedgerEvent, type Leg } from '../../../domain/ledger/ledger.ts';
import { type BookItem, normaliseReference } from '../../../domain/reconciliation/items.ts';
import { lagosDay } from '../../../domain/values/calendar.ts';
import type { AccountKey } from '../../../ports/reconciliation.ts';
import type { QueryClient } from './rows.ts';

const AT_BANK = new Set(['bank_in', 'bank_out', 'bank_reserved']);
const BANK_EVENTS: readonly LedgerEvent[] = (Object.keys(LEDGER_EVENTS) as LedgerEvent[]).filter((event) =>
  (LEDGER_EVENTS[event] as readonly Leg[]).some(
    ({ debit, credit }) => AT_BANK.has(debit) || AT_BANK.has(credit),
  ),
);

/** A transfer between free and reserved money has the sum zero, so it does not count as an item of the bank account. */
const MOVED = (where: string) => `select e.id, e.event, e.subject_id, e.at, p.amount from
  (select * from entries where mode = $1 and event = any ($3::text[]) and ${where} offset 0) e
  cross join lateral (select sum(amount_minor) as amount from postings
    where entry_id = e.id and account_id in (select id from accounts
      where key in ($1 || '/NGN/bank_in/' || $2, $1 || '/NGN/bank_out/' || $2, $1 || '/NGN/bank_reserved/' || $2))) p
  where p.amount <> 0`;

const NAMED = (moved: string) => `with moved as (${moved})
select m.id::text, m.event, m.subject_id, (extract(epoch from m.at) * 1000)::float8 as at_ms, m.amount::text,
  c.sessions as credit_sessions, c.names as credit_names, c.days as credit_days, c.rows as row_ids, c.parties as credit_parties,
  v.sessions as payout_sessions, v.names as payout_names, v.parties as payout_parties, n.reference,
  to_char(n.day, 'YYYY-MM-DD') as stated_day
from moved m
left join lateral (
  select array_agg(distinct b.session_id) as sessions, array_agg(distinct b.source_id) as names,
    array_agg(distinct to_char(b.value_at at time zone 'Africa/Lagos', 'YYYY-MM-DD')) as days,
    array_agg(distinct case when b.source = 'statements' then b.source_id else r.source_id end) as rows,
    array_agg(distinct b.payer_account) || array_agg(distinct b.payer_name) as parties
  from bank_credits b left join credit_reports r on r.credit_id = b.id and r.source = 'statements'
  where (b.id = m.subject_id or b.transaction_id = m.subject_id) and b.mode = $1
    and coalesce(b.account_bank_code, 'unknown') || ':' || b.account_number = $2) c on true
left join lateral (
  select array_agg(distinct a.evidence ->> 'session_id') as sessions, array_agg(distinct a.reference) as names,
    array_agg(distinct own.destination ->> 'accountNumber') || array_agg(distinct own.destination ->> 'accountName') as parties
  from (
    select id, destination from movements where id = m.subject_id
    union select id, destination from movements where transaction_id = m.subject_id and kind = 'refund'
    union select id, destination from movements where transaction_id = m.subject_id and kind in ('send', 'payout')
      and state not in ('failed', 'returned')
    union select id, destination from movements
      where transaction_id = m.subject_id and kind = 'payout' and state = 'returned') own
  join movement_attempts a on a.movement_id = own.id and a.rail is not null) v on true
left join naira_moves n on n.id = m.subject_id
order by m.at, m.id`;

const OF_DAYS = NAMED(MOVED('at >= $4 and at < $5'));
const OF_DAYS_AND_AMOUNTS = `${NAMED(`${MOVED('at >= $4 and at < $5')} and p.amount = any ($6::numeric[])`)}`;
const OF_CREDITS = NAMED(MOVED('subject_id = any ($4::text[])'));
const OF_IDS = NAMED(MOVED('id = any ($4::bigint[])'));

interface BookItemRow {
  id: string;
  event: LedgerEvent;
  subject_id: string;
  at_ms: number;
  amount: string;
  credit_sessions: (string | null)[] | null;
  credit_names: (string | null)[] | null;
  credit_days: string[] | null;
  row_ids: (string | null)[] | null;
  payout_sessions: (string | null)[] | null;
  payout_names: string[] | null;
  credit_parties: (string | null)[] | null;
  payout_parties: (string | null)[] | null;
  reference: string | null;
  stated_day: string | null;
}

const withoutNulls = (...lists: readonly (readonly (string | null)[] | null)[]): string[] =>
  lists.flatMap((list) => (list ?? []).filter((each) => each !== null));

function itemOf(row: BookItemRow): BookItem {
  const names = withoutNulls(row.credit_names, row.payout_names, [row.reference]);
  return {
    ...{ id: row.id, event: row.event, subjectId: row.subject_id, atMs: row.at_ms },
    ...{ day: lagosDay(row.at_ms), amountMinor: BigInt(row.amount) },
    days: withoutNulls(row.credit_days, [row.stated_day]),
    rowIds: withoutNulls(row.row_ids),
    names: names.map(normaliseReference),
    sessions: withoutNulls(row.credit_sessions, row.payout_sessions),
    parties: withoutNulls(row.credit_parties, row.payout_parties).map(normaliseReference),
  };
}

async function readItems(
  client: QueryClient,
  { mode, account }: AccountKey,
  text: string,
  values: readonly unknown[],
) {
  const { rows } = await client.query<BookItemRow>({ text, values: [mode, account, BANK_EVENTS, ...values] });
  return rows.map(itemOf);
}

export function readItemsBetween(
  client: QueryClient,
  of: AccountKey,
  fromMs: number,
  toMs: number,
): Promise<BookItem[]> {
  return readItems(client, of, OF_DAYS, [new Date(fromMs), new Date(toMs)]);
}

export function readItemsWithAmounts(
  client: QueryClient,
  of: AccountKey,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  amounts: readonly bigint[],
): Promise<BookItem[]> {
  return readItems(client, of, OF_DAYS_AND_AMOUNTS, [new Date(fromMs), new Date(toMs), amounts.map(String)]);
}

/** Reads again what is not stored with open differences, because it is personal data: the other side of each item. */
export async function readPartiesOf(
  client: QueryClient,
  of: AccountKey,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (ids.length === 0) return new Map();
  const items = await readItems(client, of, OF_IDS, [ids]);
  return new Map(items.map(({ id, parties = [] }) => [id, parties]));
}

export async function readItemsOfCredits(
  client: QueryClient,
  of: AccountKey,
  creditIds: readonly string[],
  fromMs: number,
): Promise<BookItem[]> {
  if (creditIds.length === 0) return [];
  return (await readItems(client, of, OF_CREDITS, [creditIds])).filter(({ atMs }) => atMs >= fromMs);
}

/**
 * Returns the balance of the account at a moment, and the reserved part of that balance. Both are the current value minus
 * everything that was booked since then.
 */
export async function readBalanceAt(
  client: QueryClient,
  { mode, account }: AccountKey,
  atMs: number,
): Promise<{ readonly balanceMinor: bigint; readonly reservedMinor: bigint }> {
  const { rows } = await client.query<{ name: string; balance: string }>({
    text: `select a.name, (a.balance - coalesce((
        select sum(p.amount_minor) from (select id from entries where at >= $4 and mode = $1 and event = any ($3::text[]) offset 0) e
        join postings p on p.entry_id = e.id and p.account_id = a.id), 0))::text as balance
      from accounts a
      where a.key in ($1 || '/NGN/bank_in/' || $2, $1 || '/NGN/bank_out/' || $2, $1 || '/NGN/bank_reserved/' || $2)`,
    values: [mode, account, BANK_EVENTS, new Date(atMs)],
  });
  const of = (names: readonly string[]) =>
    rows.filter(({ name }) => names.includes(name)).reduce((sum, { balance }) => sum + BigInt(balance), 0n);
  return { balanceMinor: of([...AT_BANK]), reservedMinor: of(['bank_reserved']) };
}
