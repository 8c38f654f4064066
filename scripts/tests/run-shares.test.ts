// Tests a run of test files: what it counts, and what it reports about a failure. A test that hangs, ends early or cannot be
// loaded is reported and fails the run. The tests write their own test files here.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';

const HERE = import.meta.dirname;
const NEVER_MS = 3_600_000;

/** Runs files in the given groups in a separate process, because Node refuses a run inside a run. Returns the printed text. */
async function runFiles(
  t: TestContext,
  files: Readonly<Record<string, string>>,
  { shares = Object.keys(files).map((name) => [name]), silenceMs = NEVER_MS } = {},
): Promise<string> {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'sliproad-run-')));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(path.join(root, 'scratch'));
  for (const [name, text] of Object.entries(files))
    writeFileSync(
      path.join(root, name),
      `import assert from 'node:assert';\nimport { test } from 'node:test';\n${text}`,
    );
  const settings = { shares, root, lanes: 2, scratchDir: path.join(root, 'scratch') };
  writeFileSync(
    path.join(root, 'runner.ts'),
    `import { makeTestReport } from ${JSON.stringify(path.join(HERE, 'report.ts'))};
     import { runShares } from ${JSON.stringify(path.join(HERE, 'run-shares.ts'))};
     const settings = ${JSON.stringify(settings)};
     const report = makeTestReport({ ...settings, files: settings.shares.flat(), expected: () => 1 });
     const signal = new AbortController().signal;
     const passed = await runShares({ ...settings, report, signal, testMs: ${NEVER_MS}, silenceMs: ${silenceMs} });
     report.end(passed);
     process.exit(passed ? 0 : 1);`,
  );
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(process.execPath, [path.join(root, 'runner.ts')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const [code] = await once(child, 'close');
  return `${printed}exit ${code}\n`;
}

const GOOD =
  "test('/a name like a path', () => undefined);\ntest('not today', { skip: true }, () => undefined);\n";
const BAD = "console.log('printed by the file');\ntest('bad', () => assert.equal(1, 2));\n";

test('tests are counted, alone and in a group, and a failure shows its reason and its command', async (t) => {
  const files = { 'a.test.ts': GOOD, 'b.test.ts': BAD, 'c.test.ts': GOOD };
  const printed = await runFiles(t, files, { shares: [['a.test.ts', 'b.test.ts'], ['c.test.ts']] });
  assert.match(printed, /^2 passed, 1 failed, 2 skipped\nexit 1\n$/m);
  assert.match(
    printed,
    /✖ bad\n {2}b\.test\.ts:4\n[\s\S]*1 == 2[\s\S]*Alone: npm test -- b\.test\.ts[\s\S]*of b\.test\.ts:\n {2}printed by the file/,
  );
  assert.match(printed, /The 3 slowest files:\n( +[\d.]+ s {2}[abc]\.test\.ts\n){3}/);
  assert.match(printed, /\nWhat failed:\n {2}b\.test\.ts: bad\n\nFAILED in /);
  assert.match(printed, /^FAILED in .*: 2 passed, 1 failed, 2 skipped$/m);
});

test('a run without a failure passes', async (t) => {
  const printed = await runFiles(t, { 'a.test.ts': GOOD, 'c.test.ts': GOOD });
  assert.match(
    printed,
    /^Passed in .*: 2 passed, 0 failed, 2 skipped\n2 passed, 0 failed, 2 skipped\nexit 0\n$/m,
  );
});

test('a test that hangs is stopped and named', async (t) => {
  const hanging =
    "test('waits forever', async () => { await new Promise((done) => setTimeout(done, 1e9)); });";
  for (const shares of [[['a.test.ts', 'h.test.ts']], [['a.test.ts'], ['h.test.ts']]]) {
    const printed = await runFiles(
      t,
      { 'a.test.ts': GOOD, 'h.test.ts': hanging },
      { shares, silenceMs: 1_500 },
    );
    assert.match(printed, /It was running:[\s\S]* {2}h\.test\.ts: waits forever\n/);
    assert.match(printed, /exit 1\n$/);
  }
});

test('a file that cannot be loaded, and a process that exits early, fail the run', async (t) => {
  const broken = await runFiles(t, { 'x.test.ts': "throw new Error('no such thing');" });
  assert.match(broken, /x\.test\.ts[\s\S]*exit 1\n$/);
  const group = { shares: [['x.test.ts', 'a.test.ts']] };
  const grouped = await runFiles(
    t,
    { 'x.test.ts': "throw new Error('no such thing');", 'a.test.ts': GOOD },
    group,
  );
  assert.match(
    grouped,
    /✖ x\.test\.ts can be loaded[\s\S]*no such thing[\s\S]*1 passed, 1 failed, 1 skipped\nexit 1\n$/,
  );
  const early = "test('ends', () => { console.error('why it ended'); process.exit(0); });";
  const ended = await runFiles(t, { 'x.test.ts': early, 'a.test.ts': GOOD }, group);
  assert.match(
    ended,
    /A process ended or was stopped while it ran x\.test\.ts[\s\S]*Printed by the process of x\.test\.ts:\n.*why it ended[\s\S]*exit 1\n$/,
  );
});

test('an error outside of any test fails the run, and its file is named', async (t) => {
  const unowned = `test('does not wait', async () => {
    void Promise.reject(new Error('no test caught it'));
    await new Promise((done) => setTimeout(done, 20));
  });`;
  for (const shares of [
    [['a.test.ts', 'u.test.ts', 'c.test.ts']],
    [['a.test.ts'], ['u.test.ts'], ['c.test.ts']],
  ]) {
    const files = { 'a.test.ts': GOOD, 'u.test.ts': unowned, 'c.test.ts': GOOD };
    const printed = await runFiles(t, files, { shares });
    assert.match(
      printed,
      /✖ .*\n[\s\S]*no test caught it[\s\S]*What failed:\n {2}.*u\.test\.ts.*\n[\s\S]*exit 1\n$/,
    );
  }
});
