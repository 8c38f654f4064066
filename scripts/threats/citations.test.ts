// Tests that the reader finds every form in which tests cite threats, and nothing else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { belongsToTests, findCitations, listCitations } from './citations.ts';

const numbersIn = (text: string) => findCitations(text).map(({ threat }) => threat);

test('a citation can name one threat, several threats, and ranges', () => {
  for (const [text, numbers] of [
    ["test('threat 21: two equal claims', …)", [21]],
    ['[threat 83] a held buy', [83]],
    ['(threat 14); titles', [14]],
    ['threats 40, 41, 42: the same bytes', [40, 41, 42]],
    ['threats 16 and 17: one credit', [16, 17]],
    ['threat 62 and 73: a time outside', [62, 73]],
    ['threat 78, 83: a credit', [78, 83]],
    ['threat 46, threat 48: a transfer', [46, 48]],
    ['Threats 64, 65, 70 and 71: who a key is', [64, 65, 70, 71]],
    ['threats 1, 2, and 3', [1, 2, 3]],
    ['threats 40 to 45: under any trouble', [40, 41, 42, 43, 44, 45]],
    ['Threats 64 to 66 and 70: the same 401', [64, 65, 66, 70]],
    ['Threats 1 to 4, 6 and 7: text', [1, 2, 3, 4, 6, 7]],
    ['threats 40–42, 56', [40, 41, 42, 56]],
    ['threats 40-42', [40, 41, 42]],
    ['threats 40 – 42', [40, 41, 42]],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as it stands in a test
    ['threat 16, ${mode}: of two businesses', [16]],
    ['threat 21: 50 at once, and threat 22', [21, 22]],
  ] as const)
    assert.deepEqual(numbersIn(text), numbers, text);
});

test('a list of numbers can continue in the next line of a comment', () => {
  assert.deepEqual(numbersIn('// Threats 27, 28,\n// 30 and 31 for `reference`'), [27, 28, 30, 31]);
  assert.deepEqual(numbersIn(' * (threats 81 and\n   * 82)'), [81, 82]);
  assert.deepEqual(numbersIn('// … of the threat\n// 12'), [12]);
});

test('other text is not a citation', () => {
  for (const text of [
    'the threat list',
    'threatens 3 people',
    'threat: 12',
    'threats',
    'a threat of 12',
    'nothreat 12',
  ])
    assert.deepEqual(numbersIn(text), [], text);
});

test('a range that is too long or runs backwards counts only its two ends', () => {
  assert.deepEqual(numbersIn('threats 1 to 9999'), [1, 9999]);
  assert.deepEqual(numbersIn('threats 45 to 40'), [45, 40]);
});

test('a citation has its file and line; tests and their shared files are not part of the product', () => {
  const text = "// head\ntest('threats 1, 2: x', run);\n// threat 3\n";
  assert.deepEqual(listCitations([{ file: 'a.test.ts', text }]), [
    { file: 'a.test.ts', line: 2, threat: 1 },
    { file: 'a.test.ts', line: 2, threat: 2 },
    { file: 'a.test.ts', line: 3, threat: 3 },
  ]);
  assert.deepEqual(
    ['src/a.test.ts', 'test/contract/bank/payouts.ts', 'sdk/test/support/x.ts', 'src/a.ts', 'docs/a.md'].map(
      belongsToTests,
    ),
    [true, true, true, false, false],
  );
});
