// Tests the deviation of a price, and the texts about missing rates.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deviationBps, missingSentence, percent, rateE4, rateText, spreadText } from './words.ts';

test('a rate is parsed from its digits, and any other text is refused', () => {
  assert.equal(rateE4('1,361.5'), 13_615_000n);
  assert.equal(rateE4(' 0.0001 '), 1n);
  for (const text of ['', '0', '0.0000', '-1', '1e3', '1.00001', 'abc', '1361.'])
    assert.equal(rateE4(text), undefined, text);
  assert.equal(rateText('1361.5'), '₦1,361.5000');
});

test('the deviation between two rates is never rounded down', () => {
  const off = (given: string, from: string) => percent(deviationBps(rateE4(given)!, rateE4(from)!));
  assert.equal(off('1497.65', '1361.5'), '+10 %');
  assert.equal(off('1000', '1000'), '0 %');
  assert.equal(off('995', '1000'), '−0.5 %');
  assert.equal(off('1050.0001', '1000'), '+5.01 %');
  assert.equal(off('13615', '1361.5'), '+900 %');
});

test('currencies that are missing for the same reason are listed together', () => {
  const missing = [
    { currency: 'USD', why: 'expired' },
    { currency: 'KES', why: 'no_source' },
    { currency: 'GBP', why: 'expired' },
  ];
  assert.equal(missingSentence(missing), 'USD, GBP: the rate has expired. KES: no source reports it.');
});

test('a spread is shown in per cent', () => {
  assert.deepEqual([0, 50, 125, 5_000].map(spreadText), ['0 %', '0.5 %', '1.25 %', '50 %']);
});
