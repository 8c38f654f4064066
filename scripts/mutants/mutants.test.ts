// Tests the mutants. The same seed gives the same mutants, every kind occurs, and each mutant is a changed file that still
// parses. A run in a copy of the tree reports which test caught each mutant and keeps its results. It does not change the tree.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { isPlayed } from '../../test/simulation/coverage/places.ts';
import { addSeed, emptyTally } from '../../test/simulation/coverage/tally.ts';
import { diffOf } from './diff.ts';
import { drawMutants, readMoneySources } from './draw-mutants.ts';
import { judgeByProgram } from './judge.ts';
import { findMutationSites, MUTATION_KINDS } from './mutation-sites.ts';
import { findImportedBy, listNearestTests } from './nearest-tests.ts';
import { openMutantResults, resultTable } from './results.ts';
import { openScratch } from './scratch.ts';

const HERE = import.meta.dirname;
const ROOT = path.join(HERE, '../..');
const sources = readMoneySources(ROOT);

test('the same seed selects the same mutants, a larger count begins with the same ones, and another seed selects others', () => {
  const idsOf = (seed: number, count: number) => drawMutants(sources, seed, count).map(({ id }) => id);
  const ids = idsOf(3, 60);
  assert.equal(new Set(ids).size, 60);
  assert.deepEqual(idsOf(3, 90).slice(0, 60), ids);
  assert.notDeepEqual(idsOf(4, 60), ids);
});

test('mutations are selected only in the wanted files', () => {
  const { file } = sources[0]!;
  const sites = findMutationSites(sources.find((source) => source.file === file)!);
  const [wanted] = sites.slice(-1);
  const drawn = drawMutants(sources, 3, 60, (where, offset) => where === file && offset === wanted!.start);
  assert.ok(drawn.length > 0);
  for (const mutant of drawn) assert.equal(mutant.file, file);
  assert.ok(drawn.length <= sites.filter(({ start }) => start === wanted!.start).length);
});

test('a position counts as executed when a seed ran the innermost block around it', () => {
  const tally = emptyTally();
  const whole = { place: '0-999', name: '', pattern: '0-999-1' };
  const called = { place: '100-500', name: 'f', pattern: '100-500-1 200-300-0' };
  const uncalled = { place: '600-700', name: 'g', pattern: '600-700-0' };
  addSeed(tally, new Map([['a.ts', [whole, called, uncalled]]]), []);
  const played = (offset: number) => isPlayed(tally.functions, 'a.ts', offset);
  assert.deepEqual([50, 150, 250, 350, 650].map(played), [true, true, false, true, false]);
  assert.equal(isPlayed(tally.functions, 'b.ts', 50), false);
});

test('every kind of mutation occurs, and each mutant changes its file and still parses', () => {
  const mutants = drawMutants(sources, 5, 120);
  assert.deepEqual(new Set(mutants.map(({ kind }) => kind)), new Set(MUTATION_KINDS));
  for (const { file, text, line } of mutants) {
    const source = sources.find((each) => each.file === file)!;
    assert.notEqual(text, source.text);
    assert.ok(line >= 1 && line <= source.text.split('\n').length);
    stripTypeScriptTypes(text);
  }
});

test('each kind of mutation has its replacement text', () => {
  const text = [
    'export async function f(a: { paidMinor: bigint; dueMinor: bigint }, go: () => Promise<string>) {',
    '  if (a.paidMinor < a.dueMinor) await go();',
    '  await go();',
    '  return "select from t where x for update skip locked and pg_advisory_xact_lock(1)";',
    '}',
  ].join('\n');
  const put = findMutationSites({ file: 'a.ts', text }).map(
    ({ kind, start, end, put }) => `${kind}: ${text.slice(start, end)} → ${put}`,
  );
  assert.deepEqual(put.toSorted(), [
    'boundary: < → <=',
    'condition: a.paidMinor < a.dueMinor → !(a.paidMinor < a.dueMinor)',
    'dropped_call: await go(); → void 0;',
    'dropped_call: await go(); → void 0;',
    'lost_lock:  for update skip locked → ',
    'lost_lock: pg_advisory_xact_lock → concat',
    'missing_await: await  → ',
    'missing_await: await  → ',
    'swapped_field: dueMinor → paidMinor',
    'swapped_field: paidMinor → dueMinor',
  ]);
});

test('the nearest test runs first; tests reached only through a bundle, or run only by name, are not listed', () => {
  const users = new Map([
    ['src/a.ts', ['src/b.ts', 'src/a.test.ts', 'build/main.js', 'test/contract/evm/planted-evm.test.ts']],
    ['src/b.ts', ['test/far.test.ts', 'src/b.test.ts']],
    ['build/main.js', ['test/built.test.ts']],
  ]);
  const tests = [...users.values()].flat().filter((file) => file.endsWith('.test.ts'));
  const times = { 'src/b.test.ts': 1, 'test/far.test.ts': 9 };
  assert.deepEqual(listNearestTests(users, tests, 'src/a.ts', times), [
    'src/a.test.ts',
    'src/b.test.ts',
    'test/far.test.ts',
  ]);
});

test('the simulated files are those that the simulation imports, directly or indirectly', () => {
  const all = [
    { file: 'test/simulation/a.ts', text: "import '../../src/b.ts';" },
    { file: 'src/b.ts', text: "export * from './c.ts';" },
    { file: 'src/c.ts', text: '' },
    { file: 'src/d.ts', text: '' },
  ];
  assert.deepEqual([...findImportedBy(all, 'test/simulation')].toSorted(), [
    'src/b.ts',
    'src/c.ts',
    'test/simulation/a.ts',
  ]);
});

