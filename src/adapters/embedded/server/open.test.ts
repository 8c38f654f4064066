// Tests opening a DATA_DIR (the first time, by several processes at once, and with a running server) and releasing it.
import assert from 'node:assert/strict';
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import {
  isRunning,
  open,
  openInChild,
  postmasterPid,
  query,
  readyDataDir,
  scratchDir,
} from '../../../../test/support/embedded/scratch.ts';
import { socketDirFor } from '../files/directories.ts';
import { EmbeddedError } from '../files/errors.ts';
import { isRoot } from '../files/os-user.ts';

const contents = isRoot() ? ['postgres', 'postgres.log'] : ['postgres', 'postgres-socket', 'postgres.log'];

test('threat 87: the first start creates a durable, private database, and its release stops it', async (t) => {
  const dataDir = path.join(scratchDir(t), 'data');
  const server = await open(t, dataDir);
  const { host, port, user, database } = server.connection;
  assert.deepEqual(
    { host, port, user, database },
    {
      // The user that runs the server cannot enter root's DATA_DIR.
      host: path.join(dataDir, isRoot() ? 'postgres' : 'postgres-socket'),
      port: 5432,
      user: 'sliproad_service',
      database: 'sliproad',
    },
  );
  const rows = await query<{ name: string; setting: string }>(
    server.connection,
    `select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes',
       'data_checksums', 'listen_addresses', 'TimeZone', 'max_connections', 'server_encoding') order by name`,
  );
  assert.deepEqual(Object.fromEntries(rows.map(({ name, setting }) => [name, setting])), {
    data_checksums: 'on',
    fsync: 'on',
    full_page_writes: 'on',
    listen_addresses: '',
    max_connections: '100',
    server_encoding: 'UTF8',
    synchronous_commit: 'on',
    TimeZone: 'UTC',
  });
  for (const name of ['', 'postgres', path.relative(dataDir, host)]) {
    assert.equal(lstatSync(path.join(dataDir, name)).mode & 0o777, 0o700, name);
  }
  await assert.rejects(query({ ...server.connection, user: 'postgres' }, 'select 1'), /pg_hba.conf rejects/);
  assert.equal(await server.release(), 'stopped');
  assert.equal(await server.release(), 'stopped', 'a second release answers the same');
  assert.equal(isRunning(dataDir), false);
  assert.deepEqual(readdirSync(dataDir).sort(), contents);
});

test('a second process uses the running database, and the last process to release it stops it', async (t) => {
  const dataDir = await readyDataDir(scratchDir(t));
  const first = await open(t, dataDir);
  const pid = postmasterPid(dataDir);
  const second = await openInChild(t, dataDir);
  assert.deepEqual(second.connection, first.connection);
  assert.equal(postmasterPid(dataDir), pid);
  assert.equal(await first.release(), 'left_running');
  assert.equal((await query(second.connection, 'select 1')).length, 1);
  assert.equal(await second.release(), 'stopped');
  assert.equal(isRunning(dataDir), false);
});

test('three first starts at once use one server, and three releases at once stop it', async (t) => {
  const dataDir = scratchDir(t);
  const children = await Promise.all([1, 2, 3].map(() => openInChild(t, dataDir)));
  for (const child of children) assert.equal((await query(child.connection, 'select 1')).length, 1);
  const outcomes = await Promise.all(children.map((child) => child.release()));
  assert.ok(outcomes.includes('stopped'), outcomes.join());
  assert.equal(isRunning(dataDir), false);
  assert.deepEqual(readdirSync(dataDir).sort(), contents);
});

test('two processes can open and release the database repeatedly without a failure', async (t) => {
  const dataDir = await readyDataDir(scratchDir(t));
  const one = async () => {
    for (let round = 0; round < 3; round++) {
      const child = await openInChild(t, dataDir);
      await query(child.connection, 'select 1');
      await child.release();
    }
  };
  await Promise.all([one(), one()]);
  assert.equal(isRunning(dataDir), false);
});

test('if the path of DATA_DIR is too long for a socket, the socket is placed under /tmp', async (t) => {
  const dataDir = path.join(scratchDir(t), 'd'.repeat(60), 'e, "f"'.repeat(5));
  t.after(() => rmSync(socketDirFor(dataDir, true), { recursive: true, force: true }));
  const server = await open(t, dataDir);
  assert.match(server.connection.host, /^\/tmp\/sliproad-[0-9a-f]{24}$/);
  assert.equal(lstatSync(server.connection.host).mode & 0o777, 0o700);
  assert.equal((await query(server.connection, 'select 1')).length, 1);
  const second = await openInChild(t, dataDir);
  assert.deepEqual(second.connection, server.connection);
  await second.release();
  assert.equal(await server.release(), 'stopped');
});

test('a cluster of another PostgreSQL major version is refused and not changed', async (t) => {
  const dataDir = scratchDir(t);
  mkdirSync(path.join(dataDir, 'postgres'), { mode: 0o700 });
  writeFileSync(path.join(dataDir, 'postgres', 'PG_VERSION'), '15\n');
  await assert.rejects(open(t, dataDir), (error) => {
    assert.ok(error instanceof EmbeddedError);
    assert.equal(error.code, 'major_differs');
    assert.match(error.message, /created by PostgreSQL 15, but the embedded server is PostgreSQL 18/);
    return true;
  });
  assert.deepEqual(readdirSync(path.join(dataDir, 'postgres')), ['PG_VERSION']);
});

test('a directory that is not a cluster is refused and not changed', async (t) => {
  const dataDir = scratchDir(t);
  mkdirSync(path.join(dataDir, 'postgres'));
  writeFileSync(path.join(dataDir, 'postgres', 'notes.txt'), 'mine');
  const opening = open(t, dataDir);
  await assert.rejects(opening, { code: 'data_dir_unusable', message: /not a PostgreSQL cluster/ });
  assert.equal(readFileSync(path.join(dataDir, 'postgres', 'notes.txt'), 'utf8'), 'mine');
});

test('the error of a failed server start contains the last lines of the server log', async (t) => {
  const dataDir = await readyDataDir(scratchDir(t));
  writeFileSync(path.join(dataDir, 'postgres', 'postgresql.conf'), 'shared_buffers = plenty\n');
  const opening = open(t, dataDir);
  await assert.rejects(opening, { code: 'start_failed', message: /invalid value.*shared_buffers/ });
});
