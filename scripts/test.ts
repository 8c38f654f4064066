// Runs every test on a real PostgreSQL: starts a cluster in a temporary directory, migrates a template that test files
// clone, runs the files, stops the cluster. `npm test -- PATTERN` runs the files whose path contains the pattern.
import { existsSync, globSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { openEmbedded } from '../src/adapters/embedded/server/open.ts';
import { bootstrapRole } from '../src/adapters/embedded/server/settings.ts';
import { migrate } from '../src/adapters/postgres/connection/migrate.ts';
import { CHROMIUM } from '../test/support/browser/chromium-path.ts';
import { TEMPLATE } from '../test/support/database.ts';
import { chosen, plan } from './test-plan.ts';
import { runShares } from './test-run.ts';

const QUIET_MS = 8 * 60_000;
const FILE_TIMEOUT_MS = 4 * 60_000;
const END_TIMEOUT_MS = 30_000;
/** One more than the two cores of a small machine: a third of the time a test waits for a time limit, a process or a disk. */
const LANES = 3;
const CONNECTIONS = 400;
/** The cluster grows to a quarter of it. */
const MEMORY_BYTES = 4 * 2 ** 30;
const root = path.dirname(import.meta.dirname);
const patterns = process.argv.slice(2);
const found = globSync(
  [
    'src/**/*.test.ts',
    'test/**/*.test.ts',
    'scripts/**/*.test.ts',
    'bench/**/*.test.ts',
    'local-networks/**/*.test.ts',
    'local-banks/**/*.test.ts',
    'sdk/**/*.test.ts',
    'dashboard/src/**/*.test.ts',
  ],
  {
    cwd: root,
  },
);
const files = chosen(found, patterns).toSorted();
if (files.length === 0) {
  console.error(`No test file has "${patterns.join('" or "')}" in its path.`);
  process.exit(1);
}

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());
// In memory where there is room: no test stops this server as by a crash, and each commit would wait for the disk. Tests that
// crash a server have one of their own, on a disk.
const dataDir = mkdtempSync(path.join(hasRoom('/dev/shm') ? '/dev/shm' : tmpdir(), 'sliproad-test-'));
// What one process has stripped of its types and compiled, the others read.
const compiledDir = mkdtempSync(path.join(tmpdir(), 'sliproad-test-compiled-'));
// A data directory that tests copy: the first that needs one makes it (test/support/embedded/used-home.ts).
const homeDir = mkdtempSync(path.join(tmpdir(), 'sliproad-test-home-'));
const scratchDir = mkdtempSync(path.join(tmpdir(), 'sliproad-test-groups-'));
let server = await openEmbedded({ dataDir, log: () => undefined });
let passed = false;
try {
  const admin = new pg.Client({ ...server.connection, user: bootstrapRole, database: 'postgres' });
  await admin.connect();
  await admin.query(`create database ${TEMPLATE} owner ${server.connection.user}`);
  // Several services in each lane, and pools that a slow machine fills: more than one service needs.
  await admin.query(`alter system set max_connections = ${CONNECTIONS}`);
  await admin.end();
  await server.release();
  server = await openEmbedded({ dataDir, log: () => undefined });
  await migrate({ ...server.connection, database: TEMPLATE });
  const { host, port, user } = server.connection;
  Object.assign(process.env, {
    SLIPROAD_TEST_CLUSTER: JSON.stringify({ host, port, user }),
    NODE_COMPILE_CACHE: compiledDir,
    SLIPROAD_TEST_HOME: homeDir,
  });
  passed = await runShares({
    shares: plan(files, LANES, CHROMIUM !== undefined),
    root,
    scratchDir,
    lanes: LANES,
    fileTimeoutMs: FILE_TIMEOUT_MS,
    endTimeoutMs: END_TIMEOUT_MS,
    quietMs: QUIET_MS,
    signal: stop.signal,
  });
} finally {
  await server.release();
  for (const dir of [dataDir, compiledDir, homeDir, scratchDir])
    rmSync(dir, { recursive: true, force: true });
}
process.exitCode = passed ? 0 : 1;

function hasRoom(dir: string): boolean {
  if (!existsSync(dir)) return false;
  const { bavail, bsize } = statfsSync(dir);
  return bavail * bsize >= MEMORY_BYTES && freemem() >= MEMORY_BYTES;
}
