// Tests which fee rule applies, and the resulting fee. The fee is rounded in favour of the customer and is never above the cap.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type FeeRule, feeFor, feeSchedule, MAX_FEE_BPS } from './fees.ts';

const rule = (changes: Partial<FeeRule> = {}): FeeRule => ({
  businessId: null,
  product: 'buy',
  flatMinor: 0n,
  feeBps: 0,
  capMinor: null,
  fromMs: 0,
  ...changes,
});
const flat = (flatMinor: bigint, changes: Partial<FeeRule> = {}) => rule({ flatMinor, ...changes });
const charge = { businessId: 'biz_1', product: 'buy', amountMinor: 1_500_000n, atMs: 1_000 } as const;
const fee = (rules: readonly FeeRule[], changes: Partial<Parameters<typeof feeFor>[1]> = {}) =>
  feeFor(feeSchedule(rules), { ...charge, ...changes });

test('without a rule there is no fee', () => {
  assert.equal(fee([]), 0n);
  assert.equal(fee([flat(1n, { product: 'sell' }), flat(1n, { businessId: 'biz_2' })]), 0n);
});

test('the fee is the flat part plus the basis points, and the cap limits their sum', () => {
  assert.equal(fee([flat(5_000n)]), 5_000n);
  assert.equal(fee([rule({ feeBps: 150 })]), 22_500n);
  assert.equal(fee([flat(5_000n, { feeBps: 150 })]), 27_500n);
  assert.equal(fee([flat(5_000n, { feeBps: 150, capMinor: 27_500n })]), 27_500n);
  assert.equal(fee([flat(5_000n, { feeBps: 150, capMinor: 20_000n })]), 20_000n);
  assert.equal(fee([rule({ feeBps: 150, capMinor: 0n })]), 0n);
});

test('basis points are rounded down to the kobo', () => {
  assert.equal(fee([rule({ feeBps: 1 })], { amountMinor: 9_999n }), 0n);
  assert.equal(fee([rule({ feeBps: 1 })], { amountMinor: 10_000n }), 1n);
  assert.equal(fee([rule({ feeBps: 1 })], { amountMinor: 19_999n }), 1n);
  assert.equal(fee([rule({ feeBps: 75 })], { amountMinor: 1_500_099n }), 11_250n);
});

test('a rule applies from its start time on, and a newer rule replaces it', () => {
  const rules = [flat(1n, { fromMs: 100 }), flat(3n, { fromMs: 300 }), flat(2n, { fromMs: 200 })];
  for (const [atMs, expected] of [
    [99, 0n],
    [100, 1n],
    [199, 1n],
    [200, 2n],
    [299, 2n],
    [300, 3n],
    [9_999, 3n],
  ] as const) {
    assert.equal(fee(rules, { atMs }), expected, `at ${atMs}`);
  }
});

test('when two rules start at the same time, the rule added last applies', () => {
  assert.equal(fee([flat(1n), flat(2n)]), 2n);
  assert.equal(fee([flat(2n), flat(1n)]), 1n);
});

test('a business’s own rule replaces the default rule for its product from its start time on, even if the default rule is newer', () => {
  const own = flat(7n, { businessId: 'biz_1', fromMs: 500 });
  const rules = [own, flat(1n, { fromMs: 0 }), flat(2n, { fromMs: 900 }), flat(9n, { product: 'sell' })];
  assert.equal(fee(rules), 7n);
  assert.equal(fee(rules, { atMs: 499 }), 1n);
  assert.equal(fee(rules, { businessId: 'biz_2' }), 2n);
  assert.equal(fee(rules, { product: 'sell' }), 9n);
  assert.equal(fee([flat(1n), flat(0n, { businessId: 'biz_1' })]), 0n);
});

test('the fee is never below the flat part, never above the cap, and is rounded down by less than a kobo', () => {
  const minor = fc.bigInt({ min: 0n, max: 10n ** 13n });
  fc.assert(
    fc.property(
      minor,
      minor,
      fc.integer({ min: 0, max: MAX_FEE_BPS }),
      fc.option(minor),
      (amountMinor, flatMinor, feeBps, over) => {
        const capMinor = over === null ? null : flatMinor + over;
        const charged = fee([flat(flatMinor, { feeBps, capMinor })], { amountMinor });
        const exactE4 = flatMinor * 10_000n + amountMinor * BigInt(feeBps);
        assert.ok(charged >= flatMinor && charged * 10_000n <= exactE4);
        assert.ok(capMinor === null || charged <= capMinor);
        if (charged !== capMinor) assert.ok((charged + 1n) * 10_000n > exactE4);
      },
    ),
  );
});
