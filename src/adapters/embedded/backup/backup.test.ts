// Takes a backup during writes and restores it in a different directory. A restore refuses incomplete and damaged backups.
import assert from 'node:assert/strict';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import {
  isRunning,
  memoryLog,
  open,
  query,
  readyDataDir,
  scratchDir,
} from '../../../../test/support/embedded/scratch.ts';
import { until } from '../../../../test/support/patience.ts';
import type { EmbeddedConnection } from '../server/connection.ts';
import { bootstrapRole } from '../server/settings.ts';
import { backupEmbedded } from './backup.ts';
import { restoreEmbedded } from './restore.ts';

const { log } = memoryLog();
const nothing = async () => {};

function startWriter(connection: EmbeddedConnection) {
  let committed = 0;
  let going = true;
  const run = async () => {
    const client = new pg.Client(connection);
    await client.connect();
    while (going) {
      await client.query(`insert into written values ($1, repeat('x', 500))`, [committed + 1]);
      committed += 1;
    }
    await client.end();
  };
  const ended = run();
  return {
    committed: () => committed,
    stop: async () => {
      going = false;
      await ended;
    },
  };
}

async function smallBackup(t: TestContext): Promise<{ root: string; backup: string }> {
  const root = scratchDir(t);
  const dataDir = await readyDataDir(root);
  const server = await open(t, dataDir);
  await query(server.connection, 'create table t as select 42 as n');
  await server.release();
  const backup = path.join(root, 'backup');
  await backupEmbedded({ dataDir, targetDir: backup, log });
  return { root, backup };
}

test('a backup taken during writes contains every row that was committed before it began', async (t) => {
  const root = scratchDir(t);
  const dataDir = await readyDataDir(root);
  const server = await open(t, dataDir);
  await query(server.connection, 'create table written (n bigint primary key, filler text)');
  const writer = startWriter(server.connection);
  t.after(() => writer.stop().catch(() => {}));
  const superuser = { ...server.connection, user: bootstrapRole };
  // Tables are created and dropped and checkpoints run, so that files disappear and change during the copy.
  let churning = true;
  const churn = (async () => {
    while (churning)
      await query(superuser, 'create table gone (n int); checkpoint; drop table gone; checkpoint');
  })();
  await until('rows are written', () => writer.committed() >= 300);
  const before = writer.committed();
  const progress: number[] = [];
  const targetDir = path.join(root, 'backups', 'one');
  const result = await backupEmbedded({
    dataDir,
    targetDir,
    log,
    onProgress: ({ filesDone }) => progress.push(filesDone),
  });
  churning = false;
  await churn;
  assert.ok(writer.committed() > before, 'writing went on during the backup');
  await writer.stop();
  assert.equal(progress.length, result.files);
  assert.deepEqual(await query(server.connection, 'select * from pg_replication_slots'), []);
  assert.equal(await server.release(), 'stopped');
  assert.deepEqual(readdirSync(path.dirname(targetDir)), ['one'], 'no partial copy stays behind');
  assert.equal(lstatSync(targetDir).mode & 0o777, 0o700);
  assert.equal(lstatSync(path.join(targetDir, 'PG_VERSION')).mode & 0o777, 0o600);

  const restored = path.join(root, 'restored');
  let seen = 0;
  await restoreEmbedded({
    dataDir: restored,
    sourceDir: targetDir,
    log,
    onRestored: async (connection) => {
      const sql = 'select count(*)::int as rows, max(n)::int as last from written';
      const [found] = await query<{ rows: number; last: number }>(connection, sql);
      assert.equal(found?.rows, found?.last, 'no gap: what one session committed in order is there in order');
      seen = found?.rows ?? 0;
      await query(connection, 'create table marked ()');
    },
  });
  assert.ok(seen >= before, `${seen} rows restored, ${before} were committed before the backup began`);
  assert.deepEqual(readdirSync(restored), ['postgres'], 'no staging directory stays behind');
  const copy = await open(t, restored);
  assert.equal((await query(copy.connection, 'select 1 from written')).length, seen);
  await query(copy.connection, 'select * from marked');
  assert.equal(await copy.release(), 'stopped');
});

interface AtRest {
  readonly root: string;
  readonly backup: string;
}

test('a backup of a stopped database', async (t) => {
  // The subtests share one backup, because making it is slow. Each subtest leaves it unchanged.
  const made = await smallBackup(t);
  await t.test('a backup starts a stopped database and stops it afterwards', () => backupAtRest(made));
  await t.test(
    'a restore refuses a damaged backup or one of another PostgreSQL version, and leaves no files behind',
    () => refusesDamaged(made),
  );
  await t.test('a restore never overwrites a database, and fails when the onRestored callback fails', () =>
    neverOverwrites(t, made),
  );
});

