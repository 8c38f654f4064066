// Stores desk prices and spreads in PostgreSQL. Rows are added and never changed. They can be added inside the transaction of
// another change, such as the decision of a second person.
import type pg from 'pg';
import type { DeskPrice, DeskWrites, RateStore, StoredSpread } from '../../../ports/rates.ts';
import { makeRunAudited } from '../back-office/run-audited.ts';
import type { Database } from '../connection/database.ts';
import {
  CURRENT_DESK_PRICES,
  DESK_PRICE_JSON,
  type DeskPriceJson,
  deskPriceOf,
  SPREAD_JSON,
} from './rows.ts';

const dateOrNull = (atMs: number | null) => (atMs === null ? null : new Date(atMs));

export async function insertDeskPrices(client: pg.ClientBase, prices: readonly DeskPrice[]): Promise<void> {
  const column = <T>(read: (price: DeskPrice) => T): T[] => prices.map(read);
  await client.query(
    `insert into desk_prices
       (mode, product, currency, value_e4, as_of, valid_until, override, confirmed, sample, set_by, approved_by)
     select * from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::timestamptz[], $6::timestamptz[],
       $7::boolean[], $8::boolean[], $9::boolean[], $10::text[], $11::text[])`,
    [
      ...[column(({ mode }) => mode), column(({ product }) => product), column(({ currency }) => currency)],
      column(({ valueE4 }) => valueE4.toString()),
      ...[column(({ asOfMs }) => dateOrNull(asOfMs)), column(({ validUntilMs }) => dateOrNull(validUntilMs))],
      ...[column(({ override }) => override), column(({ confirmed }) => confirmed)],
      ...[
        column(({ sample }) => sample),
        column(({ setBy }) => setBy),
        column(({ approvedBy }) => approvedBy),
      ],
    ],
  );
}

async function insertSpread(client: pg.ClientBase, spread: StoredSpread): Promise<void> {
  await client.query(
    `insert into spreads (mode, product, currency, tier, spread_bps, effective_from, set_by)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      ...[spread.mode, spread.product, spread.currency, spread.tier, spread.spreadBps],
      ...[dateOrNull(spread.fromMs), spread.setBy],
    ],
  );
}

/**
 * If `database` is the pool of connections, each write has a separate transaction. If it is one connection, the write runs
 * inside the open transaction.
 */
export function makeDeskWrites(database: Database): DeskWrites {
  const logged = makeRunAudited(database);
  return {
    addDeskPrices: (prices, doing) => {
      const detail = { prices: prices.map((price) => ({ ...price, valueE4: price.valueE4.toString() })) };
      return logged(doing, 'rates_set', detail, (client) => insertDeskPrices(client, prices));
    },
    addSpread: (spread, doing) =>
      logged(doing, 'spread_set', spread, (client) => insertSpread(client, spread)),
  };
}

type DeskRows = Pick<RateStore, 'currentDeskPrices' | 'listDeskPrices' | 'listSpreads'>;

export function makeDeskRows(database: Database): DeskRows {
  const pricesOf = async (text: string, values: unknown[]): Promise<DeskPrice[]> => {
    const { rows } = await database.query<{ price: DeskPriceJson }>({ text, values });
    return rows.map(({ price }) => deskPriceOf(price));
  };
  return {
    currentDeskPrices: (mode, product) =>
      pricesOf(`select ${DESK_PRICE_JSON} as price from (${CURRENT_DESK_PRICES}) p`, [mode, product]),
    listDeskPrices: (mode, product, sinceMs) =>
      pricesOf(
        `select ${DESK_PRICE_JSON} as price from desk_prices p
         where mode = $1 and product = $2 and as_of >= $3 order by as_of desc, id desc`,
        [mode, product, new Date(sinceMs)],
      ),
    listSpreads: async (mode) => {
      const { rows } = await database.query<{ spread: StoredSpread }>({
        text: `select ${SPREAD_JSON} as spread from spreads s where mode = $1 order by id`,
        values: [mode],
      });
      return rows.map(({ spread }) => spread);
    },
  };
}
