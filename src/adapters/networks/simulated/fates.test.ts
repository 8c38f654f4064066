// Tests a failed transaction with several payments. In most cases the simulated network reports which payment caused the
// failure.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WorldTransfer } from '../../simulation/simulated-world.ts';
import { statusOf } from './fates.ts';

const failing = (hash: string, orderId: string): WorldTransfer => ({
  ...{ orderId, hash, network: 'Polygon', about: null, address: '0x1', amountMinor: 1n, fate: 'fails' },
  ...{ atMs: 0, includedAtMs: 1, finalAtMs: 2 },
});

function culpritsOf(hash: string, orders: number) {
  const [first, ...others] = Array.from({ length: orders }, (_, index) => failing(hash, `mov_${index}`));
  const status = statusOf([first!, ...others], 2, 1_000, 1);
  assert.ok(status.kind === 'failed');
  return status.culprits;
}

test('for three of four hashes the same payment of the batch is named every time', () => {
  for (const orders of [2, 3]) {
    const hashes = Array.from({ length: 100 }, (_, index) => String.fromCharCode(256 + index));
    const named = hashes.flatMap((hash) => culpritsOf(hash, orders) ?? []);
    assert.equal(named.length, 75);
    assert.deepEqual(
      [...new Set(named)].toSorted(),
      Array.from({ length: orders }, (_, index) => index),
    );
    assert.deepEqual(
      hashes.flatMap((hash) => culpritsOf(hash, orders) ?? []),
      named,
    );
  }
});

test('no payment is named if the failed transaction has only one payment', () => {
  for (const hash of ['a', 'b', 'c', 'd']) assert.equal(culpritsOf(hash, 1), undefined);
});
