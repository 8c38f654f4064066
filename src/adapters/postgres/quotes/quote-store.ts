// Stores quotes in PostgreSQL. They are added in group commits, read by business, and deleted if they expire unused.
import type { QuoteFilter, QuoteOutcome, QuoteStore, QuoteWithExpiry } from '../../../ports/quotes.ts';
import type { Database } from '../connection/database.ts';
import { makeGroupCommit } from '../connection/group-commit.ts';
import { all, bigintColumn, columnFrom, defineColumns, plainColumn } from '../connection/record-columns.ts';
import { type AskedQuote, addQuotes } from './add-quotes.ts';
import { QUOTE_COLUMNS, type QuoteRow, toFoundQuote } from './rows.ts';

const MAX_BATCH = 256;
/**
 * The number of writes of quotes that may run at the same time. With more, the writes would wait for each other, because quotes
 * of one business are added one batch after the other.
 */
const LANES = 2;
const PATIENCE_MS = 25;
const PURGE_BATCH = 5_000;

export interface PostgresQuotes extends QuoteStore {
  drain(): Promise<void>;
}

export function makePostgresQuotes(database: Database): PostgresQuotes {
  const adding = makeGroupCommit<AskedQuote, QuoteOutcome>({
    write: (batch) => addQuotes(database, batch),
    keysOf: ({ quote: { businessId, mode, idempotency } }) =>
      idempotency === null ? [] : [`${businessId} ${mode} ${idempotency.key}`],
    maxBatch: MAX_BATCH,
    lanes: LANES,
    patienceMs: PATIENCE_MS,
  });
  return {
    add: (quote, limits) => adding.submit({ quote, limits }),
    drain: () => adding.drain(),
    find: async (scope, id) => {
      const { rows } = await database.query<QuoteRow>({
        name: 'find-quote',
        text: `select ${QUOTE_COLUMNS} from quotes q where q.id = $1 and q.business_id = $2 and q.mode = $3`,
        values: [id, scope.businessId, scope.mode],
      });
      return rows[0] && toFoundQuote(rows[0]);
    },
    findByKey: async (scope, key) => {
      const { rows } = await database.query<QuoteRow & { request_hash: string }>({
        name: 'find-quote-by-key',
        text: `select ${QUOTE_COLUMNS}, q.request_hash from quotes q
          where q.business_id = $1 and q.mode = $2 and q.idempotency_key = $3`,
        values: [scope.businessId, scope.mode, key],
      });
      return rows[0] && { ...toFoundQuote(rows[0]), requestHash: rows[0].request_hash };
    },
    list: (scope, filter) => listQuotes(database, scope, filter),
    listAll: ({ businessId, mode, ...filter }) =>
      listQuotes(
        database,
        { ...(businessId !== undefined && { businessId }), ...(mode !== undefined && { mode }) },
        filter,
      ),
    exposure: () => readExposure(database),
    purge: (expiredBeforeMs) => purgeExpiredQuotes(database, expiredBeforeMs),
  };
}

/** Each condition is the same as the condition of the index that finds quotes in this state. */
const STATE_CONDITIONS: Readonly<Record<NonNullable<QuoteFilter['state']>, string>> = {
  open: 'q.transaction_id is null and q.expires_at > now()',
  used: 'q.transaction_id is not null',
  expired: 'q.transaction_id is null and q.expires_at <= now()',
};

async function listQuotes(
  database: Database,
  of: { readonly businessId?: string; readonly mode?: string },
  { state, after, limit }: QuoteFilter,
): Promise<readonly QuoteWithExpiry[]> {
  const values: unknown[] = [limit];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const conditions: string[] = [];
  if (of.businessId !== undefined) conditions.push(`q.business_id = ${bind(of.businessId)}`);
  if (of.mode !== undefined) conditions.push(`q.mode = ${bind(of.mode)}`);
  if (state !== undefined) conditions.push(STATE_CONDITIONS[state]);
  if (after !== undefined) conditions.push(`q.id < ${bind(after.id)}`);
  const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;
  // Open quotes are few, so they are found by their expiry time. If the query used the order of ids, it would also read all
  // expired quotes.
  const text =
    state === 'open'
      ? `with found as materialized (select * from quotes q ${where})
        select ${QUOTE_COLUMNS} from found q order by q.id desc limit $1`
      : `select ${QUOTE_COLUMNS} from quotes q ${where} order by q.id desc limit $1`;
  const { rows } = await database.query<QuoteRow>({ text, values });
  return rows.map(toFoundQuote);
}

type Exposure = Awaited<ReturnType<QuoteStore['exposure']>>[number];
const EXPOSURE = defineColumns<Exposure>({
  ...all(plainColumn, 'businessId', 'mode'),
  ...{
    openMinor: columnFrom('sum(naira_minor)', bigintColumn),
    openQuotes: columnFrom('count(*)::int', plainColumn),
  },
});

async function readExposure(database: Database): ReturnType<QuoteStore['exposure']> {
  const { rows } = await database.query({
    name: 'quote-exposure',
    text: `select ${EXPOSURE.list()} from quotes
      where transaction_id is null and expires_at > now() group by business_id, mode`,
  });
  return rows.map(EXPOSURE.read);
}

/** Deletes quotes in batches that stay well below the time limit of a statement. */
async function purgeExpiredQuotes(database: Database, expiredBeforeMs: number): Promise<number> {
  for (let purged = 0; ; ) {
    const { rowCount } = await database.query({
      name: 'purge-quotes',
      text: `delete from quotes where id = any (array(select id from quotes
        where transaction_id is null and expires_at < to_timestamp($1::float8 / 1000) order by expires_at limit $2))
        and transaction_id is null`,
      values: [expiredBeforeMs, PURGE_BATCH],
    });
    purged += rowCount ?? 0;
    if ((rowCount ?? 0) < PURGE_BATCH) return purged;
  }
}
