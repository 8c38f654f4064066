// Runs every test on a real PostgreSQL: starts a cluster in a temporary directory, migrates a template that test files
// clone, runs the files, stops the cluster. `npm test -- PATTERN` runs the files whose path contains the pattern.
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import pg from 'pg';
import { openEmbedded } from '../src/adapters/embedded/server/open.ts';
import { bootstrapRole } from '../src/adapters/embedded/server/settings.ts';
import { migrate } from '../src/adapters/postgres/connection/migrate.ts';
import { TEMPLATE } from '../test/support/database.ts';

const FILE_TIMEOUT_MS = 8 * 60_000;
const AT_ONCE = 2;
const root = path.dirname(import.meta.dirname);
const patterns = process.argv.slice(2);
const files = globSync(
  [
    'src/**/*.test.ts',
    'test/**/*.test.ts',
    'scripts/**/*.test.ts',
    'bench/**/*.test.ts',
    'local-networks/**/*.test.ts',
  ],
  {
    cwd: root,
  },
)
  .filter((file) => patterns.length === 0 || patterns.some((pattern) => file.includes(pattern)))
  .sort();
if (files.length === 0) {
  console.error(`No test file has "${patterns.join('" or "')}" in its path.`);
  process.exit(1);
}

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());
const dataDir = mkdtempSync(path.join(tmpdir(), 'sliproad-test-'));
// Every file is a process of its own: what one has stripped of its types and compiled, the others read.
const compiledDir = mkdtempSync(path.join(tmpdir(), 'sliproad-test-compiled-'));
const server = await openEmbedded({ dataDir, log: () => undefined });
let passed = false;
try {
  const admin = new pg.Client({ ...server.connection, user: bootstrapRole, database: 'postgres' });
  await admin.connect();
  await admin.query(`create database ${TEMPLATE} owner ${server.connection.user}`);
  await admin.end();
  await migrate({ ...server.connection, database: TEMPLATE });
  const { host, port, user } = server.connection;
  passed = await runTests({
    SLIPROAD_TEST_CLUSTER: JSON.stringify({ host, port, user }),
    NODE_COMPILE_CACHE: compiledDir,
  });
} finally {
  await server.release();
  for (const dir of [dataDir, compiledDir]) rmSync(dir, { recursive: true, force: true });
}
process.exitCode = passed ? 0 : 1;

async function runTests(extra: Record<string, string>): Promise<boolean> {
  Object.assign(process.env, extra);
  const events = run({
    // Unlike `node --test`, it keeps the order of the files.
    files: inOrder(files).map((file) => path.join(root, file)),
    cwd: root,
    concurrency: AT_ONCE,
    timeout: FILE_TIMEOUT_MS,
    execArgv: ['--enable-source-maps'],
    signal: stop.signal,
  });
  let passed = false;
  events.on('test:summary', ({ file, success }) => {
    if (file === undefined) passed = success;
  });
  for await (const text of events.compose(spec)) process.stdout.write(text);
  return passed;
}

/**
 * Files of `test/simulation` compute on every core, those of `test/faults` mostly wait for processes and time limits: the first
 * are spread among the second, so that they share the cores. Those that are long stand before the many short ones, which
 * fill both lanes to the end.
 */
function inOrder(all: readonly string[]): readonly string[] {
  const computing = all.filter((file) => file.startsWith('test/simulation/'));
  const waiting = all.filter((file) => file.startsWith('test/faults/'));
  const long = all.filter((file) => /^test\/(contract|docs|e2e)\//.test(file));
  const first = [...spread(computing, waiting), ...long];
  return [...first, ...all.filter((file) => !first.includes(file))];
}

/** The few at equal distances among the many. */
function spread<Item>(few: readonly Item[], many: readonly Item[]): readonly Item[] {
  const placeOf = (index: number, count: number) => (index + 0.5) / count;
  return [
    ...few.map((item, index) => ({ item, place: placeOf(index, few.length) })),
    ...many.map((item, index) => ({ item, place: placeOf(index, many.length) })),
  ]
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
