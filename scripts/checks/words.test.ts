// The check on words finds each of them, in code, tests, docs and migrations, and no part of a longer word.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findIn } from './scratch.ts';
import { findUnclearWords } from './words.ts';

test('each word is found wherever it stands, with its line', () => {
  for (const word of ['told', 'Nobody', 'SOMEBODY', 'anybody']) {
    for (const file of ['src/a.ts', 'test/a.test.ts', 'docs/in/a.md', 'README.md', 'migrations/0001_a.sql']) {
      const found = findIn({ [file]: `\n\n-- was ${word} so\n` }, findUnclearWords);
      assert.equal(found.length, 1, `${word} in ${file}`);
      assert.ok(found[0]!.startsWith(`${file}:3: "${word}" is unclear: `), found[0]);
    }
  }
});

test('a longer word that contains one is left alone', () => {
  assert.deepEqual(findIn({ 'src/a.ts': '// retold, untoldly, nobodys\n' }, findUnclearWords), []);
});
