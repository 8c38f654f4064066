// Tests rates and distances as people read them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeDecimalShift, distanceText, durationText, rateText } from './rate-words.ts';

test('a rate is written without trailing zeros, and with a sign only below zero', () => {
  const texts: readonly (readonly [bigint, string])[] = [
    [13_615_000n, '1361.5'],
    [10_000n, '1'],
    [1n, '0.0001'],
    [0n, '0'],
    [-1n, '-0.0001'],
    [-15_000n, '-1.5'],
  ];
  for (const [valueE4, text] of texts) assert.equal(rateText(valueE4), text);
});

test('a distance between two rates is rounded up, and is 0 % between equal rates', () => {
  assert.equal(distanceText(100_000n, 100_000n), '0 %');
  assert.equal(distanceText(102_350n, 100_000n), '2.35 %');
  assert.equal(distanceText(97_650n, 100_000n), '2.35 %');
  assert.equal(distanceText(100_001n, 100_000n), '0.01 %');
});

test('a number that is about ten times another, within a tenth, is described as a misplaced decimal point', () => {
  for (const valueE4 of [900n, 1_000n, 1_100n])
    assert.match(describeDecimalShift(valueE4, 100n), /about 10 times that/);
  for (const valueE4 of [899n, 1_101n]) assert.equal(describeDecimalShift(valueE4, 100n), '');
  assert.match(describeDecimalShift(100n, 10_000n), /about 1\/100 of that/);
});

test('a duration is given in seconds below a minute, minutes below two hours, hours below three days', () => {
  const texts = [59_999, 60_000, 7_199_999, 7_200_000, 72 * 3_600_000 - 1, 72 * 3_600_000].map(durationText);
  assert.deepEqual(texts, ['59 s', '1 min', '119 min', '2 h', '71 h', '3 days']);
});
