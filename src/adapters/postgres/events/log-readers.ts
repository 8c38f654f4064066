// Positions of readers of the event log, one row each.
import type { LogReaders } from '../../../ports/events/log-readers.ts';
import type { Database } from '../connection/database.ts';

export function makeLogReaders(database: Database): LogReaders {
  return {
    position: async (reader) => {
      const { rows } = await database.query<{ position: string }>({
        name: 'log-reader-position',
        text: 'select position from log_readers where name = $1',
        values: [reader],
      });
      return rows[0]?.position ?? '';
    },
    move: async (reader, from, to) => {
      await database.query({
        name: 'log-reader-move',
        text: `insert into log_readers as r (name, position) values ($1, $3)
          on conflict (name) do update set position = excluded.position where r.position = $2`,
        values: [reader, from, to],
      });
    },
  };
}
