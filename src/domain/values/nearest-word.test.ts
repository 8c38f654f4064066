// Tests the search for the nearest word: typing mistakes are counted as people make them, and a word with too many differences
// is never suggested.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countTypingMistakes, findNearestWord } from './nearest-word.ts';

test('an inserted, missing, wrong or swapped letter is one mistake', () => {
  for (const [from, to, mistakes] of [
    ['mode', 'mode', 0],
    ['moode', 'mode', 1],
    ['mde', 'mode', 1],
    ['made', 'mode', 1],
    ['moed', 'mode', 1],
    ['', 'mode', 4],
    ['mode', '', 4],
    ['kitten', 'sitting', 3],
  ] as const) {
    assert.equal(countTypingMistakes(from, to), mistakes, `${from} → ${to}`);
  }
});

test('the nearest word is suggested, or no word if all of them differ too much', () => {
  const known = ['--mode', '--product', '--valid-for', '--spread'];
  assert.equal(findNearestWord('--moed', known), '--mode');
  assert.equal(findNearestWord('--validfor', known), '--valid-for');
  assert.equal(findNearestWord('--prodcut', known), '--product');
  assert.equal(findNearestWord('--json', known), undefined);
  assert.equal(findNearestWord('--mode', []), undefined);
});
