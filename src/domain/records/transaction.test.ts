// Tests which amounts have arrived and which are missing, in every state. A response asks only for money that a step waits for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sell, transaction } from '../../../test/http/store-fixtures.ts';
import { EXCEPTIONS } from './exceptions.ts';
import { BUY_STATES, SELL_STATES } from './states.ts';
import { computeArrivedMinor, computeMissingMinor } from './transaction.ts';

const AMOUNT = transaction().amountMinor;
const missingOf = (given: ReturnType<typeof transaction>, heldMinor = 0n) =>
  computeMissingMinor(given, computeArrivedMinor(given, heldMinor));

test('while a transaction waits for money, the missing amount is the amount minus the received amount; otherwise it is zero', () => {
  const awaited: string[] = [];
  for (const receivedMinor of [0n, 1n, AMOUNT - 1n]) {
    for (const state of BUY_STATES)
      if (missingOf(transaction({ state, receivedMinor })) > 0n) awaited.push(`buy ${state}`);
    for (const state of SELL_STATES)
      if (missingOf(sell({ state, receivedMinor })) > 0n) awaited.push(`sell ${state}`);
    assert.equal(missingOf(transaction({ receivedMinor })), AMOUNT - receivedMinor);
  }
  assert.deepEqual(
    new Set(awaited),
    new Set(['buy awaiting_wallet', 'buy awaiting_payment', 'sell awaiting_deposit']),
  );
});

test('of transactions on hold, only a partly paid one waits for more money', () => {
  for (const exception of EXCEPTIONS) {
    const held = transaction({ state: 'on_hold', exception, receivedMinor: 1n });
    assert.equal(missingOf(held), exception === 'paid_partial' ? AMOUNT - 1n : 0n, exception);
  }
});

test('a payment that is held for review because of its amount counts as received, up to the amount of the transaction', () => {
  const held = transaction({ state: 'on_hold', exception: 'paid_partial' });
  assert.deepEqual([computeArrivedMinor(held, 5n), missingOf(held, 5n)], [5n, AMOUNT - 5n]);
  for (const heldMinor of [AMOUNT, AMOUNT + 7n])
    assert.deepEqual([computeArrivedMinor(held, heldMinor), missingOf(held, heldMinor)], [AMOUNT, 0n]);
});
