// Stores the history of accepted rates in PostgreSQL. Each value is written for its minute, hour and day at once. So hours and
// days are always correct and need no later aggregation.
import type pg from 'pg';
import { type HistoryInterval, RATE_PRODUCTS, type RateProduct } from '../../../domain/rates/rates.ts';
import { MODES, type Mode } from '../../../domain/values/mode.ts';
import type { RateStore } from '../../../ports/rates.ts';
import type { Database } from '../connection/database.ts';

const DAY_MS = 86_400_000;
/** How long the history keeps points of each length. Points of a day are kept permanently. */
const KEPT_MS: Readonly<Partial<Record<HistoryInterval, number>>> = { '1m': 14 * DAY_MS, '1h': 400 * DAY_MS };

/**
 * Adds a point to the history for each rate that has not expired. The rate book is locked, so an older value never overwrites a
 * newer one.
 */
export const insertPointsSql = (values: string, at: string) =>
  `insert into rate_history as h (mode, product, currency, span, at, first_e4, last_e4, low_e4, high_e4)
   select mode, product, currency, span, date_trunc(unit, ${at}::timestamptz, 'UTC'), value_e4, value_e4, value_e4, value_e4
   from ${values}, (values ('1m', 'minute'), ('1h', 'hour'), ('1d', 'day')) spans (span, unit)
   where coalesce(valid_until > ${at}, true)
   on conflict (mode, product, currency, span, at) do update set last_e4 = excluded.last_e4,
     low_e4 = least(h.low_e4, excluded.low_e4), high_e4 = greatest(h.high_e4, excluded.high_e4)
   where (h.last_e4, h.low_e4, h.high_e4)
     is distinct from (excluded.last_e4, least(h.low_e4, excluded.low_e4), greatest(h.high_e4, excluded.high_e4))`;

/**
 * The trigger of the table requires this period, by the database's clock. Each call deletes a limited number of decisions,
 * because there may be many after a long stop.
 */
const FORGET_DECISIONS = `delete from rate_decisions where id in (
  select d.id from rate_decisions d where d.at < now() - interval '90 days'
    and not exists (select from rate_books b where b.decision_id = d.id)
    and not exists (select from quotes q where q.decision_id = d.id and q.transaction_id is not null)
  order by d.at limit 1000)`;

const IN_FORCE = '(select * from rate_values where mode = $1 and product = $2 and in_force) v';

export function makeHistoryRows(database: Database): Pick<RateStore, 'readHistory' | 'keepHistory'> {
  return {
    readHistory: async (mode, { product, currency, interval, fromMs, toMs }) => {
      const { rows } = await database.query<{
        at: Date;
        first_e4: string;
        last_e4: string;
        low_e4: string;
        high_e4: string;
      }>({
        text: `select at, first_e4, last_e4, low_e4, high_e4 from rate_history
          where mode = $1 and product = $2 and currency = $3 and span = $4 and at >= $5 and at < $6 order by at`,
        values: [mode, product, currency, interval, new Date(fromMs), new Date(toMs)],
      });
      return rows.map(({ at, first_e4, last_e4, low_e4, high_e4 }) => ({
        atMs: at.getTime(),
        firstE4: BigInt(first_e4),
        lastE4: BigInt(last_e4),
        lowE4: BigInt(low_e4),
        highE4: BigInt(high_e4),
      }));
    },
    keepHistory: async (atMs) => {
      for (const mode of MODES) {
        for (const product of RATE_PRODUCTS) await addPointsLocked(database, mode, product, new Date(atMs));
      }
      for (const [interval, keptMs] of Object.entries(KEPT_MS)) {
        await database.query({
          text: 'delete from rate_history where span = $1 and at < $2',
          values: [interval, new Date(atMs - keptMs)],
        });
      }
      await database.query({ text: FORGET_DECISIONS });
    },
  };
}

/** Skips a rate book for which a decision is in progress, because that decision adds the point to the history. */
async function addPointsLocked(
  database: Database,
  mode: Mode,
  product: RateProduct,
  at: Date,
): Promise<void> {
  await database.transaction(async (client) => {
    if (await lockBook(client, mode, product))
      await client.query(insertPointsSql(IN_FORCE, '$3'), [mode, product, at]);
  });
}

/**
 * Locks the rate book until the end of the transaction. Returns false if another transaction has the lock. The lock writes
 * nothing, so a decision without changes is cheap.
 */
export async function lockBook(client: pg.ClientBase, mode: Mode, product: RateProduct): Promise<boolean> {
  const text = 'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as locked';
  const { rows } = await client.query<{ locked: boolean }>(text, [`sliproad rates ${mode} ${product}`]);
  return rows[0]!.locked;
}
