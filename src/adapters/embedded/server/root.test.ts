// Tests PostgreSQL when root starts it: which user runs it, and how it reaches files below directories that this user cannot
// enter. Also tests a start by an ordinary user. All tests need root for their setup.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
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
import { findBinaries } from '../files/binaries.ts';
import { isRoot, type OsUser, postgresUser } from '../files/os-user.ts';
import { copyPrograms } from '../files/programs.ts';
import type { EmbeddedConnection } from './connection.ts';
import { chooseLauncher } from './launch.ts';
import { bootstrapRole } from './settings.ts';

function needsRoot(t: TestContext): boolean {
  if (isRoot() && process.platform === 'linux') return true;
  t.skip(isRoot() ? 'capabilities are a Linux matter' : 'needs root to become another user');
  return false;
}

const capabilitySets = ['CapEff', 'CapPrm', 'CapInh', 'CapAmb', 'CapBnd'];

const field = (status: string, name: string) =>
  new RegExp(`^${name}:[ \\t]*(.*)$`, 'm').exec(status)?.[1] ?? '';
const uidOf = (status: string) => field(status, 'Uid').split('\t')[0];

function assertPowerless(pid: number, status: string, user: OsUser): void {
  assert.equal(uidOf(status), String(user.uid));
  assert.equal(field(status, 'Groups').trim(), '');
  assert.equal(field(status, 'NoNewPrivs'), '1');
  for (const set of capabilitySets) assert.equal(BigInt(`0x${field(status, set)}`), 0n, `${set} of ${pid}`);
}

/** Reads the status in one call. Undefined means that the process has ended since it was listed. */
function statusOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return undefined;
  }
}

async function assertAllPowerless(dataDir: string, connection: EmbeddedConnection): Promise<void> {
  const user = postgresUser([path.join(dataDir, 'postgres')]);
  assert.notEqual(user.uid, 0);
  const rows = await query<{ pid: number }>(connection, 'select pid from pg_stat_activity');
  assert.ok(rows.length > 3, 'background processes are listed, too');
  const found = rows.flatMap(({ pid }) => {
    const status = statusOf(pid);
    return status === undefined ? [] : [{ pid, status }];
  });
  assert.ok(found.length > 3, 'and they are still there');
  for (const { pid, status } of found) assertPowerless(pid, status, user);
  const postmaster = postmasterPid(dataDir);
  assertPowerless(postmaster, statusOf(postmaster)!, user);
}

test('in a directory that only root can enter, no server process has a capability, even after a crash', async (t) => {
  if (!needsRoot(t)) return;
  const dataDir = path.join(scratchDir(t, 0o700), 'inner', 'data');
  const { log, has, lines } = memoryLog();
  const server = await open(t, dataDir, log);
  const started = lines.find(({ message }) => message === 'started the database')?.detail;
  assert.equal((started as { launched: string }).launched, 'as_user_from_inside');
  await assertAllPowerless(dataDir, server.connection);

  const checkpoint = () => query({ ...server.connection, user: bootstrapRole }, 'checkpoint');
  await query(server.connection, 'create table t as select generate_series(1, 20000) as n');
  await checkpoint();
  await query(server.connection, 'insert into t select generate_series(1, 20000)');
  process.kill(postmasterPid(dataDir), 'SIGKILL');
  await until('it recovered', () => has('the database is back'));
  await checkpoint();
  const rows = await query<{ n: number }>(server.connection, 'select count(*)::int as n from t');
  assert.equal(rows[0]?.n, 40_000);
  await assertAllPowerless(dataDir, server.connection);
  const other = await openInChild(t, dataDir);
  assert.deepEqual(other.connection, server.connection);
  assert.equal(await other.release(), 'left_running');
  assert.equal(await server.release(), 'stopped');
});

test('in a directory that every user may enter, no server process has a capability', async (t) => {
  if (!needsRoot(t)) return;
  const dataDir = await readyDataDir(scratchDir(t, 0o755), 0o755);
  const { how } = await chooseLauncher(postgresUser([dataDir]), await findBinaries(), dataDir);
  assert.equal(how, 'as_user');
  const server = await open(t, dataDir);
  await assertAllPowerless(dataDir, server.connection);
  assert.equal(await server.release(), 'stopped');
});

test('after a crash, a server restarts at the same socket address, even if its user can no longer reach its directory', async (t) => {
  if (!needsRoot(t)) return;
  const root = scratchDir(t, 0o755);
  const dataDir = await readyDataDir(root, 0o755);
  const first = await openInChild(t, dataDir);
  chmodSync(root, 0o700);
  const { log, has } = memoryLog();
  const second = await open(t, dataDir, log);
  assert.equal(second.connection.host, path.join(dataDir, 'postgres-socket'));
  assert.equal(await first.release(), 'left_running');
  process.kill(postmasterPid(dataDir), 'SIGKILL');
  await until('it recovered', () => has('the database is back'));
  await assertAllPowerless(dataDir, second.connection);
  assert.equal(await second.release(), 'stopped');
});

