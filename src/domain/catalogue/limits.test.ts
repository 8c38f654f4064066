// Tests which limit rule applies to a business, and which limit an amount exceeds first.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findBrokenLimit, type Limit, type LimitRule, limitFor } from './limits.ts';

const NONE: Limit = { perTransactionMinor: null, perDayMinor: null, perMonthMinor: null };
const rule = (changes: Partial<LimitRule>): LimitRule => ({
  ...NONE,
  businessId: null,
  mode: 'live',
  ...changes,
});

test('a business’s own rule replaces the whole default rule, separately for each mode', () => {
  const everyone = rule({ perTransactionMinor: 10n, perDayMinor: 20n });
  const own = rule({ businessId: 'biz_1', perDayMinor: 50n });
  const rules = [everyone, own];
  assert.equal(limitFor(rules, { businessId: 'biz_1', mode: 'live' }), own);
  assert.equal(limitFor(rules, { businessId: 'biz_2', mode: 'live' }), everyone);
  assert.equal(limitFor(rules, { businessId: null, mode: 'live' }), everyone);
  assert.deepEqual(limitFor(rules, { businessId: 'biz_1', mode: 'test' }), NONE);
  assert.deepEqual(limitFor([], { businessId: 'biz_1', mode: 'live' }), NONE);
});

test('an amount equal to a limit is allowed, and one kobo more exceeds it; the limit per transaction is reported before those per day and month', () => {
  const limit = { perTransactionMinor: 100n, perDayMinor: 250n, perMonthMinor: 400n };
  for (const [amountMinor, usedDayMinor, usedMonthMinor, expected] of [
    [100n, 0n, 0n, null],
    [101n, 0n, 0n, 'limit_transaction'],
    [100n, 150n, 300n, null],
    [100n, 151n, 300n, 'limit_day'],
    [100n, 150n, 301n, 'limit_month'],
    [100n, 151n, 301n, 'limit_day'],
    [101n, 999n, 999n, 'limit_transaction'],
  ] as const) {
    assert.equal(findBrokenLimit(limit, { amountMinor, usedDayMinor, usedMonthMinor }), expected);
  }
});

test('without limits, every amount is allowed', () => {
  const minor = fc.bigInt({ min: 0n, max: 10n ** 18n });
  fc.assert(
    fc.property(minor, minor, minor, (amountMinor, usedDayMinor, usedMonthMinor) => {
      assert.equal(findBrokenLimit(NONE, { amountMinor, usedDayMinor, usedMonthMinor }), null);
    }),
  );
});
