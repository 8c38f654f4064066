// Tests the rules for files that run in one process, because the test runner follows promises only while a file is loaded.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const root = path.resolve(import.meta.dirname, '../..');

test('hooks are declared at the top level of a file, because inside a function they would belong to another file', () => {
  const files = globSync('{src,test,scripts,bench,local-networks,local-banks,sdk,dashboard/src}/**/*.ts', {
    cwd: root,
  });
  const wrong = files
    .filter(
      (file) => !file.endsWith('test/support/sharing/file-group.ts') && file !== 'scripts/tests/run-group.ts',
    )
    .filter((file) => {
      const text = readFileSync(path.join(root, file), 'utf8');
      const imported = /import \{([^}]*)\} from 'node:test';/.exec(text)?.[1] ?? '';
      const hooks = imported.match(/\b(after|before|afterEach|beforeEach)\b/g) ?? [];
      return hooks.some((hook) => new RegExp(`^ +${hook}\\(`, 'm').test(text));
    });
  assert.deepEqual(wrong, [], 'use afterFile of test/support/sharing/file-group.ts, or t.after');
});
