// Tests migrations. Any number of processes may start at once, and a service refuses to start on a database that does not match
// its code.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { emptyDatabase } from '../../../../test/support/database.ts';
import { afterFile } from '../../../../test/support/sharing/file-group.ts';
import { MigrationError, migrate, readMigrationState } from './migrate.ts';

const nothingIn = async () => ({ connectionString: (await emptyDatabase()).url });

function migrations(files: Readonly<Record<string, string>>): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'sliproad-migrations-'));
  afterFile(() => rmSync(directory, { recursive: true, force: true }));
  for (const [name, sql] of Object.entries(files)) writeFileSync(path.join(directory, name), sql);
  return directory;
}

async function rowsOf(connection: { connectionString: string }, text: string): Promise<unknown[]> {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query(text).finally(() => client.end());
  return rows;
}
const appliedIn = (connection: { connectionString: string }) =>
  rowsOf(connection, 'select name from schema_migrations order by number');

test('an empty database gets every migration once, whichever process starts first', async () => {
  const connection = await nothingIn();
  const answers = await Promise.all(Array.from({ length: 8 }, () => migrate(connection)));
  const applied = answers.filter((names) => names.length > 0);
  assert.equal(applied.length, 1);
  assert.equal(applied[0]![0], '0001_catalogue.sql');
  assert.deepEqual(
    await appliedIn(connection),
    applied[0]!.map((name) => ({ name })),
  );
  assert.deepEqual(await migrate(connection), []);
});

const FIRST = { '0001_first.sql': 'create table first (id int)' };
const SECOND = { ...FIRST, '0002_second.sql': 'create table second (id int); insert into second values (1)' };

test('only the missing migrations are applied, in order', async () => {
  const connection = await nothingIn();
  assert.deepEqual(await migrate(connection, migrations(FIRST)), ['0001_first.sql']);
  assert.deepEqual(await migrate(connection, migrations(SECOND)), ['0002_second.sql']);
  assert.deepEqual(await migrate(connection, migrations(SECOND)), []);
  assert.deepEqual(await rowsOf(connection, 'select id from second'), [{ id: 1 }]);
});

/** Returns the full message of a failed start. The message must never suggest deleting the folder with the signer keys. */
async function refusal(connection: { connectionString: string }, directory: string): Promise<string> {
  const before = await rowsOf(connection, 'select * from schema_migrations order by number');
  const error = await migrate(connection, directory).then(
    () => assert.fail('it was migrated'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof MigrationError);
  assert.match(error.message, /Keep the database and DATA_DIR as they are/);
  assert.doesNotMatch(error.message, /delet|remov|empty|start over/i);
  assert.deepEqual(await rowsOf(connection, 'select * from schema_migrations order by number'), before);
  return error.message;
}

const setVersion = (connection: { connectionString: string }, version: string) =>
  rowsOf(connection, `update schema_migrations set version = '${version}' returning number`);

test('a migration that was changed after it was applied is refused, and the message names it and the version to run', async () => {
  const connection = await nothingIn();
  await migrate(connection, migrations(SECOND));
  const changed = migrations({ ...SECOND, '0001_first.sql': 'create table first (id bigint)' });
  const sameVersion = await refusal(connection, changed);
  assert.match(
    sameVersion,
    /migration 1 differs from the one that was applied to the database, 0001_first\.sql/,
  );
  assert.match(sameVersion, /run that build, the one that was used before/);
  await setVersion(connection, '0.7.2');
  assert.match(
    await refusal(connection, changed),
    /Run Sliproad 0\.7\.2, which made the last change, or a later/,
  );
});

test('threat 90: a database that is newer than the code is refused and not changed', async () => {
  const connection = await nothingIn();
  await migrate(connection, migrations(SECOND));
  await setVersion(connection, '9.1.0');
  const message = await refusal(connection, migrations(FIRST));
  assert.match(message, /The database is newer: it has migration 0002_second\.sql/);
  assert.match(message, /Run Sliproad 9\.1\.0/);
  assert.equal((await appliedIn(connection)).length, 2);
});

test('an inspection reports what a start would apply or refuse, with the same messages, and changes nothing', async () => {
  const connection = await nothingIn();
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const names = ['0001_first.sql', '0002_second.sql'];
    assert.deepEqual(await readMigrationState(client, migrations(SECOND)), { missing: names, problem: null });
    await migrate(connection, migrations(FIRST));
    assert.deepEqual(await readMigrationState(client, migrations(SECOND)), {
      missing: [names[1]],
      problem: null,
    });
    await migrate(connection, migrations(SECOND));
    assert.deepEqual(await readMigrationState(client, migrations(SECOND)), { missing: [], problem: null });
    await setVersion(connection, '9.1.0');
    const problem = await refusal(connection, migrations(FIRST));
    assert.match(problem, /^This is Sliproad \d+\.\d+\.\d+\. The database is newer/);
    assert.deepEqual(await readMigrationState(client, migrations(FIRST)), { missing: [], problem });
  } finally {
    await client.end();
  }
});

test('a database from before the first release is refused with a clear message', async () => {
  const connection = await nothingIn();
  await rowsOf(
    connection,
    `create table schema_migrations (
       number integer primary key, name text not null, sha256 text not null, applied_at timestamptz not null);
     insert into schema_migrations values (1, '0001_foundation.sql', 'x', now())`,
  );
  assert.match(
    await refusal(connection, migrations(FIRST)),
    /made before the first release: run the version that/,
  );
});

test('a failed migration leaves no changes and can be tried again', async () => {
  const connection = await nothingIn();
  const broken = migrations({ ...FIRST, '0002_second.sql': 'create table second (id int); select 1 / 0' });
  await assert.rejects(migrate(connection, broken), { code: '22012' });
  assert.deepEqual(await appliedIn(connection), [{ name: '0001_first.sql' }]);
  assert.deepEqual(await rowsOf(connection, `select to_regclass('second') as found`), [{ found: null }]);
  assert.deepEqual(await migrate(connection, migrations(SECOND)), ['0002_second.sql']);
});

test('a missing or duplicate number is refused before any migration is applied', async () => {
  const connection = await nothingIn();
  for (const files of [
    { '0002_second.sql': 'select 1' },
    { ...FIRST, '0003_third.sql': 'select 1' },
    { ...FIRST, '0001_other.sql': 'select 1' },
  ]) {
    await assert.rejects(migrate(connection, migrations(files)), MigrationError);
  }
  assert.deepEqual(await rowsOf(connection, `select to_regclass('schema_migrations') as found`), [
    { found: null },
  ]);
});

test('files with other names next to the migrations are ignored', async () => {
  const connection = await nothingIn();
  const directory = migrations({
    ...FIRST,
    'notes.txt': 'x',
    '0002_Draft.sql': 'select 1 / 0',
    '0002.sql': 'x',
  });
  assert.deepEqual(await migrate(connection, directory), ['0001_first.sql']);
});
