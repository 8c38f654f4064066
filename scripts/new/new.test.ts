// Tests names and paths of scaffolds. A refusal comes before anything is written, and a failure in the middle leaves no files
// behind.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { addAsLastEntry, addImport, insertBefore } from './file-edits.ts';
import { SCAFFOLD_KINDS } from './kinds.ts';
import { ScaffoldRefused, scaffoldNamesOf } from './names.ts';
import { writeScaffold } from './write-scaffold.ts';

const root = path.dirname(path.dirname(import.meta.dirname));
const refuses = (pattern: RegExp) => (error: unknown) =>
  error instanceof ScaffoldRefused && pattern.test(error.message);

function inFolder(work: (folder: string) => void): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'sliproad-new-'));
  try {
    work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('a name is converted to all its forms', () => {
  assert.deepEqual(scaffoldNamesOf('acme-pay2'), {
    ...{ name: 'acme-pay2', camel: 'acmePay2', Name: 'AcmePay2', snake: 'acme_pay2', title: 'Acme pay2' },
  });
});

test('a name that is not in kebab-case, is too long or is a TypeScript keyword is refused', () => {
  for (const bad of ['Acme', 'acme_pay', 'acme--pay', '-acme', 'acme-', '2acme', 'acme pay', '../acme', ''])
    assert.throws(() => scaffoldNamesOf(bad), refuses(/must be in kebab-case/), bad);
  assert.throws(() => scaffoldNamesOf('a'.repeat(31)), refuses(/at most 30 characters/));
  for (const bad of ['new', 'default', 'class'])
    assert.throws(() => scaffoldNamesOf(bad), refuses(/word of TypeScript/));
  assert.throws(() => SCAFFOLD_KINDS['rate-source']!.make('acme2'), refuses(/no digits/));
  assert.throws(() => SCAFFOLD_KINDS.page!.make('people/vault'), refuses(/no area "people"/));
  assert.throws(() => SCAFFOLD_KINDS.page!.make('business/a/b'), refuses(/kebab-case/));
});

test('a name that already exists is refused, and nothing is written', () => {
  const before = spawnSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' }).stdout;
  for (const [kind, name, words] of [
    ['rail', 'paystack', /src\/adapters\/rails\/paystack exists/],
    ['rail', 'connection', /src\/adapters\/rails\/connection exists/],
    ['rail', 'make-banks', /registry\.ts uses "makeBanks"/],
    ['network-family', 'evm', /src\/adapters\/networks\/evm exists/],
    ['network-family', 'paystack', /test\/contract\/paystack exists/],
    ['page', 'treasury', /dashboard\/src\/pages\/operator\/treasury exists/],
    ['page', 'business/keys', /dashboard\/src\/pages\/business\/keys exists/],
    ['rate-source', 'decimal', /src\/adapters\/rates\/decimal\.ts exists/],
  ] as const)
    assert.throws(() => writeScaffold(root, SCAFFOLD_KINDS[kind]!.make(name).scaffold), refuses(words), name);
  assert.equal(spawnSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' }).stdout, before);
});

test('every registration line can still be inserted into its file', () => {
  for (const kind of Object.values(SCAFFOLD_KINDS))
    for (const { file, apply, line } of kind.make('acme').scaffold.edits) {
      const text = readFileSync(path.join(root, file), 'utf8');
      assert.ok(apply(text).length >= text.length + line.length, `${file}: ${line}`);
    }
});

test('a failure half-way leaves no files behind, and no file is overwritten', () => {
  inFolder((folder) => {
    writeFileSync(path.join(folder, 'list.ts'), 'const LIST = [\n  1,\n];\n');
    const scaffold = {
      files: { 'a/b/new.ts': 'export {};\n', 'c.ts': 'export {};\n' },
      edits: [addAsLastEntry('list.ts', 'const LIST = [', '2,')],
      taken: [],
    };
    const fails = () => {
      assert.deepEqual(readdirSync(folder).sort(), ['a', 'c.ts', 'list.ts']);
      assert.equal(readFileSync(path.join(folder, 'list.ts'), 'utf8'), 'const LIST = [\n  1,\n  2,\n];\n');
      throw new Error('the disk is full');
    };
    assert.throws(() => writeScaffold(folder, scaffold, fails), /the disk is full/);
    assert.deepEqual(readdirSync(folder), ['list.ts']);
    assert.equal(readFileSync(path.join(folder, 'list.ts'), 'utf8'), 'const LIST = [\n  1,\n];\n');

    mkdirSync(path.join(folder, 'a'));
    writeFileSync(path.join(folder, 'c.ts'), 'mine');
    assert.throws(() => writeScaffold(folder, scaffold, () => undefined), refuses(/c\.ts exists/));
    assert.deepEqual(
      [readdirSync(folder).sort(), readdirSync(path.join(folder, 'a'))],
      [['a', 'c.ts', 'list.ts'], []],
    );
    assert.equal(readFileSync(path.join(folder, 'c.ts'), 'utf8'), 'mine');
  });
});

test('an edit whose place in the file no longer exists is reported', () => {
  assert.throws(
    () => addAsLastEntry('x.ts', 'LIST = [', '1,').apply('const OTHER = [\n];\n'),
    refuses(/x\.ts has changed: "LIST = \["/),
  );
  assert.throws(
    () => insertBefore('x.ts', 'twice', 'a').apply('twice twice'),
    refuses(/"twice" does not occur exactly once/),
  );
  assert.throws(() => addImport('x.ts', 'a', './a.ts').apply('const b = 1;\n'), refuses(/a list of imports/));
});

test('without arguments, with an unknown kind or with two names the command prints the usage and exits with 2', () => {
  for (const args of [[], ['bank', 'acme'], ['rail'], ['rail', 'a', 'b']]) {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [path.join(root, 'scripts/new.ts'), ...args],
      {
        encoding: 'utf8',
      },
    );
    assert.deepEqual([status, stdout], [2, ''], args.join(' '));
    for (const kind of Object.keys(SCAFFOLD_KINDS))
      assert.match(stderr, new RegExp(`npm run new -- ${kind} `));
  }
});
