// Stores rate sources in PostgreSQL. The row of a source decides which process reads the source and when. So the processes
// together read each source once, no matter how many they are.
import type { RateStore, SourceState } from '../../../ports/rates.ts';
import type { Database } from '../connection/database.ts';
import { SOURCE_JSON, type SourceJson, sourceOf } from './rows.ts';

type SourceRows = Pick<RateStore, 'leaseSources' | 'saveReading' | 'saveFailure' | 'listSources'>;

export function makeSourceRows(database: Database): SourceRows {
  const read = async (text: string, values: unknown[]): Promise<SourceState[]> => {
    const { rows } = await database.query<{ source: SourceJson }>({ text, values });
    return rows.map(({ source }) => sourceOf(source));
  };
  return {
    leaseSources: async (names, atMs, leaseMs) => {
      const at = new Date(atMs);
      await database.query({
        text: `insert into rate_sources (name, next_read_at) select name, $2 from unnest($1::text[]) name
          on conflict (name) do nothing`,
        values: [names, at],
      });
      return read(
        `with due as (
           select name from rate_sources where name = any ($1) and next_read_at <= $2
             and coalesce(leased_until <= $2, true) and coalesce(open_until <= $2, true)
           order by name for update skip locked),
         s as (update rate_sources set leased_until = $3 where name in (select name from due) returning *)
         select ${SOURCE_JSON} as source from s order by s.name`,
        [names, at, new Date(atMs + leaseMs)],
      );
    },
    saveReading: (name, rates, atMs, nextReadAtMs) =>
      database.transaction(async (client) => {
        // A slow reader writes nothing if another process has read the rate source in the meantime.
        const { rowCount } = await client.query(
          `update rate_sources set last_read_at = $2, next_read_at = $3, leased_until = null, failures = 0, open_until = null
           where name = $1 and coalesce(last_read_at <= $2, true)`,
          [name, new Date(atMs), new Date(nextReadAtMs)],
        );
        if (rowCount === 0) return;
        const last = [...new Map(rates.map((rate) => [rate.currency, rate])).values()];
        await client.query('delete from rate_readings where source = $1 and not currency = any ($2)', [
          name,
          last.map(({ currency }) => currency),
        ]);
        await client.query(
          `insert into rate_readings (source, currency, value_e4, as_of)
           select $1, * from unnest($2::text[], $3::numeric[], $4::timestamptz[])
           on conflict (source, currency) do update set value_e4 = excluded.value_e4, as_of = excluded.as_of`,
          [
            ...[name, last.map(({ currency }) => currency), last.map(({ valueE4 }) => valueE4.toString())],
            last.map(({ asOfMs }) => new Date(asOfMs)),
          ],
        );
      }),
    saveFailure: async (name, { code, message }, { atMs, nextReadAtMs, openUntilMs }) => {
      await database.query({
        text: `update rate_sources set failures = failures + 1, last_failure_at = $2, last_failure_code = $3,
            last_failure_message = $4, next_read_at = $5, open_until = $6, leased_until = null
          where name = $1`,
        values: [
          ...[name, new Date(atMs), code, message, new Date(nextReadAtMs)],
          openUntilMs === null ? null : new Date(openUntilMs),
        ],
      });
    },
    listSources: () => read(`select ${SOURCE_JSON} as source from rate_sources s order by s.name`, []),
  };
}
