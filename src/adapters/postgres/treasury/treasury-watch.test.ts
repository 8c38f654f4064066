// Tests which signed bytes the service still checks after it abandoned them: all that are recorded as dead or rejected.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { databaseWithKeys, NOW } from '../../../../test/http/store-fixtures.ts';
import { makeTreasuryWatch } from './treasury-watch.ts';

const { database } = await databaseWithKeys();
const watch = makeTreasuryWatch(database);

async function attempt(
  reference: string,
  state: string,
  { network = 'Polygon' as string | null, mode = 'test', place = 0, atMs = NOW } = {},
): Promise<void> {
  await database.query({
    text: `insert into movement_attempts (movement_id, no, mode, network, rail, reference, source, sequence, envelope_index, state, at,
        updated_at)
      values ($1, 1, $2, $3, case when $3::text is null then 'rail' end, $4, 'wallet', null, $5, $6, $7, $7)`,
    values: [`mov_${reference}_${place}`, mode, network, reference, place, state, new Date(atMs)],
  });
}

const found = async (since: { sinceMs?: number; after?: string; limit?: number } = {}) => {
  const asked = { sinceMs: NOW, after: '', limit: 10, ...since };
  return (await watch.deadSends('test', 'Polygon', asked)).map(({ reference }) => reference);
};

test('threat 42: signed transactions that are dead or rejected are found once each, page by page; live or settled ones are not', async () => {
  await attempt('a', 'dead');
  await attempt('b', 'rejected');
  await attempt('b', 'rejected', { place: 1 });
  await attempt('c', 'dead');
  for (const state of ['prepared', 'accepted', 'unknown', 'landed', 'failed']) await attempt(state, state);
  await attempt('live', 'dead', { mode: 'live' });
  await attempt('Stellar', 'dead', { network: 'Stellar' });
  await attempt('bank', 'rejected', { network: null });
  await attempt('old', 'dead', { atMs: NOW - 1 });
  assert.deepEqual(await found(), ['a', 'b', 'c']);
  assert.deepEqual(await found({ limit: 2 }), ['a', 'b']);
  assert.deepEqual(await found({ after: 'b' }), ['c']);
  assert.deepEqual(await found({ sinceMs: NOW - 1 }), ['a', 'b', 'c', 'old']);
});
