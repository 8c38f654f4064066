// Tests the source checks. Each check finds the violation that it is for, reports file, line and fix, and ignores everything
// else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCircles } from './circles.ts';
import { findMissingPaths } from './doc-paths.ts';
import { findUpwardImports } from './folder-order.ts';
import { findLongFunctions } from './long-functions.ts';
import { runCheckOn } from './run-check-on.ts';
import { findFullFolders, findLongFiles } from './sizes.ts';
import { findSubjectProblems } from './subject-folders.ts';

const lines = (count: number) => '// line\n'.repeat(count);

test('an import cycle is found, even through types, other folders and a third file', () => {
  assert.deepEqual(
    runCheckOn(
      {
        'src/app/a.ts': "\nimport type { b } from './b.ts';\n",
        'src/app/b.ts': "export { c } from '../domain/c.ts';\n",
        'src/domain/c.ts': "type A = import('../app/a.ts').A;\n",
        'src/app/d.ts': "import './a.ts';\n",
      },
      findCircles,
    ),
    [
      'src/app/a.ts:2: import circle src/app/a.ts → src/app/b.ts → src/domain/c.ts → src/app/a.ts: move what both need into a file that imports neither',
    ],
  );
});

test('a file that imports itself is a cycle; a file that two files import is not', () => {
  assert.equal(runCheckOn({ 'test/a.ts': "import './a.ts';\n" }, findCircles).length, 1);
  const fine = { 'bench/a.ts': "import './c.ts';\n", 'bench/b.ts': "import './a.ts';\nimport './c.ts';\n" };
  assert.deepEqual(runCheckOn({ ...fine, 'bench/c.ts': '' }, findCircles), []);
});

test('a large group of cycles is reported once, with its shortest cycle and its size', () => {
  const [found = '', ...more] = runCheckOn(
    {
      'src/a.ts': "import './b.ts';\nimport './c.ts';\n",
      'src/b.ts': "import './c.ts';\n",
      'src/c.ts': "import './a.ts';\n",
    },
    findCircles,
  );
  assert.match(found, /^src\/a\.ts:2: import circle src\/a\.ts → src\/c\.ts → src\/a\.ts \(3 files are in/);
  assert.deepEqual(more, []);
});

test('a function of more than 70 lines is found; a list of tests does not count', () => {
  const long = (head: string, count: number) => `${head} {\n${lines(count - 2)}}`;
  assert.deepEqual(runCheckOn({ 'src/a.ts': `\n${long('export function a()', 71)}\n` }, findLongFunctions), [
    'src/a.ts:2: a function of 71 lines, at most 70 are allowed: give its parts functions of their own',
  ]);
  assert.equal(runCheckOn({ 'test/a.ts': `const a = ${long('() =>', 71)};\n` }, findLongFunctions).length, 1);
  assert.deepEqual(runCheckOn({ 'src/a.ts': long('function a()', 70) }, findLongFunctions), []);
  assert.deepEqual(
    runCheckOn({ 'test/a.test.ts': `describe('a', ${long('() =>', 90)});\n` }, findLongFunctions),
    [],
  );
});

test('a file of more than 300 lines is found, and so is a test file', () => {
  assert.deepEqual(runCheckOn({ 'src/a.test.ts': lines(301), 'src/b.ts': lines(300) }, findLongFiles), [
    'src/a.test.ts:301: the file has 301 lines, at most 300 are allowed: split it by subject',
  ]);
});

test('a folder with more than 30 source files is found; tests and subfolders are not counted', () => {
  const files = (count: number, name: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`src/app/${name}${index}.ts`, '']));
  const beside = { 'src/app/a.test.ts': '', 'src/app/in/a.ts': '' };
  assert.deepEqual(runCheckOn({ ...files(30, 'a'), ...beside }, findFullFolders), []);
  assert.match(runCheckOn(files(31, 'a'), findFullFolders)[0]!, /^src\/app: the folder has 31 source files/);
});

test('an import from a folder later in the order is found, except in tests', () => {
  const order = { 'src/app': ['low', 'high'] };
  const find = (root: string) => findUpwardImports(root, order);
  const up = "\nimport type { b } from '../high/b.ts';\n";
  assert.deepEqual(runCheckOn({ 'src/app/low/a.ts': up, 'src/app/low/a.test.ts': up }, find), [
    'src/app/low/a.ts:2: low must not import high, which comes after it (../high/b.ts): move what is needed down into low, or this file up',
  ]);
  const down = "import '../low/a.ts';\nimport './c.ts';\nimport '../../domain/d.ts';\n";
  assert.deepEqual(runCheckOn({ 'src/app/high/b.ts': down }, find), []);
  assert.match(runCheckOn({ 'src/app/new/a.ts': '' }, find)[0]!, /src\/app\/new has no place in the order/);
});

test('finds a folder whose name is not a subject of the code, and two subjects that differ only by an "s"', () => {
  const own = { 'src/ports': ['store', 'gone'] };
  const find = (root: string) => findSubjectProblems(root, own, ['rails', 'review', 'reviews']);
  assert.deepEqual(
    runCheckOn({ 'src/ports/rails/a.ts': '', 'src/ports/bank/a.ts': '', 'src/ports/store/a.ts': '' }, find),
    [
      'src/ports/bank: no subject has this name: use the name that src/domain or src/app has for it',
      'scripts/checks/subject-folders.ts: there is no src/ports/gone: take it out',
      'src: "review" and "reviews" are two subjects: give one of them another name',
    ],
  );
});

test('a path or a link in the docs whose target does not exist is found', () => {
  const page =
    'See `src/app/gone.ts`, `src/app/`, `src/wire/<feature>.ts`, [a](docs/a.md#top), [b](https://b).\n';
  assert.deepEqual(runCheckOn({ 'README.md': `\n${page}`, 'src/app/a.ts': '' }, findMissingPaths), [
    'README.md:2: there is no src/app/gone.ts: name the file as it is called now',
    'README.md:2: there is no docs/a.md: name the file as it is called now',
  ]);
});
