// Runs the checks of `sliproad doctor` in a database. They read facts on a separate connection and change nothing.
import pg from 'pg';
import type { ConnectionSettings } from './database.ts';
import { type MigrationState, readMigrationState } from './migrate.ts';

export interface DatabaseFacts {
  readonly version: string;
  readonly versionNumber: number;
  readonly settings: Readonly<Record<string, string>>;
  readonly role: string;
  readonly superuser: boolean;
  readonly migrations: MigrationState;
  /**
   * The next transaction number of the server, and the highest transaction number in a stored record. After a dump was restored
   * into a new server, the second number can be higher than the first. Then readers of events wait until the server reaches it.
   */
  readonly nextTransaction: bigint;
  readonly highestCommit: bigint | null;
  /** How far this machine's clock is ahead of the database's clock. Half of the round trip is subtracted. */
  readonly clockAheadMs: number;
}

const RISKY_SETTINGS = ['fsync', 'full_page_writes', 'synchronous_commit'];

export async function inspectDatabase(
  connection: ConnectionSettings,
  timeoutMs: number,
): Promise<DatabaseFacts> {
  const client = new pg.Client({
    ...connection,
    application_name: 'sliproad-doctor',
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  client.on('error', () => undefined); // the query in progress reports it
  await client.connect();
  try {
    return await readDatabaseFacts(client);
  } finally {
    await client.end();
  }
}

async function readDatabaseFacts(client: pg.Client): Promise<DatabaseFacts> {
  const beganMs = Date.now();
  const clock = await client.query<{ now_ms: string }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms',
  );
  const halfWayMs = (beganMs + Date.now()) / 2;
  const server = await client.query<{ version: string; number: number; role: string; superuser: boolean }>(
    `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
       current_user as role, (select rolsuper from pg_roles where rolname = current_user) as superuser`,
  );
  const settings = await client.query<{ name: string; setting: string }>(
    'select name, setting from pg_settings where name = any($1)',
    [RISKY_SETTINGS],
  );
  const { version, number, role, superuser } = server.rows[0]!;
  return {
    ...{ version, versionNumber: number, role, superuser },
    settings: Object.fromEntries(settings.rows.map(({ name, setting }) => [name, setting])),
    migrations: await readMigrationState(client),
    clockAheadMs: Math.round(halfWayMs - Number(clock.rows[0]!.now_ms)),
    ...(await readCounters(client)),
  };
}

async function readCounters(client: pg.Client) {
  const next = await client.query<{ next: string }>(
    'select pg_snapshot_xmax(pg_current_snapshot())::text as next',
  );
  const tables = await client.query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.columns
     where table_schema = current_schema() and column_name = 'committed_by' order by 1`,
  );
  const nextTransaction = BigInt(next.rows[0]!.next);
  let highestCommit: bigint | null = null;
  for (const { name } of tables.rows) {
    // The check needs only numbers above the server's counter. An index shows quickly whether there are any.
    const found = await client.query<{ highest: string | null }>(
      `select max(committed_by)::text as highest from ${name} where committed_by >= $1`,
      [next.rows[0]!.next],
    );
    const highest = found.rows[0]!.highest;
    if (highest !== null && (highestCommit === null || BigInt(highest) > highestCommit))
      highestCommit = BigInt(highest);
  }
  return { nextTransaction, highestCommit };
}
