// Adds new quotes, one batch at a time. The open exposure of a business is compared with its limit while no other process can
// add a quote for that business. Otherwise two processes could each see enough room and together exceed the limit. The exact
// sum is computed only when the limit may be exceeded.
import type { ClientBase } from 'pg';
import type { ExposureLimits, NewQuote, QuoteOutcome } from '../../../ports/quotes.ts';
import { type ArrayColumn, columnArrays, inputOf, under } from '../connection/column-arrays.ts';
import { type Database, sqlState } from '../connection/database.ts';
import { retryUntilKnown } from '../connection/group-commit.ts';
import { plainColumn, written } from '../connection/record-columns.ts';
import { QUOTE_COLUMNS, type QuoteRow, sourcesJson, toFoundQuote, toQuote, WRITTEN } from './rows.ts';

export interface AskedQuote {
  readonly quote: NewQuote;
  readonly limits: ExposureLimits;
}

const COLUMNS: readonly ArrayColumn<AskedQuote>[] = [
  ...under('quote', written({ ...WRITTEN, keyId: plainColumn })),
  ['sources', 'text', ({ quote }) => sourcesJson(quote.sources)],
  ['idempotency_key', 'text', ({ quote }) => quote.idempotency?.key ?? null],
  ['request_hash', 'text', ({ quote }) => quote.idempotency?.requestHash ?? null],
  ['valid_ms', 'float8', ({ quote }) => quote.validForMs.toString()],
  ['max_open_minor', 'bigint', ({ limits }) => limits.maxOpenMinor.toString()],
  ['max_open_quotes', 'bigint', ({ limits }) => limits.maxOpenQuotes.toString()],
];

const INPUT = inputOf(COLUMNS);

const KEY_IS_ACTIVE = `(i.key_id is null or exists (select from api_keys a where a.id = i.key_id
  and a.business_id = i.business_id and a.mode = i.mode
  and a.revoked_at is null and (a.expires_at is null or a.expires_at > now())))`;

const IS_NEW = `${KEY_IS_ACTIVE}
    and not exists (select from quotes q where q.id = i.id)
    and (i.idempotency_key is null or not exists (select from quotes q where q.business_id = i.business_id
      and q.mode = i.mode and q.idempotency_key = i.idempotency_key))`;

const INSERT_INTO = `insert into quotes (id, business_id, mode, side, amount_minor, currency, network, naira_minor, fee_minor,
    rate_e4, sources, decision_id, key_id, idempotency_key, request_hash, created_at, expires_at)
  select id, business_id, mode, side, amount_minor, currency, network, naira_minor, fee_minor, rate_e4, sources::jsonb,
    decision_id, key_id, idempotency_key, request_hash, at, at + valid_ms * interval '1 millisecond'`;

const AT = `date_trunc('milliseconds', statement_timestamp())`;
const COUNTED = `select count(*)::int as count, (extract(epoch from ${AT}) * 1000)::float8 as at_ms from inserted`;

/**
 * This statement handles the usual case, in which even the maximum possible exposure of the business stays within its limit. If
 * another process changed a row in the meantime, the row is read again before it is updated, so the comparison is correct. All
 * processes lock rows in the same order.
 */
const INSERT_WITH_ROOM = `
with input as materialized (select i.*, ${AT} as at from ${INPUT} where ${IS_NEW}),
asked as materialized (
  select business_id, mode, sum(naira_minor)::bigint as minor, count(*) as quotes, min(max_open_minor) as max_minor,
    min(max_open_quotes) as max_quotes
  from input group by business_id, mode
), locked as materialized (
  select e.business_id, e.mode from quote_exposure e join asked using (business_id, mode)
  order by e.business_id, e.mode for update of e
), room as (
  update quote_exposure e set most_minor = e.most_minor + a.minor, most_quotes = e.most_quotes + a.quotes
  from asked a join locked l using (business_id, mode)
  where e.business_id = a.business_id and e.mode = a.mode
    and e.most_minor + a.minor <= a.max_minor and e.most_quotes + a.quotes <= a.max_quotes
  returning e.business_id, e.mode
), inserted as (
  ${INSERT_INTO} from input join room using (business_id, mode)
  returning 1
)
${COUNTED}`;

const KNOWN = `insert into quote_exposure (business_id, mode, most_minor, most_quotes)
  select distinct s.business_id, s.mode, 0, 0 from unnest($1::text[], $2::text[]) as s(business_id, mode)
  order by s.business_id, s.mode on conflict do nothing`;

/** All batches lock rows in the same order, so that they cannot deadlock. */
const LOCK = `select from quote_exposure e join (
    select distinct s.business_id, s.mode from unnest($1::text[], $2::text[]) as s(business_id, mode)) s
  using (business_id, mode) order by e.business_id, e.mode for update of e`;

/**
 * Sums the open quotes of a business. The SQL uses another time than now(), because now() is the time at which the transaction
 * began, before it waited for the lock.
 */
const OPEN_OF = (scope: string) => `
  select coalesce(sum(naira_minor), 0)::bigint as minor, count(*) as quotes from quotes q
  where q.business_id = ${scope}.business_id and q.mode = ${scope}.mode and q.transaction_id is null
    and q.expires_at > statement_timestamp()`;

