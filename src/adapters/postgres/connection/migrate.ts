// Applies numbered migrations, which only go forward. Each runs in a separate transaction, all under one lock, so any number of
// processes may start at once. If this version does not know the history of the database, the service does not start and
// changes nothing. The error message names the version to run.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import type { ConnectionSettings } from './database.ts';
import { requireServerVersion } from './server-version.ts';

// Only one process per database may run this work at a time. A separate session holds an advisory lock for it. The lock ends
// with the session, even if the process dies.

/** The lock keys are arbitrary numbers, the same in every process. */
const LOCK_KEYS = { migrations: 727_201_101, sandbox: 727_201_102 } as const;

export async function withDatabaseLock<T>(
  connection: ConnectionSettings,
  lock: keyof typeof LOCK_KEYS,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ ...connection, application_name: `sliproad-${lock}` });
  client.on('error', () => undefined); // the query in progress reports it
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK_KEYS[lock]]);
    return await work(client);
  } finally {
    await client.end();
  }
}

const ROOT = path.resolve(import.meta.dirname, '../../../..');
const MIGRATIONS_DIR = path.join(ROOT, 'migrations');

export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

interface AppliedMigration {
  readonly number: number;
  readonly name: string;
  readonly sha256: string;
  /** The version of Sliproad that applied the migration; null for a database from before the first release. */
  readonly version: string | null;
}

interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  readonly sha256: string;
}

/** A `schema_migrations` table from before the first release has no column `version`. */
const READ_APPLIED = `select number, name, sha256, to_jsonb(m) ->> 'version' as version
  from schema_migrations m order by number`;

export async function migrate(
  connection: ConnectionSettings,
  directory = MIGRATIONS_DIR,
  /** Called with a warning if the server is newer than the tested versions. */
  warn: (text: string) => void = () => undefined,
): Promise<string[]> {
  const wanted = await readMigrations(directory);
  const version = await readOwnVersion();
  return withDatabaseLock(connection, 'migrations', async (client) => {
    await requireServerVersion(client, warn);
    await client.query(
      `create table if not exists schema_migrations (
         number integer primary key, name text not null, sha256 text not null, applied_at timestamptz not null,
         version text not null)`,
    );
    const applied = await client.query<AppliedMigration>(READ_APPLIED);
    refuseUnknown(applied.rows, wanted, version);
    const missing = wanted.slice(applied.rows.length);
    for (const migration of missing) await applyMigration(client, migration, version);
    return missing.map((migration) => migration.name);
  });
}

export interface MigrationState {
  readonly missing: readonly string[];
  /** The reason why this version does not know the history of the database; null if it knows all of it. */
  readonly problem: string | null;
}

export async function readMigrationState(
  client: pg.ClientBase,
  directory = MIGRATIONS_DIR,
): Promise<MigrationState> {
  const wanted = await readMigrations(directory);
  const made = await client.query(`select to_regclass('schema_migrations') is not null as made`);
  if (!made.rows[0].made) return { missing: wanted.map(({ name }) => name), problem: null };
  const { rows } = await client.query<AppliedMigration>(READ_APPLIED);
  try {
    refuseUnknown(rows, wanted, await readOwnVersion());
    return { missing: wanted.slice(rows.length).map(({ name }) => name), problem: null };
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error;
    return { missing: [], problem: error.message };
  }
}

async function readMigrations(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name, index) => {
      const number = Number(name.slice(0, 4));
      if (number !== index + 1)
        throw new MigrationError(`migrations/${name}: number ${index + 1} is missing`);
      const sql = await readFile(path.join(directory, name), 'utf8');
      return { number, name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

function refuseUnknown(
  applied: readonly AppliedMigration[],
  wanted: readonly Migration[],
  version: string,
): void {
  const unknown = applied.find((row, index) => {
    const file = wanted[index];
    return file === undefined || file.sha256 !== row.sha256 || file.number !== row.number;
  });
  if (unknown === undefined) return;
  const ahead = unknown.number > wanted.length;
  throw new MigrationError(
    `This is Sliproad ${version}. ${
      ahead
        ? `The database is newer: it has migration ${unknown.name}, which this version does not have.`
        : `Its migration ${unknown.number} differs from the one that was applied to the database, ${unknown.name}.`
    } ${versionAdvice(applied.at(-1)!, version)} Nothing was changed. ${KEEP}`,
  );
}

const KEEP = 'Keep the database and DATA_DIR as they are: they hold the books and the keys of the signer.';

function versionAdvice(last: AppliedMigration, version: string): string {
  if (last.version === null)
    return 'The database was made before the first release: run the version that made it, or use a new database.';
  if (last.version === version)
    return `The database was made by another build of ${version}: run that build, the one that was used before.`;
  return `Run Sliproad ${last.version}, which made the last change, or a later release.`;
}

async function readOwnVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}

async function applyMigration(client: pg.Client, migration: Migration, version: string): Promise<void> {
  await client.query('begin');
  await client.query(migration.sql);
  await client.query(
    'insert into schema_migrations (number, name, sha256, applied_at, version) values ($1, $2, $3, now(), $4)',
    [migration.number, migration.name, migration.sha256, version],
  );
  await client.query('commit');
}
