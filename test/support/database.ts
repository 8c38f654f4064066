// A separate database for every test file, cloned from one template on the cluster that scripts/test.ts runs; and commits that
// prepare a test.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { bootstrapRole } from '../../src/adapters/embedded/server/settings.ts';
import type { Database } from '../../src/adapters/postgres/connection/database.ts';
import type { Change } from '../../src/domain/records/change.ts';
import type { Store } from '../../src/ports/store/store.ts';
import { afterFile } from './sharing/file-group.ts';

export interface TestCluster {
  readonly host: string;
  readonly port: number;
  readonly user: string;
}

export const TEMPLATE = 'sliproad_template';

export function testCluster(): TestCluster {
  const text = process.env.SLIPROAD_TEST_CLUSTER;
  if (text === undefined) throw new Error('Run tests through npm test: it starts their database.');
  return JSON.parse(text) as TestCluster;
}

/** Returns the URL of a new, migrated database, which is dropped at the end of the test file. */
export async function freshDatabase(): Promise<string> {
  const { url, drop } = await createDatabase();
  afterFile(drop);
  return url;
}

/** Creates a new, migrated database. The caller must drop it. */
export async function createDatabase(): Promise<{ readonly url: string; drop(): Promise<void> }> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onCluster((client) =>
    client.query(
      `create database ${name} template ${TEMPLATE} owner ${testCluster().user} strategy file_copy`,
    ),
  );
  const drop = () => onCluster((client) => client.query(`drop database if exists ${name} with (force)`));
  return { url: databaseUrl(name), drop };
}

export async function emptyDatabase(): Promise<{
  url: string;
  connection: TestCluster & { database: string };
}> {
  const database = `test_${randomBytes(6).toString('hex')}`;
  await onCluster((client) => client.query(`create database ${database} owner ${testCluster().user}`));
  afterFile(() => onCluster((client) => client.query(`drop database if exists ${database} with (force)`)));
  return { url: databaseUrl(database), connection: { ...testCluster(), database } };
}

export function databaseUrl(name: string): string {
  const { host, port, user } = testCluster();
  return `postgres://${user}@localhost/${name}?host=${encodeURIComponent(host)}&port=${port}`;
}

export function superuserUrl(url: string): string {
  const changed = new URL(url);
  changed.username = bootstrapRole;
  return changed.href;
}

/** Runs the work as the superuser, because the service's own role cannot create databases. */
export async function onCluster(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ ...testCluster(), user: bootstrapRole, database: 'postgres' });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/** Changes the facts of a transaction to prepare a test; `$1` is its id. The service itself never changes these facts. */
export function changeFacts(database: Database, set: string, values: readonly unknown[]): Promise<void> {
  return database.transaction(async (client) => {
    await client.query('alter table transactions disable trigger only_erasure');
    await client.query(`update transactions set ${set} where id = $1`, [...values]);
    await client.query('alter table transactions enable trigger only_erasure');
  });
}

// Commits changes that prepare a test. If the store refused the commit unnoticed, the test would prove something else.

export async function commitAll(store: Pick<Store, 'commit'>, changes: readonly Change[]): Promise<void> {
  const outcomes = await store.commit(changes);
  assert.deepEqual(
    outcomes,
    changes.map(() => ({ kind: 'committed' })),
  );
}
