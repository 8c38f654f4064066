// Which place in a wallet's order is the highest: places are numbers, kept as text, and are compared as numbers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { databaseWithKeys } from '../../../test/http/store-fixtures.ts';
import { makePostgresStore } from './store.ts';

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

test('threat 43: the highest place is the highest number: 10 is behind 9, 100 behind 99, however they are stored', async () => {
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

test('threat 43: a place that is free again does not count', async () => {
  await attempt('300000000000000000000', 'dead');
  await attempt('200000000000000000000', 'rejected');
  assert.equal(await last(), '100000000000000000000');
});
