// Tests that rates are exact ten-thousandths, and that the spread is rounded in favour of the desk in both directions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { applySpread, CURRENCIES, MAX_SPREAD_BPS, parseRate, type RateProduct, rateNumber } from './rates.ts';

const quote = (product: RateProduct, valueE4: bigint, spreadBps: number) =>
  rateNumber(applySpread(product, valueE4, spreadBps));

test('a rate is decimal text above zero with at most four decimals', () => {
  for (const [text, value] of [
    ['1361.5', 13_615_000n],
    ['1361.5000', 13_615_000n],
    ['0.0001', 1n],
    ['10', 100_000n],
    ['999999999999.9999', 9_999_999_999_999_999n],
  ] as const) {
    assert.equal(parseRate(text), value);
  }
  for (const text of [
    '',
    '0',
    '0.0000',
    '-1',
    '+1',
    '1e3',
    '01',
    '.5',
    '1.',
    '1.00001',
    ' 1',
    'NaN',
    '1,5',
    '1'.repeat(13),
  ]) {
    assert.equal(parseRate(text), undefined, text);
  }
});

test('a price that the customer pays is rounded up, and a price that the desk pays is rounded down', () => {
  assert.equal(quote('otc_buy', 13_615_000n, 100), 1375.115);
  assert.equal(quote('usdc_ngnc', 13_615_000n, 50), 1354.6925);
  assert.equal(quote('otc_buy', 1n, 1), 0.0002);
  assert.equal(quote('usdc_ngnc', 1n, 1), 0);
  assert.equal(quote('otc_buy', 10_001n, 1), 1.0003);
  assert.equal(quote('usdc_ngnc', 10_001n, 1), 0.9999);
  assert.equal(quote('otc_buy', 10_000n, 0), 1);
  assert.equal(quote('usdc_ngnc', 10_000n, 0), 1);
});

test('rounding of the spread never favours the customer, and a quote has at most four decimals', () => {
  const value = fc.bigInt({ min: 1n, max: 10n ** 11n });
  const spread = fc.integer({ min: 0, max: MAX_SPREAD_BPS });
  fc.assert(
    fc.property(value, spread, (valueE4, spreadBps) => {
      const charged = BigInt(Math.round(quote('otc_buy', valueE4, spreadBps) * 10_000));
      const paid = BigInt(Math.round(quote('usdc_ngnc', valueE4, spreadBps) * 10_000));
      const exact = (bps: number) => valueE4 * BigInt(10_000 + bps);
      assert.ok(charged * 10_000n >= exact(spreadBps) && (charged - 1n) * 10_000n < exact(spreadBps));
      assert.ok(paid * 10_000n <= exact(-spreadBps) && (paid + 1n) * 10_000n > exact(-spreadBps));
      for (const product of ['otc_buy', 'usdc_ngnc'] as const) {
        assert.match(JSON.stringify(quote(product, valueE4, spreadBps)), /^[0-9]+(\.[0-9]{1,4})?$/);
      }
    }),
    { numRuns: 1_000 },
  );
});

test('the nine currency codes have the order of the interface', () => {
  assert.deepEqual([...CURRENCIES], ['USD', 'GBP', 'EUR', 'TRY', 'CNY', 'CHF', 'CAD', 'AED', 'KES']);
});
