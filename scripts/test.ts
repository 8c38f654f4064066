// Runs the tests on a separate, real PostgreSQL.
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { limitMs } from '../test/support/patience.ts';
import { findReachedTests, listChangedFiles, readImportUsers } from './tests/changed-tests.ts';
import { withTestCluster } from './tests/cluster.ts';
import { countLanes } from './tests/machine.ts';
import { filterFiles, planShares } from './tests/plan-shares.ts';
import { makeTestReport } from './tests/report.ts';
import { runShares } from './tests/run-shares.ts';
import { commitTimes, keepTimes, readTimes, secondsOf } from './tests/times.ts';

const USAGE = `npm test                            all tests except the slow ones, which must be named
npm test -- PATTERN …               the files whose path contains a pattern
npm test -- --changed               the tests that depend on a changed file of the working tree
npm test -- FILE --name REGEX       the tests of a file whose name matches
npm test -- … --results FILE        writes every test with its time and result, as JSON
npm test -- --write-seconds         writes the duration of each file to the committed list, for machines on which no test has run`;

const root = path.dirname(import.meta.dirname);
const options = readOptions();
const files = chooseFiles();
const lanes = countLanes();
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());

const times = readTimes(root);
const report = makeTestReport({ root, files, lanes, expected: (file) => secondsOf(times, file) });
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
  let files: readonly string[] = filterFiles(found, options.patterns).toSorted();
  if (files.length === 0) {
    console.error(`No test file has "${options.patterns.join('" or "')}" in its path.\n\n${USAGE}`);
    process.exit(1);
  }
  if (!options.changed) return files;
  const changed = listChangedFiles(root);
  files = findReachedTests(readImportUsers(root), files, changed);
  if (files.length === 0) {
    console.log(
      `Nothing to run: no test depends on a changed file (${changed.join(', ') || 'nothing changed'}).`,
    );
    process.exit(0);
  }
  console.log(`${files.length} test files depend on the ${changed.length} changed files.`);
  return files;
}

async function runAll(): Promise<boolean> {
  const scratchDir = mkdtempSync(path.join(tmpdir(), 'sliproad-test-groups-'));
  try {
    return await withTestCluster(root, () => {
      const shares = planShares(files, lanes, times);
      return runShares({
        ...{ shares, root, scratchDir, lanes, report },
        ...{ names: options.name, signal: stop.signal },
        ...{ testMs: limitMs('test'), silenceMs: limitMs('silence') },
      });
    });
  } finally {
    rmSync(scratchDir, { recursive: true, force: true });
  }
}
