// Tests that a change selects exactly the tests that depend on it: through imports at any distance, by `import()`, by a program
// that is built from it, and by a path in a text.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { isTest, readCode, type Source } from '../checks/source.ts';
import { findReachedTests, listChangedFiles, readImportUsers } from './changed-tests.ts';

const root = path.resolve(import.meta.dirname, '../..');
function reachOf(sources: readonly Source[]): (...changed: string[]) => readonly string[] {
  const users = readImportUsers(root, sources);
  const tests = sources.map((source) => source.file).filter(isTest);
  return (...changed) => findReachedTests(users, tests, changed);
}
const file = (name: string, text: string) => ({ file: name, text });

test('tests that import a changed file are selected, directly or through any number of files', () => {
  const sources = [
    file('src/domain/rate.ts', 'export const rate = 1;'),
    file('src/app/quote.ts', "import { rate } from '../domain/rate.ts'; export const quote = rate;"),
    file('src/app/quote.test.ts', "import './quote.ts';"),
    file('src/app/later.test.ts', "const quote = () => import('./quote.ts'); export { quote };"),
    file(
      'src/app/type.test.ts',
      "import type { rate } from '../domain/rate.ts'; export type Rate = typeof rate;",
    ),
    file('src/app/other.test.ts', 'export {};'),
  ];
  const reach = reachOf(sources);
  assert.deepEqual(reach('src/domain/rate.ts'), [
    'src/app/quote.test.ts',
    'src/app/later.test.ts',
    'src/app/type.test.ts',
  ]);
  assert.deepEqual(reach('src/app/other.test.ts'), ['src/app/other.test.ts']);
  assert.deepEqual(reach(), []);
  assert.equal(reach('package-lock.json').length, 4);
});

test('in this repository, tests are selected through processes, built pages, documents and migrations', () => {
  const sources = readCode(root);
  const reach = reachOf(sources);
  const reached = (changed: string) => new Set(reach(changed));
  const all = sources.filter((source) => source.file.endsWith('.test.ts')).length;
  const server = reached('src/serve.ts');
  assert.ok(server.has('test/faults/kill-service.test.ts'), 'through build/main.js');
  assert.ok(!server.has('src/domain/values/money.test.ts'));
  assert.ok(reached('src/cli/questions.ts').has('test/e2e/command-line.test.ts'), 'through bin/sliproad');
  const page = reached('dashboard/src/main.tsx');
  assert.ok(page.has('test/browser/every-page.test.ts') && page.size < all / 2, 'through the built pages');
  assert.ok(reached('docs/operate/going-live.md').has('test/docs/going-live.test.ts'), 'by a path in a text');
  assert.ok(
    reached('migrations/0001-first.sql').has('test/http/errors.test.ts'),
    'through the template database',
  );
});

test('git lists the changed files', () => {
  const names = listChangedFiles(root);
  assert.deepEqual(names, [...new Set(names)].sort());
  assert.ok(names.every((name) => !path.isAbsolute(name)));
});