test('a mutant is shown as a diff of its lines', () => {
  const before = ['1', '2', '3', '4', '5', '6', '7', '8'].join('\n');
  const shown = diffOf('a.ts', before, before.replace('5', 'five'));
  assert.equal(shown, '--- a.ts\n+++ a.ts\n@@ line 2 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n');
});

const CODE = `export function fee(amountMinor: bigint, freeMinor: bigint): bigint {
  if (amountMinor < freeMinor) return 0n;
  return amountMinor / 100n;
}
export function unseen(a: number): number {
  return a > 1 ? a : 1;
}
`;
const TESTS = {
  'src/fee.test.ts': `test('the fee', () => assert.equal(fee(500n, 500n), 5n));`,
  // This test fails with or without a mistake, so it catches nothing.
  'src/broken.test.ts': `test('broken', () => { fee(1n, 0n); assert.fail('always'); });`,
};

function fixture(t: TestContext): string {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'sliproad-mutants-test-')));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(path.join(root, 'src'));
  writeFileSync(path.join(root, 'package.json'), '{ "type": "module" }');
  writeFileSync(path.join(root, 'src/fee.ts'), CODE);
  for (const [file, text] of Object.entries(TESTS))
    writeFileSync(
      path.join(root, file),
      `import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { fee } from './fee.ts';\n${text}\n`,
    );
  execFileSync('git', ['init', '-q'], { cwd: root });
  return root;
}

/** The test runs in a separate process, because Node refuses a test run inside a test run. */
async function tryThem(root: string, results: string) {
  const at = (name: string) => JSON.stringify(path.join(HERE, name));
  const runner = path.join(root, '..', `${path.basename(root)}-runner.ts`);
  writeFileSync(
    runner,
    `import { readSources } from ${at('../checks/source.ts')};
     import { drawMutants } from ${at('draw-mutants.ts')};
     import { judgeByTests } from ${at('judge.ts')};
     import { openMutantResults } from ${at('results.ts')};
     import { openScratch } from ${at('scratch.ts')};
     import { tryMutants } from ${at('try-mutants.ts')};
     const root = ${JSON.stringify(root)};
     const mutants = drawMutants(readSources(root, 'src/fee.ts'), 1, 20);
     const scratch = openScratch(root);
     const judge = judgeByTests(scratch, () => ['src/broken.test.ts', 'src/fee.test.ts']);
     const results = openMutantResults(${JSON.stringify(results)});
     const all = await tryMutants({ mutants, judge, results, limitSeconds: 600, print: () => undefined });
     scratch.close();
     console.log(JSON.stringify(all));`,
  );
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(process.execPath, [runner], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  await once(child, 'close');
  rmSync(runner);
  return JSON.parse(printed) as readonly {
    line: number;
    kind: string;
    verdict: { kind: string; by?: string };
  }[];
}

test('a run reports which test caught each mutant, saves it, and changes nothing in the tree', async (t) => {
  const root = fixture(t);
  const file = path.join(root, 'kept/results.json');
  const all = await tryThem(root, file);
  const verdictOf = (kind: string, line: number) =>
    all.find((each) => each.kind === kind && each.line === line)?.verdict;
  assert.deepEqual(verdictOf('boundary', 2), { kind: 'caught', by: 'src/fee.test.ts: the fee' });
  assert.equal(verdictOf('boundary', 6)?.kind, 'missed', 'no test calls it');
  assert.ok(all.every(({ verdict }) => verdict.kind !== 'caught' || !verdict.by!.includes('broken')));
  assert.equal(readFileSync(path.join(root, 'src/fee.ts'), 'utf8'), CODE);
  const kept = readFileSync(file, 'utf8');
  assert.deepEqual(await tryThem(root, file), all, 'what is decided is not tried again');
  assert.equal(readFileSync(file, 'utf8'), kept);
  const results = openMutantResults(file);
  const [mutant] = drawMutants([{ file: 'src/fee.ts', text: CODE }], 1, 1);
  assert.match(
    resultTable([results.find(mutant!)!]),
    /1 mutants: \d caught, \d not caught, 0 not decided in time$/,
  );
  const changed = drawMutants([{ file: 'src/fee.ts', text: `${CODE}// more\n` }], 1, 1)[0]!;
  assert.equal(results.find(changed), undefined, 'another text is another mutant');
});

test('a program that runs seeds can judge a mutant too: caught by a broken promise or a failure, missed, or over the time limit', async (t) => {
  const root = fixture(t);
  const program = (text: string) => writeFileSync(path.join(root, 'play.ts'), text);
  const [mutant] = drawMutants([{ file: 'src/fee.ts', text: CODE }], 1, 1);
  const judged = async (text: string, limitSeconds = 600) => {
    program(text);
    const scratch = openScratch(root);
    try {
      return await judgeByProgram(scratch, ['play.ts'])(mutant!, limitSeconds);
    } finally {
      scratch.close();
    }
  };
  const forEver = 'setInterval(() => undefined, 1_000);';
  assert.deepEqual(await judged(`console.log('BROKEN seed 1: paid twice'); ${forEver}`), {
    kind: 'caught',
    by: 'play.ts: BROKEN seed 1: paid twice',
  });
  assert.deepEqual(await judged("throw new Error('no')"), { kind: 'caught', by: 'play.ts: it fails' });
  assert.deepEqual(await judged("console.log('0 of 9 seeds broke a promise')"), { kind: 'missed', tests: 1 });
  assert.deepEqual(await judged(forEver, 1), { kind: 'limit', tests: 1 });
  // This test checks that during the run the file is the mutant, and that afterwards the file is unchanged.
  const looks = `import { readFileSync } from 'node:fs';
    process.exit(readFileSync('src/fee.ts', 'utf8') === ${JSON.stringify(CODE)} ? 0 : 1);`;
  assert.equal((await judged(looks)).kind, 'caught');
});
