// The listed transactions explain the balance to the unit, or the difference is named.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BalanceChange, compareBalances, type HeldBalance } from './compare-balances.ts';

const change = (slot: bigint, beforeMinor: bigint, afterMinor: bigint): BalanceChange => ({
  slot,
  beforeMinor,
  afterMinor,
});
const held = (slot: bigint, heldMinor: bigint): HeldBalance => ({ slot, heldMinor });

test('threat 49: what is listed explains what is held; what is not listed is named with its sign', () => {
  const changes = [change(11n, 100n, 90n), change(13n, 90n, 120n)];
  const compare = (balance: HeldBalance, from: bigint | null = 100n) =>
    compareBalances(from, changes, [balance], 13n);
  assert.deepEqual(compare(held(20n, 120n)), { heldMinor: 120n, unlistedMinor: 0n });
  assert.deepEqual(compare(held(12n, 90n)), { heldMinor: 120n, unlistedMinor: 0n }, 'at its own slot');
  assert.equal(compare(held(20n, 113n)).unlistedMinor, -7n);
  assert.equal(compare(held(20n, 125n)).unlistedMinor, 5n);
  assert.equal(compare(held(20n, 120n), 107n).unlistedMinor, -7n, 'before the first one that is listed');
  assert.equal(compare(held(20n, 120n), null).unlistedMinor, 0n, 'the first one says what was held');
});

test('threat 49: a transaction that is left out in the middle shows, also when another one hides it in the sum', () => {
  const gap = [change(11n, 100n, 90n), change(13n, 80n, 70n), change(15n, 80n, 60n)];
  assert.equal(compareBalances(100n, gap, [held(20n, 60n)], 15n).unlistedMinor, -10n);
});

test('in one slot the order is not known, and between two providers the worse one counts', () => {
  const mixed = [change(11n, 90n, 70n), change(11n, 100n, 90n)];
  assert.deepEqual(compareBalances(100n, mixed, [held(12n, 70n), held(12n, 65n)], 11n), {
    heldMinor: 70n,
    unlistedMinor: -5n,
  });
});

test('the position holds what was held there, not what came after it', () => {
  const changes = [change(11n, 100n, 90n), change(13n, 90n, 80n)];
  assert.equal(compareBalances(100n, changes, [held(20n, 80n)], 11n).heldMinor, 90n);
  assert.equal(compareBalances(null, [], [held(20n, 80n)], 11n).heldMinor, 80n);
  assert.equal(compareBalances(null, [], [held(20n, 80n)], 11n).unlistedMinor, null);
});
