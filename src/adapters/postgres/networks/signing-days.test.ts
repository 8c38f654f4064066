// Tests the sum that is signed per day, on a real database. The sum never exceeds the cap, no matter how many requests run at
// once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from '../../../../test/http/store-fixtures.ts';
import { freshDatabase } from '../../../../test/support/database.ts';
import { makeSigningDays } from '../treasury/treasury-store.ts';

const url = await freshDatabase();
const database = openTestDatabase(url, 12);
const days = makeSigningDays(database, 'live');
const DAY = '2026-11-14';

test('threat 49: a sum grows up to the cap but not above it, and a refused amount adds nothing', async () => {
  assert.equal(await days.spent('stellar', DAY), 0n);
  assert.equal(await days.spend('stellar', DAY, 101n, 100n), false, 'the first alone is too much');
  assert.equal(await days.spend('stellar', DAY, 60n, 100n), true);
  assert.equal(await days.spend('stellar', DAY, 41n, 100n), false);
  assert.equal(await days.spent('stellar', DAY), 60n);
  assert.equal(await days.spend('stellar', DAY, 40n, 100n), true);
  assert.equal(await days.spend('stellar', DAY, 1n, 100n), false);
  assert.equal(await days.spend('stellar', DAY, 0n, 100n), true);
  assert.equal(await days.spent('stellar', DAY), 100n);
});

test('each day, network and mode has a separate sum', async () => {
  const test = makeSigningDays(database, 'test');
  assert.equal(await days.spend('solana', DAY, 7n, 7n), true);
  assert.equal(await days.spend('solana', '2026-11-15', 7n, 7n), true);
  assert.equal(await days.spend('polygon', DAY, 7n, 7n), true);
  assert.equal(await test.spend('solana', DAY, 7n, 7n), true);
  for (const each of [days, test]) assert.equal(await each.spend('solana', DAY, 1n, 7n), false);
});

test('amounts are counted even without a cap, and a cap that is set or lowered later applies to the whole day', async () => {
  assert.equal(await days.spend('avalanche', DAY, 50n, null), true);
  assert.equal(await days.spend('avalanche', DAY, 50n, null), true);
  assert.equal(await days.spend('avalanche', DAY, 1n, 100n), false);
  assert.equal(await days.spend('avalanche', DAY, 1n, 40n), false);
  assert.equal(await days.spend('avalanche', DAY, 1n, 101n), true);
  assert.equal(await days.spent('avalanche', DAY), 101n);
});

test('a sum for a token with eighteen decimals can be stored, and the sum never decreases', async () => {
  const huge = 10n ** 40n;
  assert.equal(await days.spend('eighteen', DAY, huge, huge + 1n), true);
  assert.equal(await days.spend('eighteen', DAY, 2n, huge + 1n), false);
  assert.equal(await days.spend('eighteen', DAY, 1n, huge + 1n), true);
  assert.equal(await days.spent('eighteen', DAY), huge + 1n);
  await assert.rejects(days.spend('eighteen', DAY, -1n, null), RangeError);
});

test('threat 49: fifty concurrent amounts, over the connections of two processes, stay within the cap', async () => {
  const other = makeSigningDays(openTestDatabase(url, 12), 'live');
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, (_, n) => (n % 2 === 0 ? days : other).spend('busy', DAY, 70n, 1_000n)),
  );
  assert.equal(outcomes.filter(Boolean).length, 14);
  assert.equal(await other.spent('busy', DAY), 980n);
});
