// Forward-only numbered migrations, each in its own transaction, all under one lock: any number of processes may
// start at once. A database that is ahead of the code, or whose applied files differ, stops the start.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import type { ConnectionSettings } from './database.ts';
import { withLock } from './lock.ts';

const MIGRATIONS_DIR = path.resolve(import.meta.dirname, '../../../../migrations');

export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  readonly sha256: string;
}

/** Applies what is missing; answers the names applied. */
export async function migrate(connection: ConnectionSettings, directory = MIGRATIONS_DIR): Promise<string[]> {
  const wanted = await readMigrations(directory);
  return withLock(connection, 'migrations', async (client) => {
    await client.query(
      `create table if not exists schema_migrations (
         number integer primary key, name text not null, sha256 text not null, applied_at timestamptz not null)`,
    );
    const applied = await client.query<{ number: number; name: string; sha256: string }>(
      'select number, name, sha256 from schema_migrations order by number',
    );
    refuseDrift(applied.rows, wanted);
    const missing = wanted.slice(applied.rows.length);
    for (const migration of missing) await apply(client, migration);
    return missing.map((migration) => migration.name);
  });
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

function refuseDrift(applied: { number: number; name: string; sha256: string }[], wanted: Migration[]): void {
  for (const [index, row] of applied.entries()) {
    const file = wanted[index];
    if (file === undefined) {
      throw new MigrationError(
        `The database is newer than this version: it has migration ${row.name}. Run the version that made it.`,
      );
    }
    if (file.sha256 !== row.sha256 || file.number !== row.number) {
      throw new MigrationError(`Migration ${row.name} was changed after it was applied to this database.`);
    }
  }
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin');
  await client.query(migration.sql);
  await client.query(
    'insert into schema_migrations (number, name, sha256, applied_at) values ($1, $2, $3, now())',
    [migration.number, migration.name, migration.sha256],
  );
  await client.query('commit');
}
