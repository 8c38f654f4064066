// Rate books in PostgreSQL.
import { CURRENCIES, type Currency, type RateBook } from '../../../domain/catalogue/rates.ts';
import type { BackOffice } from '../../../ports/back-office.ts';
import type { Database } from '../connection/database.ts';
import type { Logged } from './logged.ts';

export function rates(database: Database, logged: Logged): Pick<BackOffice, 'saveRateBook' | 'readRateBook'> {
  return {
    saveRateBook: (mode, book, doing) => {
      const values = CURRENCIES.map((currency) => [currency, book.valuesE4[currency].toString()] as const);
      const { product, spreadBps, updatedAtMs, validUntilMs } = book;
      const detail = { mode, product, spreadBps, validUntilMs, valuesE4: Object.fromEntries(values) };
      return logged(doing, 'rates_set', detail, async (client) => {
        await client.query(
          `insert into rate_books (mode, product, spread_bps, updated_at, valid_until) values ($1, $2, $3, $4, $5)
           on conflict (mode, product) do update
           set spread_bps = excluded.spread_bps, updated_at = excluded.updated_at, valid_until = excluded.valid_until`,
          [
            mode,
            product,
            spreadBps,
            new Date(updatedAtMs),
            validUntilMs === null ? null : new Date(validUntilMs),
          ],
        );
        await client.query(
          `insert into rate_values (mode, product, currency, value_e4)
           select $1, $2, * from unnest($3::text[], $4::bigint[])
           on conflict (mode, product, currency) do update set value_e4 = excluded.value_e4`,
          [mode, product, values.map(([currency]) => currency), values.map(([, value]) => value)],
        );
      });
    },
    readRateBook: async (mode, product) => {
      const { rows } = await database.query<{
        spread_bps: number;
        updated_at: Date;
        valid_until: Date | null;
        currency: Currency;
        value_e4: string;
      }>({
        text: `select b.spread_bps, b.updated_at, b.valid_until, v.currency, v.value_e4
          from rate_books b join rate_values v using (mode, product) where mode = $1 and product = $2`,
        values: [mode, product],
      });
      const first = rows[0];
      if (first === undefined) return undefined;
      const valuesE4 = Object.fromEntries(rows.map((row) => [row.currency, BigInt(row.value_e4)]));
      return {
        product,
        spreadBps: first.spread_bps,
        updatedAtMs: first.updated_at.getTime(),
        validUntilMs: first.valid_until?.getTime() ?? null,
        valuesE4: valuesE4 as RateBook['valuesE4'],
      };
    },
  };
}
