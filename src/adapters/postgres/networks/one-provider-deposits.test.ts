// Tests the hourly sum of deposits that only one provider reported, on a real database. The sum never exceeds the cap, no
// matter how many processes request a grant and how often.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deposit } from '../../../../test/http/settlement-fixtures.ts';
import { databaseWithKeys, NOW, openTestDatabase } from '../../../../test/http/store-fixtures.ts';
import { commitAll } from '../../../../test/support/database.ts';
import { makeMove } from '../../../domain/records/change.ts';
import type { Deposit } from '../../../domain/records/deposit.ts';
import { makeQueueMetrics } from '../reads/queue-metrics.ts';
import { makePostgresStore } from '../store.ts';
import { makeOneProviderDeposits } from './one-provider-deposits.ts';

const { url, database } = await databaseWithKeys();
const HOUR_MS = 3_600_000;
const CAP = 100n;
let nowMs = NOW;
const clock = { now: () => nowMs };
const words = makeOneProviderDeposits(database, clock);
let hashes = 0;

function word(network: string, amountMinor: bigint, mode: 'live' | 'test' = 'live') {
  hashes++;
  return { mode, network, txHash: `0x${hashes}`, txIndex: 0, amountMinor };
}

test('threat 46: small deposits are granted up to the hourly cap, and not one unit more', async () => {
  assert.equal(await words.grant(word('Polygon', 60n), CAP), 'granted');
  assert.equal(await words.grant(word('Polygon', 41n), CAP), 'now_needs_two');
  assert.equal(await words.grant(word('Polygon', 40n), CAP), 'granted');
  const next = word('Polygon', 1n);
  assert.equal(await words.grant(next, CAP), 'now_needs_two');
  assert.equal(
    await words.grant(word('Polygon', 1n, 'test'), CAP),
    'granted',
    'modes have sums of their own',
  );
  assert.equal(await words.grant(word('Solana', 100n), CAP), 'granted', 'so have networks');
  nowMs += HOUR_MS - 1;
  assert.equal(await words.grant(word('Polygon', 1n), CAP), 'now_needs_two', 'the hour is not over');
});

test('a deposit that is requested again counts only once, even from another process or after a restart', async () => {
  const first = word('Stellar', 70n);
  assert.equal(await words.grant(first, CAP), 'granted');
  const restarted = makeOneProviderDeposits(openTestDatabase(url), clock);
  assert.equal(await restarted.grant(first, CAP), 'granted');
  assert.equal(await restarted.grant(word('Stellar', 31n), CAP), 'now_needs_two');
  assert.equal(
    await restarted.grant({ ...first, amountMinor: 101n }, CAP),
    'now_needs_two',
    'another amount',
  );
  assert.equal(await restarted.grant({ ...first, amountMinor: 70n }, CAP), 'needs_two');
});

test('many processes at once do not exceed the cap together, even if each sees free space', async () => {
  const wide = makeOneProviderDeposits(openTestDatabase(url, 12), clock);
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => wide.grant(word('Avalanche', 10n), CAP)),
  );
  assert.equal(answers.filter((answer) => answer === 'granted').length, 10);
});

test('an hour later there is free space again; a deposit that needed two providers still needs them, and is counted until it is settled', async () => {
  const store = makePostgresStore(database);
  const metrics = makeQueueMetrics(database);
  const waiting = async () => (await metrics.readWaiting()).depositsNeedTwo.live;
  const seen: Deposit = { ...deposit(), mode: 'live', network: 'Base', state: 'seen', dueAtMs: NOW };
  await commitAll(store, [{ atMs: NOW, newDeposits: [seen] }]);
  const own = { mode: seen.mode, network: seen.network, txHash: seen.txHash, txIndex: seen.txIndex };
  assert.equal(await words.grant(word('Base', 100n), CAP), 'granted');
  assert.equal(await words.grant({ ...own, amountMinor: 5n }, CAP), 'now_needs_two');
  assert.equal(await waiting(), 1);
  nowMs += HOUR_MS;
  assert.equal(await words.grant(word('Base', 100n), CAP), 'granted');
  assert.equal(await words.grant({ ...own, amountMinor: 5n }, CAP), 'needs_two');
  assert.equal(await waiting(), 1);
  await commitAll(store, [
    { atMs: NOW, deposits: [makeMove(seen, { state: 'suspense', exception: 'paid_late', dueAtMs: null })] },
  ]);
  assert.equal(await waiting(), 0);
  nowMs += HOUR_MS;
  assert.equal(await words.grant(word('Base', 1n), CAP), 'granted');
  const { rows } = await database.query({ text: `select from one_provider_deposits where network = 'Base'` });
  assert.equal(rows.length, 1, 'what says nothing any more is gone');
});