test('programs that only root can reach, or that were installed with umask 077, are copied once and run from the copy', async (t) => {
  if (!needsRoot(t)) return;
  const root = scratchDir(t, 0o700);
  const home = path.join(scratchDir(t, 0o755), 'programs');
  const binaries = await findBinaries();
  const native = path.dirname(path.dirname(binaries.postgres));
  execFileSync('cp', ['-r', native, root]);
  execFileSync('chmod', ['-R', 'go-rwx', path.join(root, 'native')]);
  const moved = (file: string) => path.join(root, 'native', path.relative(native, file));
  const there = {
    ...binaries,
    initdb: moved(binaries.initdb),
    postgres: moved(binaries.postgres),
    catalogFile: moved(binaries.catalogFile),
  };
  const umask = process.umask(0o077);
  t.after(() => process.umask(umask));
  const user = postgresUser([]);
  const cluster = path.join(root, 'cluster');
  mkdirSync(cluster, { mode: 0o700 });
  chownSync(cluster, user.uid, user.gid);
  const launcher = await chooseLauncher(user, there, root, (found) => copyPrograms(found, [home]));
  assert.equal(launcher.how, 'as_user_from_inside');
  assert.ok(launcher.binaries.postgres.startsWith(`${home}/postgres-${binaries.version}-`));
  const args = [`--pgdata=${launcher.nameOf(cluster)}`, '--no-sync', '--locale=C'];
  const { status, output } = await launcher.run(launcher.binaries.initdb, args, cluster);
  assert.equal(status, 0, output);
  assert.equal(lstatSync(cluster).uid, user.uid);

  const copies = readdirSync(home);
  assert.equal(copies.length, 1, 'nothing half-made stays behind');
  const madeAt = lstatSync(launcher.binaries.postgres).mtimeMs;
  const again = await copyPrograms(there, [home]);
  assert.equal(again.postgres, launcher.binaries.postgres);
  assert.equal(lstatSync(again.postgres).mtimeMs, madeAt);
  for (const mode of [0o777, 0o700]) {
    chmodSync(home, mode);
    await assert.rejects(copyPrograms(there, [home]), {
      code: 'path_not_reachable',
      message: /not a directory that only root can write to and every user may enter/,
    });
  }
});

test('without setpriv the database still starts, and the error about an unreachable path says what to do', async (t) => {
  if (!needsRoot(t)) return;
  const root = scratchDir(t, 0o700);
  const launch = new URL('launch.ts', import.meta.url).href;
  const script = `
    const { chooseLauncher } = await import(${JSON.stringify(launch)});
    const user = { name: 'nobody', uid: 65534, gid: 65534, shared: true };
    const choose = (postgres) => chooseLauncher(user, { postgres, catalogFile: '/etc/passwd' }, ${JSON.stringify(root)}, async (same) => same);
    console.log((await choose('/bin/true')).how);
    await choose('/nonexistent/postgres').catch((error) => console.log(error.code, error.message));`;
  const env = { ...process.env, PATH: '/nonexistent' };
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    env,
    encoding: 'utf8',
  });
  assert.match(stdout, /^as_user_from_inside\npath_not_reachable .*nobody cannot use .*set DATABASE_URL/);
});

test('an ordinary user starts the database directly, and root can use it without changing its owner', async (t) => {
  if (!needsRoot(t)) return;
  const dataDir = scratchDir(t, 0o700);
  const user = nobody();
  const asUser = ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', '--'];
  const script = fileURLToPath(new URL('../../../../test/support/embedded/open-child.ts', import.meta.url));
  const [file, ...args] = [...asUser, process.execPath, '--check', script];
  if (spawnSync(file!, args).status !== 0) return t.skip('that user cannot read this checkout');
  chownSync(dataDir, user.uid, user.gid);
  chmodSync(dataDir, 0o700);

  const child = await openInChild(t, dataDir, asUser);
  assert.equal(uidOf(statusOf(postmasterPid(dataDir))!), String(user.uid));
  const root = await open(t, dataDir);
  assert.equal((await query(root.connection, 'select 1')).length, 1);
  assert.equal(await child.release(), 'left_running');
  assert.equal(await root.release(), 'stopped');

  // When root starts the server, it still runs as the owner of DATA_DIR.
  const again = await open(t, dataDir);
  assert.equal(uidOf(statusOf(postmasterPid(dataDir))!), String(user.uid));
  assert.equal(await again.release(), 'stopped');
  for (const name of ['postgres', 'postgres-socket', 'postgres.log', 'postgres/pg_hba.conf']) {
    assert.equal(lstatSync(path.join(dataDir, name)).uid, user.uid, name);
  }
  const back = await openInChild(t, dataDir, asUser);
  assert.equal(await back.release(), 'stopped');
  assert.equal(isRunning(dataDir), false);
});

function nobody(): OsUser {
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { name: 'nobody', uid: id('-u'), gid: id('-g'), shared: true };
}
