// Runs the tests on a real PostgreSQL: starts a cluster in a temporary directory, migrates a template that test files clone, runs
// the files, stops the cluster.
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { openEmbedded } from '../src/adapters/embedded/server/open.ts';
import { bootstrapRole } from '../src/adapters/embedded/server/settings.ts';
import { migrate } from '../src/adapters/postgres/connection/migrate.ts';
import { TEMPLATE } from '../test/support/database.ts';
import { limitMs } from '../test/support/patience.ts';
import { changedFiles, reachedTests, readUsers } from './tests/changed.ts';
import { hasRoom, lanesOf, measureSlowness } from './tests/machine.ts';
import { chosen, plan } from './tests/plan.ts';
import { makeReport } from './tests/report.ts';
import { runShares } from './tests/run.ts';
import { commitTimes, keepTimes, readTimes, secondsOf } from './tests/times.ts';

const USAGE = `npm test                            every test that need not be named
npm test -- PATTERN …               the files whose path contains a pattern
npm test -- --changed               what the change of the working tree can reach through imports
npm test -- FILE --name REGEX       the tests of a file whose name matches
npm test -- … --results FILE        writes every test with its time and result, as JSON
npm test -- --write-seconds         commits how long files take, for machines on which no test has run`;

const CLUSTER = {
  // Several services in each lane, and pools that a slow machine fills: more than one service needs.
  max_connections: 400,
  // Databases are copied as files, which takes two checkpoints each: those that come by themselves are left out.
  checkpoint_timeout: "'1h'",
  max_wal_size: "'4GB'",
};
const root = path.dirname(import.meta.dirname);
const options = readOptions();
const files = chooseFiles();
const lanes = lanesOf();
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());

const times = readTimes(root);
const report = makeReport({ root, files, lanes, expected: (file) => secondsOf(times, file) });
const passed = await runAll();
report.end(passed);
if (options.results !== undefined) writeFileSync(options.results, JSON.stringify(report.results, null, 1));
if (passed) keepTimes(root, report.seconds);
if (passed && options['write-seconds']) commitTimes(root, report.seconds);
process.exitCode = passed ? 0 : 1;

function readOptions() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        changed: { type: 'boolean', default: false },
        name: { type: 'string' },
        results: { type: 'string' },
        'write-seconds': { type: 'boolean', default: false },
      },
    });
    return { ...values, patterns: positionals };
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    process.exit(1);
  }
}

function chooseFiles(): readonly string[] {
  const found = globSync(
    ['{src,test,scripts,bench,local-networks,local-banks,sdk}/**/*.test.ts', 'dashboard/src/**/*.test.ts'],
    { cwd: root },
  ).map((file) => file.split(path.sep).join('/'));
  let files: readonly string[] = chosen(found, options.patterns).toSorted();
  if (files.length === 0) {
    console.error(`No test file has "${options.patterns.join('" or "')}" in its path.\n\n${USAGE}`);
    process.exit(1);
  }
  if (!options.changed) return files;
  const changed = changedFiles(root);
  files = reachedTests(readUsers(root), files, changed);
  if (files.length === 0) {
    console.log(
      `Nothing to run: no test can reach what changed (${changed.join(', ') || 'nothing changed'}).`,
    );
    process.exit(0);
  }
  console.log(`${files.length} test files can reach the ${changed.length} changed files.`);
  return files;
}

/** With a cluster, and places for what processes of the run share. Whether every test passed. */
async function runAll(): Promise<boolean> {
  // In memory where there is room: each commit would wait for the disk. Tests that crash a server have one of their own, on a disk.
  const dataDir = mkdtempSync(path.join(hasRoom('/dev/shm') ? '/dev/shm' : tmpdir(), 'sliproad-test-'));
  const [homeDir, scratchDir] = ['home', 'groups'].map((name) =>
    mkdtempSync(path.join(tmpdir(), `sliproad-test-${name}-`)),
  ) as [string, string];
  let server = await openEmbedded({ dataDir, log: () => undefined });
  try {
    const admin = new pg.Client({ ...server.connection, user: bootstrapRole, database: 'postgres' });
    await admin.connect();
    await admin.query(`create database ${TEMPLATE} owner ${server.connection.user}`);
    for (const [name, value] of Object.entries(CLUSTER))
      await admin.query(`alter system set ${name} = ${value}`);
    await admin.end();
    await server.release();
    server = await openEmbedded({ dataDir, log: () => undefined });
    await migrate({ ...server.connection, database: TEMPLATE });
    const { host, port, user } = server.connection;
    Object.assign(process.env, {
      SLIPROAD_TEST_CLUSTER: JSON.stringify({ host, port, user }),
      SLIPROAD_TEST_SLOWNESS: String(measureSlowness()),
      // What one process has stripped of its types and compiled, the others read, and those of later runs.
      NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/sliproad-compiled'),
      // A data directory that tests copy: the first that needs one makes it (test/support/embedded/used-home.ts).
      SLIPROAD_TEST_HOME: homeDir,
    });
    const shares = plan(files, lanes, times);
    return await runShares({
      ...{ shares, root, scratchDir, lanes, report },
      ...{ names: options.name, signal: stop.signal },
      ...{ testMs: limitMs('test'), silenceMs: limitMs('silence') },
    });
  } finally {
    await server.release();
    for (const dir of [dataDir, homeDir, scratchDir]) rmSync(dir, { recursive: true, force: true });
  }
}
