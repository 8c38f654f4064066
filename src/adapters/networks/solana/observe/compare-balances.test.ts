// Tests that either the listed transactions explain the balance exactly, or the difference is returned.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BalanceChange, compareBalances, type HeldBalance } from './compare-balances.ts';

const change = (slot: bigint, beforeMinor: bigint, afterMinor: bigint): BalanceChange => ({
  slot,
  beforeMinor,
  afterMinor,
});
const held = (slot: bigint, heldMinor: bigint): HeldBalance => ({ slot, heldMinor });

test('threat 49: the listed transactions explain the balance, and an unexplained difference is returned with its sign', () => {
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

test('threat 49: a transaction that is missing in the middle is noticed, even if another missing one cancels it in the sum', () => {
  const gap = [change(11n, 100n, 90n), change(13n, 80n, 70n), change(15n, 80n, 60n)];
  assert.equal(compareBalances(100n, gap, [held(20n, 60n)], 15n).unlistedMinor, -10n);
});

test('transactions of one slot may be in any order, and the lower of two provider balances counts', () => {
  const mixed = [change(11n, 90n, 70n), change(11n, 100n, 90n)];
  assert.deepEqual(compareBalances(100n, mixed, [held(12n, 70n), held(12n, 65n)], 11n), {
    heldMinor: 70n,
    unlistedMinor: -5n,
  });
});

test('the position stores the balance at its slot, not a later balance', () => {
  const changes = [change(11n, 100n, 90n), change(13n, 90n, 80n)];
  assert.equal(compareBalances(100n, changes, [held(20n, 80n)], 11n).heldMinor, 90n);
  assert.equal(compareBalances(null, [], [held(20n, 80n)], 11n).heldMinor, 80n);
  assert.equal(compareBalances(null, [], [held(20n, 80n)], 11n).unlistedMinor, null);
});
