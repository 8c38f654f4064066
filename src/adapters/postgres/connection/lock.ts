// Work that only one process on a database may do at a time, under an advisory lock on a session of its own. The lock
// ends with the session, whatever happens to the process.
import pg from 'pg';
import type { ConnectionSettings } from './database.ts';

/** Arbitrary constants, the same in every process. */
const LOCK_KEYS = { migrations: 727_201_101, sandbox: 727_201_102 } as const;

export async function withLock<T>(
  connection: ConnectionSettings,
  lock: keyof typeof LOCK_KEYS,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ ...connection, application_name: `sliproad-${lock}` });
  client.on('error', () => undefined); // the query under way reports it
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK_KEYS[lock]]);
    return await work(client);
  } finally {
    await client.end();
  }
}
