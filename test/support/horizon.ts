// Waits until everything that is committed so far is below the horizon. Tests share a server, so a database transaction of
// another test may delay readers for a moment.
import type { Database } from '../../src/adapters/postgres/connection/database.ts';
import { makeEventLog } from '../../src/adapters/postgres/events/event-log.ts';
import type { EventLog } from '../../src/ports/events.ts';
import { until } from './patience.ts';

const HORIZON = 'pg_snapshot_xmin(pg_current_snapshot())::text::bigint';

/**
 * `xid`: the database transaction that the horizon must reach. Without it, the function waits for a transaction that begins
 * now.
 */
export async function untilReadable(database: Database, xid?: string): Promise<void> {
  const { rows } = await database.query<{ xid: string }>({
    text: 'select pg_current_xact_id()::text as xid',
  });
  const isReached = async () => {
    const { rows: reached } = await database.query({
      text: `select where ${HORIZON} >= $1::bigint`,
      values: [xid ?? rows[0]!.xid],
    });
    return reached.length > 0;
  };
  await until('what was committed is readable', isReached, { everyMs: 10 });
}

export function readableLog(database: Database): Pick<EventLog, 'read'> {
  const log = makeEventLog(database);
  return {
    read: async (...asked) => {
      await untilReadable(database);
      return log.read(...asked);
    },
  };
}
