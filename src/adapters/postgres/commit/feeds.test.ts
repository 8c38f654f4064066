// Tests that the position of a feed moves in the same commit as the lines that were read. A reader that lost its lease never
// moves the position.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  COMMITTED,
  credit,
  kindsOf,
  recording,
  refusedBy,
  STALE,
} from '../../../../test/http/settlement-fixtures.ts';
import { databaseWithKeys, freshId, NOW } from '../../../../test/http/store-fixtures.ts';
import { StoreUnavailable } from '../../../ports/store/store.ts';
import type { Database } from '../connection/database.ts';
import { makePostgresStore } from '../store.ts';

const { database } = await databaseWithKeys();
const store = makePostgresStore(database);
const LEASE_MS = 1_000;

async function held(name: string, holder = 'one', atMs = NOW) {
  const hold = await store.holdFeed(name, holder, atMs, LEASE_MS);
  assert.ok(hold !== undefined);
  return hold;
}

test('the position moves with the lines that were read, even when none of them is new', async () => {
  const hold = await held('moves');
  assert.deepEqual([hold.fence, hold.position], [1, null]);
  const line = credit();
  assert.deepEqual(await store.commit([recording(line)], { hold, position: '10' }), [COMMITTED]);
  assert.equal((await held('moves')).position, '10');
  const again = recording({ ...line, id: freshId('crd') });
  assert.deepEqual(await store.commit([again], { hold, position: '11' }), [STALE]);
  assert.equal((await held('moves')).position, '11');
  assert.deepEqual(await store.commit([], { hold, position: '12' }), []);
  assert.equal((await held('moves')).position, '12');
});

test('the position stays before a refused line, at any index, until the line is quarantined', async () => {
  const bad = () => recording(credit({ amountMinor: 0n, narration: null }));
  const poison = () => ({ ...bad(), entries: [] });
  for (const at of [0, 3, 6]) {
    const hold = await held(`refused ${at}`);
    const lines = Array.from({ length: 7 }, (_, index) => (index === at ? poison() : recording(credit())));
    const outcomes = await store.commit(lines, { hold, position: 'end' });
    assert.deepEqual(outcomes[at], refusedBy('bank_credits_sound'));
    assert.equal(kindsOf(outcomes).filter((kind) => kind === 'committed').length, 6);
    assert.equal((await held(`refused ${at}`)).position, null);
    const kept = {
      atMs: NOW,
      quarantine: { mode: 'test', source: 'bank', reason: 'refused', raw: 'line' },
    } as const;
    assert.deepEqual(await store.commit([kept], { hold, position: 'end' }), [COMMITTED]);
    assert.equal((await held(`refused ${at}`)).position, 'end');
  }
});

test('the position moves only with the last line that was read, however many statements the commit needs', async () => {
  const line = credit();
  const twice = [recording(line), recording({ ...line, id: freshId('crd') }), recording(credit())];
  const hold = await held('rounds');
  let left = 1;
  const breaking: Database = {
    ...database,
    query: (query) =>
      query.name?.startsWith('commit') && left-- === 0
        ? Promise.reject(new StoreUnavailable('cut', { mayHaveActed: false }))
        : database.query(query),
  };
  await assert.rejects(
    makePostgresStore(breaking).commit(twice, { hold, position: 'end' }),
    StoreUnavailable,
  );
  assert.equal((await held('rounds')).position, null);
  assert.deepEqual(await store.commit(twice, { hold, position: 'end' }), [STALE, STALE, STALE]);
  assert.equal((await held('rounds')).position, 'end');
});

test('threat 89: a reader that lost its lease records the lines that it read, but does not move the position', async () => {
  const old = await held('fenced');
  await store.commit([], { hold: old, position: '5' });
  const taken = await held('fenced', 'two', NOW + LEASE_MS);
  assert.deepEqual([taken.fence, taken.position], [2, '5']);
  assert.deepEqual(await store.commit([], { hold: taken, position: '9' }), []);
  const line = credit();
  assert.deepEqual(await store.commit([recording(line)], { hold: old, position: '6' }), [COMMITTED]);
  assert.ok((await store.creditsById([line.id])).has(line.id));
  assert.equal((await held('fenced', 'two', NOW + LEASE_MS)).position, '9');
});

test('threat 89: a feed has one holder; a renewal keeps the fence, and a takeover after the lease raises it', async () => {
  const first = await held('lease');
  assert.equal(await store.holdFeed('lease', 'two', NOW, LEASE_MS), undefined);
  assert.equal(await store.holdFeed('lease', 'two', NOW + LEASE_MS - 1, LEASE_MS), undefined);
  assert.equal((await held('lease', 'one', NOW + LEASE_MS - 1)).fence, first.fence);
  assert.equal(await store.holdFeed('lease', 'two', NOW + LEASE_MS, LEASE_MS), undefined);
  assert.equal((await held('lease', 'one', NOW + 9 * LEASE_MS)).fence, first.fence);
  assert.equal((await held('lease', 'two', NOW + 10 * LEASE_MS)).fence, first.fence + 1);
  assert.equal(await store.holdFeed('lease', 'one', NOW + 10 * LEASE_MS, LEASE_MS), undefined);
  assert.equal((await held('lease', 'one', NOW + 11 * LEASE_MS)).fence, first.fence + 2);
});

test('threat 89: of twenty readers that request a feed at once, only one gets it, for a new feed and after a lease has ended', async () => {
  for (const atMs of [NOW, NOW + LEASE_MS]) {
    const holds = await Promise.all(
      Array.from({ length: 20 }, (_, index) => store.holdFeed('rush', `${atMs} ${index}`, atMs, LEASE_MS)),
    );
    assert.equal(holds.filter((hold) => hold !== undefined).length, 1);
  }
});
