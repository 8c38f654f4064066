// Finds out whether a statement ends, or waits for a lock that another transaction holds.
import type { Database } from '../../src/adapters/postgres/connection/database.ts';
import { until } from '../support/patience.ts';

const WAITING = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

/** While this runs, no other statement of the test file may wait for a lock. */
export async function endsOrWaits(database: Database, begun: Promise<unknown>): Promise<'ends' | 'waits'> {
  let ended = false;
  const end = () => {
    ended = true;
  };
  begun.then(end, end);
  let waits = false;
  await until('it has ended or waits for a lock', async () => {
    waits = !ended && (await database.query({ text: WAITING })).rows.length > 0;
    return ended || waits;
  });
  return ended ? 'ends' : 'waits';
}