// This is a separate statement after the lock. A statement sees only what was committed before it began, and the statement that
// waits for the lock began before the other processes committed. Small quotes come first, because then no later quote of the
// business fits after one that does not fit. So the running sum refuses exactly the quotes above the limit.
const INSERT_COUNTED = `
with fresh as materialized (select i.*, ${AT} as at from ${INPUT} where ${IS_NEW}),
open as materialized (
  select s.business_id, s.mode, o.minor, o.quotes
  from (select distinct business_id, mode from fresh) s cross join lateral (${OPEN_OF('s')}) o
), running as (
  select f.*, o.minor + sum(f.naira_minor) over added as after_minor, o.quotes + row_number() over added as after_quotes
  from fresh f join open o using (business_id, mode)
  window added as (partition by business_id, mode order by f.naira_minor, f.id rows unbounded preceding)
), inserted as (
  ${INSERT_INTO} from running where after_minor <= max_open_minor and after_quotes <= max_open_quotes
  returning business_id, mode, naira_minor
), most as (
  update quote_exposure e set most_minor = o.minor + coalesce(n.minor, 0), most_quotes = o.quotes + coalesce(n.quotes, 0)
  from open o left join (
    select business_id, mode, sum(naira_minor)::bigint as minor, count(*) as quotes from inserted group by business_id, mode
  ) n using (business_id, mode)
  where e.business_id = o.business_id and e.mode = o.mode
)
select from inserted`;

interface AskedQuoteRow extends QuoteRow {
  wanted_id: string;
  key_active: boolean;
  same_request: boolean | null;
  open_minor: string;
  open_quotes: string;
}

/** Returns the outcome of each item when some were not inserted: the quote itself, or the quote of its Idempotency-Key. */
const EXPLAIN = `
select i.id as wanted_id, q.request_hash = i.request_hash as same_request, ${KEY_IS_ACTIVE} as key_active,
  o.minor as open_minor, o.quotes as open_quotes, ${QUOTE_COLUMNS}
from ${INPUT}
left join lateral (
  (select * from quotes where id = i.id limit 1) union all
  (select * from quotes where business_id = i.business_id and mode = i.mode and idempotency_key = i.idempotency_key
    and id <> i.id limit 1)
  limit 1) q on true
cross join lateral (${OPEN_OF('i')}) o`;

const UNIQUE_VIOLATION = '23505';
const DEADLOCK = '40P01';

export async function addQuotes(
  database: Database,
  batch: readonly AskedQuote[],
  conflicts = 0,
): Promise<(QuoteOutcome | Error)[]> {
  try {
    return await retryUntilKnown(() => insertQuotes(database, batch));
  } catch (error) {
    const state = sqlState(error);
    if (state === undefined) throw error;
    // If another process used the idempotency key first, the next try finds the quote of that process.
    if ((state === UNIQUE_VIOLATION || state === DEADLOCK) && conflicts === 0)
      return addQuotes(database, batch, conflicts + 1);
    if (batch.length === 1) return [error as Error];
    // One item violates a constraint and aborts the whole statement, so each item is tried alone.
    const outcomes: (QuoteOutcome | Error)[] = [];
    for (const item of batch) outcomes.push(...(await addQuotes(database, [item])));
    return outcomes;
  }
}

interface InsertedQuotes {
  count: number;
  at_ms: number;
}

async function insertQuotes(database: Database, batch: readonly AskedQuote[]): Promise<QuoteOutcome[]> {
  const values = columnArrays(COLUMNS, batch);
  const { rows } = await database.query<InsertedQuotes>({
    name: 'add-quotes',
    text: INSERT_WITH_ROOM,
    values,
  });
  if (rows[0]!.count === batch.length) return batch.map(({ quote }) => createdOutcome(quote, rows[0]!.at_ms));
  return database.transaction((client) => insertQuotesUnderLock(client, batch, values));
}

/**
 * Adds the quotes, with the exact sum of open quotes. The result also contains the quotes that the first statement inserted.
 */
async function insertQuotesUnderLock(
  client: ClientBase,
  batch: readonly AskedQuote[],
  values: readonly string[],
): Promise<QuoteOutcome[]> {
  const scopes = [batch.map(({ quote }) => quote.businessId), batch.map(({ quote }) => quote.mode)];
  await client.query({ name: 'know-quote-exposure', text: KNOWN, values: scopes });
  await client.query({ name: 'lock-quote-exposure', text: LOCK, values: scopes });
  await client.query({ name: 'add-quotes-counted', text: INSERT_COUNTED, values: [...values] });
  const { rows } = await client.query<AskedQuoteRow>({
    name: 'explain-quotes',
    text: EXPLAIN,
    values: [...values],
  });
  const outcomes = new Map(rows.map((row) => [row.wanted_id, outcomeOf(row)]));
  return batch.map(({ quote }) => outcomes.get(quote.id)!);
}

function createdOutcome(given: NewQuote, createdAtMs: number): QuoteOutcome {
  const { validForMs, keyId, idempotency, ...facts } = given;
  const expiresAtMs = createdAtMs + validForMs;
  return { kind: 'created', quote: { ...facts, createdAtMs, expiresAtMs, transactionId: null } };
}

function outcomeOf(row: AskedQuoteRow): QuoteOutcome {
  // The quote was inserted just now, or by an earlier try whose response was lost.
  if (row.id === row.wanted_id) return { kind: 'created', quote: toQuote(row) };
  if (!row.key_active) return { kind: 'key_revoked' };
  if (row.id === null) {
    const [openMinor, openQuotes] = [BigInt(row.open_minor), Number(row.open_quotes)];
    return { kind: 'exposure_exceeded', openMinor, openQuotes };
  }
  if (!row.same_request) return { kind: 'idempotency_key_reused' };
  return { kind: 'repeated', ...toFoundQuote(row) };
}
