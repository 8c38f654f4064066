// Tests the parts that need no server: log segment names, socket directories, library links, missing packages, and the
// environment of the programs.
import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { scratchDir } from '../../../../test/support/embedded/scratch.ts';
import { parseLsn, segmentNames } from '../backup/session.ts';
import { chooseLauncher } from '../server/launch.ts';
import { findBinaries, linkLibraries } from './binaries.ts';
import { listClusterFiles } from './cluster-files.ts';
import { prepareSocketDir, socketDirFor } from './directories.ts';
import { logFileOf, logTail, openLog } from './log-file.ts';
import { currentUser, isRoot, postgresUser } from './os-user.ts';

const mib16 = 16 * 1024 * 1024;

test('the segment names go from the first segment to the one that contains the last byte', () => {
  assert.equal(parseLsn('16/B374D848'), 0x16_b374_d848n);
  assert.deepEqual(segmentNames(1, '0/2000028', '0/2000120', mib16), ['000000010000000000000002']);
  assert.deepEqual(segmentNames(1, '0/2000028', '0/3000000', mib16), ['000000010000000000000002']);
  assert.deepEqual(segmentNames(10, '0/FE000028', '1/28', mib16), [
    '0000000A00000000000000FE',
    '0000000A00000000000000FF',
    '0000000A0000000100000000',
  ]);
  assert.throws(() => parseLsn('16-B3'), RangeError);
  assert.throws(() => segmentNames(1, '0/5000000', '0/2000000', mib16), RangeError);
});

test('the socket is under /tmp if its path would be longer than 100 bytes, and in DATA_DIR otherwise', () => {
  const rest = Buffer.byteLength('/postgres-socket/.s.PGSQL.5432');
  const fits = `/${'a'.repeat(100 - rest - 1)}`;
  assert.equal(socketDirFor(fits, false), `${fits}/postgres-socket`);
  assert.match(socketDirFor(`${fits}a`, false), /^\/tmp\/sliproad-[0-9a-f]{24}$/);
  assert.notEqual(socketDirFor(`${fits}a`, false), socketDirFor(`${fits}b`, false));
  assert.equal(socketDirFor(`${fits}a`, true), `${fits}a/postgres`);
  assert.match(socketDirFor(`${fits}${'a'.repeat(20)}`, true), /^\/tmp\/sliproad-[0-9a-f]{24}$/);
});

test('a socket directory that belongs to another user, or that is a link, is not trusted', async (t) => {
  const root = scratchDir(t);
  const user = currentUser();
  const loose = path.join(root, 'loose');
  mkdirSync(loose);
  chmodSync(loose, 0o777);
  prepareSocketDir(loose, user);
  assert.equal(lstatSync(loose).mode & 0o777, 0o700);

  const link = path.join(root, 'link');
  symlinkSync(loose, link);
  assert.throws(() => prepareSocketDir(link, user), {
    code: 'socket_dir_not_ours',
    message: /not a directory/,
  });

  if (!isRoot()) return t.diagnostic('a directory of another user needs root to make');
  const foreign = path.join(root, 'foreign');
  mkdirSync(foreign, { mode: 0o700 });
  chownSync(foreign, 12_345, 12_345);
  assert.throws(() => prepareSocketDir(foreign, user), { code: 'socket_dir_not_ours', message: /12345/ });
});

test('creates the library links that are missing after an install without scripts', async (t) => {
  const native = path.join(scratchDir(t), 'native');
  mkdirSync(path.join(native, 'lib'), { recursive: true });
  writeFileSync(path.join(native, 'lib', 'libpq.so.5.18'), '');
  const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }];
  writeFileSync(path.join(native, 'pg-symlinks.json'), JSON.stringify(links));
  await linkLibraries(native, 'p');
  await linkLibraries(native, 'p');
  assert.equal(readlinkSync(path.join(native, 'lib', 'libpq.so.5')), 'libpq.so.5.18');
});

test('on a platform without binaries the error names DATABASE_URL', async () => {
  const error = { code: 'binaries_missing', message: /sunos-sparc.*Set DATABASE_URL/ };
  await assert.rejects(findBinaries('sunos-sparc'), error);
});

test('threat 70: the database programs do not get our environment variables, which may contain secrets', async (t) => {
  const dataDir = scratchDir(t, 0o755);
  const launcher = await chooseLauncher(postgresUser([dataDir]), await findBinaries(), dataDir);
  const { status, output } = await launcher.run('/usr/bin/env', [], dataDir);
  const names = [...output.matchAll(/^(\w+)=/gm)].map(([, name]) => name).toSorted();
  assert.deepEqual([status, names], [0, ['LC_ALL', 'PATH', 'TZ']]);
});

test('a large server log is renamed at the next start, and the log tail begins at the offset of that start', (t) => {
  const root = scratchDir(t);
  const file = logFileOf(root);
  writeFileSync(file, 'x'.repeat(11 * 1024 * 1024));
  const { offset } = openLog(root, currentUser());
  assert.equal(offset, 0);
  assert.equal(lstatSync(`${file}.1`).size, 11 * 1024 * 1024);
  writeFileSync(file, 'before\nafter\n');
  assert.equal(logTail(root, 7), 'after');
});

test('a link inside the cluster makes a backup fail, and files that belong to one server run are not backed up', async (t) => {
  const root = scratchDir(t);
  for (const name of ['global', 'pg_wal', 'base/5/pgsql_tmp'])
    mkdirSync(path.join(root, name), { recursive: true });
  for (const name of [
    'global/pg_control',
    'pg_wal/000000010000000000000001',
    'postmaster.pid',
    'base/5/1259',
  ]) {
    writeFileSync(path.join(root, name), '');
  }
  writeFileSync(path.join(root, 'base/5/pg_internal.init'), '');
  const listed = await listClusterFiles(root);
  assert.deepEqual(listed.files, ['base/5/1259', 'global/pg_control']);
  assert.deepEqual(listed.directories, ['base', 'base/5', 'global', 'pg_wal']);
  symlinkSync('/elsewhere', path.join(root, 'base', 'link'));
  await assert.rejects(listClusterFiles(root), { code: 'backup_failed', message: /is a link/ });
});
