// Tests how a wallet's highest nonce or sequence number is found. The numbers are stored as text and compared as numbers. The
// tests also check the count and amount in flight, which the treasury must not spend again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { movement } from '../../../../test/http/settlement-fixtures.ts';
import { databaseWithKeys, NOW } from '../../../../test/http/store-fixtures.ts';
import { makePostgresStore } from '../store.ts';

const { database } = await databaseWithKeys();
const store = makePostgresStore(database);
const WALLET = '0xwallet';

let attempts = 0;
async function attempt(sequence: string, state = 'accepted'): Promise<void> {
  attempts++;
  await database.query({
    text: `insert into movement_attempts (movement_id, no, mode, network, reference, source, sequence, state, at, updated_at)
      values ($1, 1, 'test', 'Polygon', $2, $3, $4, $5, now(), now())`,
    values: [`mov_${attempts}`, `0x${attempts}`, WALLET, sequence, state],
  });
}
const last = async () => (await store.turnOf('test', 'Polygon', WALLET)).lastSequence;

test('threat 43: sequence numbers are compared as numbers, not as text: 10 comes after 9, and 100 after 99', async () => {
  assert.equal(await last(), null);
  for (const [sequence, highest] of [
    ['9', '9'],
    ['10', '10'],
    ['8', '10'],
    ['99', '99'],
    ['100', '100'],
    ['20', '100'],
    ['99999999999999999999', '99999999999999999999'],
    ['100000000000000000000', '100000000000000000000'],
  ] as const) {
    await attempt(sequence);
    assert.equal(await last(), highest, `after ${sequence}`);
  }
});

test('threat 43: the sequence number of a dead or rejected attempt does not count', async () => {
  await attempt('300000000000000000000', 'dead');
  await attempt('200000000000000000000', 'rejected');
  assert.equal(await last(), '100000000000000000000');
});

test('threat 43: a signed attempt without a final outcome counts as live, even if its outcome is unknown', async () => {
  const live = async () => (await store.turnOf('test', 'Polygon', WALLET)).live;
  const before = await live();
  for (const state of ['prepared', 'accepted', 'unknown']) await attempt(`4${attempts}`, state);
  assert.equal(await live(), before + 3);
  for (const state of ['landed', 'failed', 'dead', 'rejected']) await attempt(`5${attempts}`, state);
  assert.equal(await live(), before + 3);
  assert.equal((await store.turnOf('test', 'Polygon', 'another wallet')).live, 0);
});

test('threat 47: only tokens that are being sent, or may have been sent, count as in flight', async () => {
  const movements = [
    movement({ state: 'sending', amountMinor: 1n }),
    movement({ state: 'unknown', amountMinor: 20n }),
    movement({ kind: 'refund', state: 'sending', amountMinor: 300n }),
    movement({ kind: 'withdrawal', state: 'unknown', amountMinor: 4_000n }),
    movement({ kind: 'sweep', state: 'sending', amountMinor: 50_000n }),
    movement({ state: 'pending', amountMinor: 50_000n }),
    movement({ state: 'done', amountMinor: 50_000n }),
    movement({ state: 'failed', amountMinor: 50_000n }),
    movement({ state: 'sending', network: 'Stellar', amountMinor: 50_000n }),
    movement({ state: 'sending', mode: 'live', amountMinor: 50_000n }),
  ];
  const outcomes = await store.commit(movements.map((each) => ({ atMs: NOW, newMovements: [each] })));
  assert.ok(outcomes.every(({ kind }) => kind === 'committed'));
  assert.equal((await store.turnOf('test', 'Polygon', WALLET)).inFlightMinor, 4_321n);
});
