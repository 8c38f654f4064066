// Number cells become exact text: noise of floats is removed only if it is noise, and dates follow both systems.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dateText, numberText } from './number-text.ts';

test('a number keeps its kobo; digits behind them are dropped only if they are the noise of a float', () => {
  for (const [written, text] of [
    ...([
      ['1500', '1500'],
      ['-1500.5', '-1500.50'],
      ['1234.5600000000001', '1234.56'],
      ['1234.5599999999999', '1234.56'],
      ['0.29999999999999999', '0.30'],
      ['1.5E7', '15000000'],
      ['2215600.3500000006', '2215600.35'],
      ['1.23456E2', '1.23456E2'],
    ] as const),
    // Not noise: the difference is larger than between two neighbouring floats.
    ...([
      ['1234.567', '1234.567'],
      ['1234.56001', '1234.56001'],
      ['0.001', '0.001'],
      ['999999999999.991', '999999999999.991'],
      ['1e-9', '1e-9'],
    ] as const),
    // Digits were lost, so the text never looks like an account or a session id.
    ...([
      ['1.00004261118121E+29', '1.00004261118121E+29'],
      ['100004261118121000000000000000', '1.00004261118121E+29'],
      ['abc', 'abc'],
    ] as const),
  ])
    assert.equal(numberText(written), text, written);
});

test('a date is the days since the first day of its system', () => {
  for (const [written, is1904, text] of [
    ['45962', false, '2025-11-01'],
    ['45962.5', false, '2025-11-01 12:00:00'],
    ['45962.999999', false, '2025-11-02'],
    ['44500', true, '2025-11-01'],
    ['61', false, '1900-03-01'],
    // 29 February 1900, and what is no date.
    ['60', false, '60'],
    ['-1', false, '-1'],
    ['999999', false, '999999'],
  ] as const)
    assert.equal(dateText(written, is1904), text, `${written} ${is1904}`);
});
