// The price of a quote is never below its rate, and never a kobo higher than necessary.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { convertToNaira, findQuoteMismatches, NAIRA_RATE_E4, quoteStateOf } from './quote.ts';

const amount = fc.bigInt({ min: 1n, max: 10n ** 15n });
const rate = fc.bigInt({ min: 1n, max: 10n ** 13n });

test('the naira amount is the smallest amount that is not below amount times rate', () => {
  fc.assert(
    fc.property(amount, rate, (amountMinor, rateE4) => {
      const kobo = convertToNaira(amountMinor, rateE4);
      const exactE4 = amountMinor * rateE4;
      assert.ok(kobo * 10_000n >= exactE4 && (kobo - 1n) * 10_000n < exactE4);
    }),
  );
});

test('an amount in naira is converted to itself, and a larger amount never costs less', () => {
  fc.assert(
    fc.property(amount, amount, rate, (one, other, rateE4) => {
      assert.equal(convertToNaira(one, NAIRA_RATE_E4), one);
      const [less, more] = one < other ? [one, other] : [other, one];
      assert.ok(convertToNaira(less, rateE4) <= convertToNaira(more, rateE4));
      // A customer who buys in parts never pays less than one who buys the total at once.
      assert.ok(
        convertToNaira(one, rateE4) + convertToNaira(other, rateE4) >= convertToNaira(one + other, rateE4),
      );
    }),
  );
});

test('converts 100 dollars at 1,601.25 naira, and one cent at a rate with four decimals', () => {
  assert.equal(convertToNaira(10_000n, 16_012_500n), 16_012_500n);
  assert.equal(convertToNaira(1n, 16_012_501n), 1_602n);
});

test('a request matches its quote only with the same side, the same amount to the kobo and the same network', () => {
  const quote = { side: 'buy', nairaMinor: 1_500_000n, network: 'Polygon' } as const;
  const same = { type: 'buy', amountMinor: 1_500_000n, network: 'Polygon' } as const;
  assert.deepEqual(findQuoteMismatches(quote, same), []);
  assert.deepEqual(findQuoteMismatches(quote, { ...same, type: 'sell' }), ['type']);
  assert.deepEqual(findQuoteMismatches(quote, { ...same, amountMinor: 1_500_001n }), ['amount']);
  assert.deepEqual(findQuoteMismatches(quote, { ...same, network: 'Stellar' }), ['network']);
  assert.deepEqual(findQuoteMismatches(quote, { ...same, network: null }), ['network']);
  assert.deepEqual(findQuoteMismatches({ ...quote, network: null }, { ...same, network: null }), []);
  // An unreadable value is not reported as a mismatch, because another check refuses it.
  assert.deepEqual(findQuoteMismatches(quote, { ...same, amountMinor: undefined, network: undefined }), []);
});

test('a quote is open until it is used or expires, and a used quote stays used', () => {
  assert.equal(quoteStateOf({ transactionId: null }, false), 'open');
  assert.equal(quoteStateOf({ transactionId: null }, true), 'expired');
  assert.equal(quoteStateOf({ transactionId: 'txn_1' }, true), 'used');
});
