// Tests that a signed set-up transaction of a treasury is open until its outcome is recorded. The outcome and its cost are
// recorded once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { databaseWithKeys, NOW } from '../../../../test/http/store-fixtures.ts';
import { ledgerKey } from '../../../domain/ledger/chart-of-accounts.ts';
import { recordSetUpEnd } from '../../../domain/movements/entries.ts';
import type { SignedSetUp } from '../../../domain/records/movement.ts';
import { makePostgresStore } from '../store.ts';
import { makeSetUpRecords } from './network-identity.ts';

const { database } = await databaseWithKeys();
const store = makePostgresStore(database);
const { open } = makeSetUpRecords(database);
const COST = { asset: 'POL', feeMinor: 21_000n, openedMinor: 0n, closedMinor: 0n };

function signed(hash: string, changes: Partial<SignedSetUp> = {}): SignedSetUp {
  return {
    ...{ mode: 'test', network: 'Polygon', hash, source: '0xwallet', sequence: '7', payload: 'bytes' },
    ...{ bound: null, what: 'deploy a contract', signedAtMs: NOW },
    ...changes,
  };
}

const spent = async () => {
  const key = ledgerKey('test', 'POL@Polygon', 'network_costs');
  return (await store.balances([key])).get(key) ?? 0n;
};
const kinds = async (...changes: Parameters<typeof store.commit>[0]) =>
  (await store.commit(changes)).map(({ kind }) => kind);

test('a set-up is stored once, as it was signed; the same hash on another network is another set-up', async () => {
  const [first, elsewhere] = [signed('0x1'), signed('0x1', { network: 'Avalanche', sequence: null })];
  const storing = (each: SignedSetUp) => ({ atMs: NOW, setUps: [each] });
  assert.deepEqual(await kinds(storing(first), storing(first)), ['committed', 'stale']);
  assert.deepEqual(await kinds(storing(elsewhere)), ['committed']);
  assert.deepEqual(await kinds(storing({ ...first, payload: 'others' })), ['stale']);
  assert.deepEqual(
    (await open()).toSorted((a, b) => (a.network < b.network ? 1 : -1)),
    [first, elsewhere],
  );
});

test('the end of a set-up and its cost are recorded once, even if many processes record it', async () => {
  const one = signed('0x2');
  assert.deepEqual(await kinds({ atMs: NOW, setUps: [one] }), ['committed']);
  const end = recordSetUpEnd(one, 'landed', COST, NOW);
  const ended = await Promise.all(Array.from({ length: 8 }, () => kinds(end, end)));
  assert.equal(ended.flat().filter((kind) => kind === 'committed').length, 1);
  assert.deepEqual(await kinds(recordSetUpEnd(one, 'dead', COST, NOW)), ['stale']);
  assert.equal(await spent(), 21_000n);
  assert.ok((await open()).every(({ hash }) => hash !== '0x2'));
});

test('a set-up that was never stored cannot end, and stored rows cannot be deleted', async () => {
  const [outcome] = await store.commit([recordSetUpEnd(signed('0x3'), 'landed', COST, NOW)]);
  assert.deepEqual(outcome, {
    kind: 'refused',
    rule: 'other',
    constraint: 'set_up_ends_mode_network_hash_fkey',
  });
  assert.equal(await spent(), 21_000n);
  for (const table of ['set_ups', 'set_up_ends'])
    await assert.rejects(database.query({ text: `delete from ${table}` }), /append/);
});
