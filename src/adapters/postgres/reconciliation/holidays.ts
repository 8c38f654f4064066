// Public holidays in PostgreSQL. Each change by a person is in the audit log.
import type { HolidayStore, PublicHoliday } from '../../../ports/reconciliation.ts';
import { makeRunAudited } from '../back-office/run-audited.ts';
import type { Database } from '../connection/database.ts';
import { all, day, defineColumns, plainColumn } from '../connection/record-columns.ts';
import type { QueryClient } from './rows.ts';

const HOLIDAY = defineColumns<PublicHoliday>({
  day,
  ...all(plainColumn, 'name', 'provisional', 'setBy'),
});

/** A comparison looks at most this many days ahead and back. */
const AROUND_DAYS = 40;

export async function readHolidaysAround(client: QueryClient, around: string): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ day: string }>({
    text: `select to_char(day, 'YYYY-MM-DD') as day from public_holidays
      where day between $1::date - ${AROUND_DAYS} and $1::date + ${AROUND_DAYS}`,
    values: [around],
  });
  return new Set(rows.map((row) => row.day));
}

export function makeHolidayStore(database: Database): HolidayStore {
  const audited = makeRunAudited(database);
  return {
    list: async () => {
      const text = `select ${HOLIDAY.list()} from public_holidays order by day`;
      return (await database.query({ text })).rows.map(HOLIDAY.read);
    },
    set: async ({ day: on, name, provisional }, { actor, atMs }) => {
      await audited({ actor, atMs }, 'holiday.set', { id: on, name, provisional }, async (client) => {
        await client.query(
          `insert into public_holidays (day, name, provisional, set_by, set_at) values ($1, $2, $3, $4, $5)
            on conflict (day) do update set name = excluded.name, provisional = excluded.provisional,
              set_by = excluded.set_by, set_at = excluded.set_at`,
          [on, name, provisional, actor, new Date(atMs)],
        );
        return true;
      });
    },
    remove: ({ day: on }, { actor, atMs }) =>
      audited({ actor, atMs }, 'holiday.removed', { id: on }, async (client) => {
        const { rowCount } = await client.query('delete from public_holidays where day = $1', [on]);
        return rowCount === 1;
      }),
  };
}
