// Tests servers and processes that are killed at critical moments. The next process, or the process that watches the server,
// repairs the state.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lchownSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import {
  isRunning,
  memoryLog,
  open,
  openInChild,
  postmasterPid,
  query,
  readyDataDir,
  scratchDir,
} from '../../../../test/support/embedded/scratch.ts';
import { until } from '../../../../test/support/patience.ts';
import { clusterDirOf, socketDirFor } from '../files/directories.ts';
import { isRoot, postgresUser } from '../files/os-user.ts';
import { pidExists, pidFileOf } from '../files/postmaster.ts';

const answersOn = (connection: Parameters<typeof query>[0]) =>
  query(connection, 'select 1').then(
    () => true,
    () => false,
  );

test('a killed server is started again for the processes that use it, even if another process had started it', async (t) => {
  const dataDir = await readyDataDir(scratchDir(t));
  const owner = await openInChild(t, dataDir);
  const { log, has } = memoryLog();
  const adopter = await open(t, dataDir, log);
  await query(adopter.connection, 'create table t as select generate_series(1, 100) as n');
  const killed = postmasterPid(dataDir);
  process.kill(killed, 'SIGKILL');
  await until('it answers again', () => answersOn(adopter.connection));
  await until('it is held again', () => has('the database is back'));
  assert.notEqual(postmasterPid(dataDir), killed);
  assert.equal((await query(owner.connection, 'select * from t')).length, 100);
  assert.equal(await owner.release(), 'left_running');
  assert.equal(await adopter.release(), 'stopped');
});

test('a server that dies repeatedly is started again with growing pauses', async (t) => {
  const dataDir = await readyDataDir(scratchDir(t));
  const { lines, log } = memoryLog();
  const server = await open(t, dataDir, log);
  const times: number[] = [];
  for (let round = 1; round <= 3; round++) {
    const killedAt = performance.now();
    process.kill(postmasterPid(dataDir), 'SIGKILL');
    await until(
      'it is back',
      () => lines.filter(({ message }) => message.endsWith('is back')).length === round,
    );
    times.push(performance.now() - killedAt);
  }
  assert.ok(times[0]! >= 240 && times[1]! >= 490 && times[2]! >= 990, times.join());
  assert.equal(await server.release(), 'stopped');
});

test('a lost hold session is opened again, so that no other process stops the server while we use it', async (t) => {
  const dataDir = await readyDataDir(scratchDir(t));
  const { log, has } = memoryLog();
  const server = await open(t, dataDir, log);
  const sql = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'sliproad-hold'`;
  assert.equal((await query(server.connection, sql)).length, 1);
  await until('it is held again', () => has('the database is back'));
  const other = await openInChild(t, dataDir);
  assert.equal(await other.release(), 'left_running');
  assert.equal(await server.release(), 'stopped');
});

test('after kill -9 of the process that started the server, the next process uses the server and stops it', async (t) => {
  const dataDir = await readyDataDir(scratchDir(t));
  const child = await openInChild(t, dataDir);
  await query(child.connection, 'create table t (n int); insert into t values (7)');
  const pid = postmasterPid(dataDir);
  child.process.kill('SIGKILL');
  await once(child.process, 'exit');
  const { log, has } = memoryLog();
  const server = await open(t, dataDir, log);
  assert.equal(postmasterPid(dataDir), pid);
  assert.ok(has('adopted the running database'));
  assert.deepEqual(await query(server.connection, 'select n from t'), [{ n: 7 }]);
  assert.equal(await server.release(), 'stopped');
});

test('after kill -9 of all processes, committed rows are kept, and a reused process id does not prevent a start', async (t) => {
  const dataDir = await readyDataDir(scratchDir(t));
  const child = await openInChild(t, dataDir);
  await query(child.connection, 'create table t as select generate_series(1, 5000) as n');
  const pid = postmasterPid(dataDir);
  child.process.kill('SIGKILL');
  process.kill(pid, 'SIGKILL');
  await until('the server is gone', () => !isRunning(dataDir));

  // A different program of the same user gets the dead server's process id. PostgreSQL itself refuses to start in this case.
  const user = postgresUser([clusterDirOf(dataDir)]);
  const other = spawn('sleep', ['60'], {
    stdio: 'ignore',
    ...(isRoot() ? { uid: user.uid, gid: user.gid } : {}),
  });
  t.after(() => other.kill('SIGKILL'));
  const locks = [
    pidFileOf(clusterDirOf(dataDir)),
    path.join(socketDirFor(dataDir, isRoot()), '.s.PGSQL.5432.lock'),
  ];
  for (const lock of locks)
    writeFileSync(lock, readFileSync(lock, 'utf8').replace(String(pid), String(other.pid)));

  const { log, has } = memoryLog();
  const server = await open(t, dataDir, log);
  assert.ok(has('removing a stale lock file'));
  assert.ok(pidExists(other.pid!), 'the other program is left alone');
  assert.equal((await query(server.connection, 'select * from t')).length, 5000);
  assert.equal(await server.release(), 'stopped');
});

test('blank lock files after a power loss or a kill do not prevent a start', async (t) => {
  const dataDir = await readyDataDir(scratchDir(t));
  await (await open(t, dataDir)).release();
  const user = postgresUser([clusterDirOf(dataDir)]);
  for (const lock of [
    pidFileOf(clusterDirOf(dataDir)),
    path.join(socketDirFor(dataDir, isRoot()), '.s.PGSQL.5432.lock'),
  ]) {
    writeFileSync(lock, '', { mode: 0o600 });
    if (isRoot()) lchownSync(lock, user.uid, user.gid);
  }
  const server = await open(t, dataDir);
  assert.equal(await server.release(), 'stopped');
});

test('a session that still runs after its server was killed delays the next start but does not make it fail', async (t) => {
  const dataDir = await readyDataDir(scratchDir(t));
  const { log, has } = memoryLog();
  const server = await open(t, dataDir, log);
  const busy = new pg.Client(server.connection);
  busy.on('error', () => {});
  await busy.connect();
  // The session computes instead of waiting. Such a session does not notice that its postmaster died.
  busy.query('select count(*) from generate_series(1, 6000000) a where sqrt(a) < 0').catch(() => {});
  await until('it computes', async () => {
    const rows = await query(server.connection, `select 1 from pg_stat_activity where query like '%sqrt%'`);
    return rows.length > 1;
  });
  process.kill(postmasterPid(dataDir), 'SIGKILL');
  await until('it is back', () => has('the database is back'));
  await busy.end().catch(() => {});
  assert.equal(await server.release(), 'stopped');
});
