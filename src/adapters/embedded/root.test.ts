// PostgreSQL under root: as whom it runs, and how it gets at files below directories that user cannot enter. Also the
// other way round, as an ordinary user. All of it needs root to set up.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, lstatSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findBinaries } from './binaries.ts';
import { chooseLauncher } from './launch.ts';
import { isRoot, type OsUser, postgresUser } from './os-user.ts';
import {
  isRunning,
  memoryLog,
  open,
  openInChild,
  postmasterPid,
  query,
  scratchDir,
  until,
} from './scratch.ts';

function needsRoot(t: TestContext): boolean {
  if (isRoot() && process.platform === 'linux') return true;
  t.skip(isRoot() ? 'capabilities are a Linux matter' : 'needs root to become another user');
  return false;
}

const statusOf = (pid: number, field: string): string =>
  new RegExp(`^${field}:[ \\t]*(.*)$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '';
const capDacReadSearch = 1n << 2n;

test('below a directory only root can enter it runs as another user with one capability', async (t) => {
  if (!needsRoot(t)) return;
  const dataDir = path.join(scratchDir(t, 0o700), 'inner', 'data');
  const { log, has } = memoryLog();
  const server = await open(t, dataDir, log);
  const user = postgresUser([path.join(dataDir, 'postgres')]);
  const pid = postmasterPid(dataDir);
  assert.notEqual(user.uid, 0);
  assert.equal(statusOf(pid, 'Uid').split('\t')[0], String(user.uid));
  assert.equal(statusOf(pid, 'Groups').trim(), '');
  for (const set of ['CapEff', 'CapPrm', 'CapBnd', 'CapAmb']) {
    assert.equal(BigInt(`0x${statusOf(pid, set)}`), capDacReadSearch, set);
  }

  await query(server.connection, 'create table t as select generate_series(1, 20000) as n');
  await query(server.connection, 'checkpoint');
  await query(server.connection, 'insert into t select generate_series(1, 20000)');
  process.kill(pid, 'SIGKILL');
  await until('it recovered', () => has('the database is back'));
  await query(server.connection, 'checkpoint');
  const rows = await query<{ n: number }>(server.connection, 'select count(*)::int as n from t');
  assert.equal(rows[0]?.n, 40_000);
  assert.equal(await server.release(), 'stopped');
});

test('below directories anybody can enter it keeps no capability', async (t) => {
  if (!needsRoot(t)) return;
  const dataDir = scratchDir(t, 0o755);
  const { how } = chooseLauncher(postgresUser([dataDir]), await findBinaries(), dataDir);
  if (how !== 'as_user') return t.skip('this checkout lies below a closed directory');
  const server = await open(t, dataDir);
  assert.equal(BigInt(`0x${statusOf(postmasterPid(dataDir), 'CapPrm')}`), 0n);
  assert.equal(await server.release(), 'stopped');
});

test('programs installed below a closed directory, or with umask 077, can be run', async (t) => {
  if (!needsRoot(t)) return;
  const root = scratchDir(t, 0o700);
  const binaries = await findBinaries();
  const native = path.dirname(path.dirname(binaries.postgres));
  execFileSync('cp', ['-r', native, root]);
  const moved = (file: string) => path.join(root, 'native', path.relative(native, file));
  const there = {
    ...binaries,
    initdb: moved(binaries.initdb),
    postgres: moved(binaries.postgres),
    catalogFile: moved(binaries.catalogFile),
  };
  const user = postgresUser([]);
  const makesCluster = async (name: string) => {
    const launcher = chooseLauncher(user, there, root);
    mkdirSync(path.join(root, name), { mode: 0o700 });
    chownSync(path.join(root, name), user.uid, user.gid);
    const args = [`--pgdata=${path.join(root, name)}`, '--no-sync', '--locale=C'];
    const { status, output } = await launcher.run(there.initdb, args);
    assert.equal(status, 0, output);
    return launcher.how;
  };
  assert.equal(await makesCluster('one'), 'as_user_reading_anything');
  execFileSync('chmod', ['-R', 'go-rwx', path.join(root, 'native')]);
  assert.equal(await makesCluster('two'), 'as_user_with_file_override');
});

test('without setpriv the message says what to do', async (t) => {
  if (!needsRoot(t)) return;
  const root = scratchDir(t, 0o700);
  const launch = new URL('launch.ts', import.meta.url).href;
  const script = `
    const { chooseLauncher } = await import(${JSON.stringify(launch)});
    const user = { name: 'nobody', uid: 65534, gid: 65534, shared: true };
    const files = { postgres: '/bin/true', catalogFile: '/etc/passwd' };
    try { chooseLauncher(user, files, ${JSON.stringify(root)}); } catch (error) { console.log(error.code, error.message); }`;
  const env = { ...process.env, PATH: '/nonexistent' };
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    env,
    encoding: 'utf8',
  });
  assert.match(stdout, /^path_not_reachable .*Install setpriv \(package util-linux\)/);
});

test('an ordinary user runs it directly, and root may join in without taking it over', async (t) => {
  if (!needsRoot(t)) return;
  const dataDir = scratchDir(t, 0o700);
  const user = nobody();
  const asUser = ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', '--'];
  const script = fileURLToPath(new URL('open-child.ts', import.meta.url));
  const [file, ...args] = [...asUser, process.execPath, '--check', script];
  if (spawnSync(file!, args).status !== 0) return t.skip('that user cannot read this checkout');
  chownSync(dataDir, user.uid, user.gid);
  chmodSync(dataDir, 0o700);

  const child = await openInChild(t, dataDir, asUser);
  assert.equal(statusOf(postmasterPid(dataDir), 'Uid').split('\t')[0], String(user.uid));
  const root = await open(t, dataDir);
  assert.equal((await query(root.connection, 'select 1')).length, 1);
  assert.equal(await child.release(), 'left_running');
  assert.equal(await root.release(), 'stopped');

  // Root starts it alone: it stays the owner's.
  const again = await open(t, dataDir);
  assert.equal(statusOf(postmasterPid(dataDir), 'Uid').split('\t')[0], String(user.uid));
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