async function backupAtRest({ root, backup }: AtRest): Promise<void> {
  assert.equal(isRunning(path.join(root, 'data')), false);
  const manifest = JSON.parse(readFileSync(path.join(backup, 'manifest.json'), 'utf8'));
  assert.equal(manifest.postgres_major, 18);
  const listed = manifest.files.map((file: { path: string }) => file.path);
  assert.ok(listed.includes('global/pg_control') && !listed.includes('postmaster.pid'));
  const again = { dataDir: path.join(root, 'data'), targetDir: backup, log };
  await assert.rejects(backupEmbedded(again), { code: 'target_not_empty' });
  const inside = { ...again, targetDir: path.join(root, 'data', 'postgres', 'a', 'copy') };
  await assert.rejects(backupEmbedded(inside), {
    code: 'target_not_empty',
    message: /inside the database/,
  });
  assert.equal(existsSync(path.dirname(inside.targetDir)), false);
  const nowhere = { ...again, dataDir: path.join(root, 'none') };
  await assert.rejects(backupEmbedded(nowhere), { code: 'cluster_missing' });
  assert.equal(existsSync(path.join(root, 'none')), false);
}

async function refusesDamaged({ root, backup }: AtRest): Promise<void> {
  const dataDir = path.join(root, 'restored');
  const refused = async (code: string, message: RegExp, name: string, spoil: (file: string) => void) => {
    const file = path.join(backup, name);
    const whole = readFileSync(file);
    spoil(file);
    const restoring = restoreEmbedded({ dataDir, sourceDir: backup, log, onRestored: nothing });
    await assert.rejects(restoring, { code, message });
    assert.deepEqual(existsSync(dataDir) ? readdirSync(dataDir) : [], []);
    writeFileSync(file, whole);
  };
  const replace = (from: string, to: string) => (file: string) => {
    const text = readFileSync(file, 'utf8');
    assert.ok(text.includes(from));
    writeFileSync(file, text.replace(from, to));
  };
  const flipByte = (file: string) => {
    const bytes = readFileSync(file);
    bytes[100]! ^= 1;
    writeFileSync(file, bytes);
  };
  const manifest = 'manifest.json';
  const format = replace('"format_version": 1', '"format_version": 2');
  const outside = replace('"path": "PG_VERSION"', '"path": "../PG_VERSION"');
  const unlisted = replace('"path": "backup_label"', '"path": "some_label"');
  const major = replace('"postgres_major": 18', '"postgres_major": 17');
  await refused('manifest_missing', /no manifest.json/, manifest, (file) => rmSync(file));
  await refused('manifest_invalid', /not valid JSON/, manifest, (file) => truncateSync(file, 500));
  await refused('manifest_invalid', /format version is 2/, manifest, format);
  await refused('manifest_invalid', /malformed/, manifest, outside);
  await refused('manifest_invalid', /does not list backup_label/, manifest, unlisted);
  await refused('major_differs', /PostgreSQL 17; the embedded one is PostgreSQL 18/, manifest, major);
  await refused('file_damaged', /base\/1\/1259 does not have the content/, 'base/1/1259', flipByte);
  await refused('file_damaged', /base\/1\/1259 is missing/, 'base/1/1259', (file) => rmSync(file));
  await refused('file_damaged', /pg_control has 100 bytes/, 'global/pg_control', (file) =>
    truncateSync(file, 100),
  );
}

async function neverOverwrites(t: TestContext, { root, backup }: AtRest): Promise<void> {
  const occupied = { dataDir: path.join(root, 'data'), sourceDir: backup, log, onRestored: nothing };
  await assert.rejects(restoreEmbedded(occupied), {
    code: 'cluster_exists',
    message: /already contains a database/,
  });

  const dataDir = path.join(root, 'restored-last');
  mkdirSync(path.join(dataDir, 'postgres'), { recursive: true, mode: 0o700 });
  const failing = async () => {
    throw new Error('could not pause');
  };
  const failed = restoreEmbedded({ dataDir, sourceDir: backup, log, onRestored: failing });
  await assert.rejects(failed, /could not pause/);
  assert.deepEqual(readdirSync(path.join(dataDir, 'postgres')), []);

  await restoreEmbedded({ dataDir, sourceDir: backup, log, onRestored: nothing });
  const server = await open(t, dataDir);
  assert.deepEqual(await query(server.connection, 'select n from t'), [{ n: 42 }]);
  assert.equal(await server.release(), 'stopped');
}
