// Tests the check of words. It finds each refused phrase in code, tests, docs and migrations, but not as part of a longer word.
// Docs spell technical terms in the usual way.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findNamesInSentences } from './names-in-sentences.ts';
import { findAsyncIn, runCheckOn } from './run-check-on.ts';
import { findUnclearWords } from './words.ts';

const FILES = ['src/a.ts', 'test/a.test.ts', 'docs/in/a.md', 'README.md', 'migrations/0001_a.sql'];

test('each word is found in every place, with its line', async () => {
  for (const word of ['told', 'Nobody', 'SOMEBODY', 'anybody', 'mended', 'for ever', 'under way', 'shall']) {
    const written = Object.fromEntries(FILES.map((file) => [file, `\n\n-- was ${word} so\n`]));
    const found = await findAsyncIn(written, findUnclearWords);
    assert.equal(found.length, FILES.length, word);
    for (const file of FILES)
      assert.ok(
        found.some((each) => each.startsWith(`${file}:3: "${word}" is unclear: `)),
        found.join(),
      );
  }
});

test('a longer word that contains a listed word is ignored, and so is code in a page', async () => {
  const files = { 'src/a.ts': '// retold, untoldly, nobodys\n', 'docs/a.md': 'Run as `nobody`.\n' };
  assert.deepEqual(await findAsyncIn(files, findUnclearWords), []);
});

test('a page uses the usual spelling of technical terms', async () => {
  const [found, ...more] = await findAsyncIn({ 'docs/a.md': 'It uses Javascript.\n' }, findUnclearWords);
  assert.deepEqual(more, []);
  assert.match(found!, /^docs\/a\.md:1: .*JavaScript/);
});

test('a code name in a sentence of the dashboard is found; code, values and standalone names are ignored', () => {
  const written = {
    'dashboard/src/a.tsx':
      'const a = \'mayRetry\';\nconst b = "12 s elapsedText";\nexport const C = () => <p>Cannot fetchOrFail it.</p>;\n',
    'dashboard/src/b.ts': "export const d = 'const keyId = 1';\nexport const e = 'Pay now';\n",
  };
  const found = runCheckOn(written, findNamesInSentences);
  assert.deepEqual(
    found.map((line) => line.split(' is a name')[0]),
    ['dashboard/src/a.tsx:2: "elapsedText"', 'dashboard/src/a.tsx:3: "fetchOrFail"'],
  );
});
