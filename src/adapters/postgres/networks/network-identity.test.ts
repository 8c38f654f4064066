// Tests that a database keeps the chain and key of its first use, no matter which process was first. They stay until an
// operator resets them while nothing is in flight.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { movement } from '../../../../test/http/settlement-fixtures.ts';
import { NOW, openTestDatabase } from '../../../../test/http/store-fixtures.ts';
import { freshDatabase } from '../../../../test/support/database.ts';
import type { MovementState } from '../../../domain/records/movement.ts';
import { makeBackOffice } from '../back-office/back-office.ts';
import { makePostgresStore } from '../store.ts';
import { claimNetworkIdentity, forgetNetworkIdentity, readNetworkBinding } from './network-identity.ts';

const database = openTestDatabase(await freshDatabase());

test('the first identity of a network stays, and each other network or mode has a separate identity', async () => {
  const place = { mode: 'test', network: 'Polygon' } as const;
  assert.equal(await claimNetworkIdentity(database, place, 'simulated'), 'simulated');
  assert.equal(await claimNetworkIdentity(database, place, '0xtoken'), 'simulated');
  assert.equal(await claimNetworkIdentity(database, { ...place, mode: 'live' }, '0xtoken'), '0xtoken');
  assert.equal(await claimNetworkIdentity(database, { ...place, network: 'Solana' }, 'mint'), 'mint');
});

test('when many processes claim an identity at once, all of them get the same one', async () => {
  const place = { mode: 'live', network: 'Stellar' } as const;
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => claimNetworkIdentity(database, place, `issuer ${index}`)),
  );
  assert.equal(new Set(answers).size, 1);
});

const DOING = { actor: 'ada', atMs: NOW };
const pause = (paused: boolean) => makeBackOffice(database).setMovementsPaused(paused, '', DOING);
const logOf = async () =>
  (
    await database.query<{ actor: string; detail: unknown }>({
      text: `select actor, detail from audit_log where action = 'network_forgotten' order by no`,
    })
  ).rows;

test('an identity can be deleted while movements are paused, with an audit log entry; then the next identity is stored', async () => {
  const place = { mode: 'live', network: 'Avalanche' } as const;
  const forget = (identity = 'token wallet-1') => forgetNetworkIdentity(database, place, identity, DOING);
  assert.deepEqual(await readNetworkBinding(database, place), {
    identity: null,
    paused: false,
    underWay: [],
  });
  assert.equal(await forget(), false);
  await claimNetworkIdentity(database, place, 'token wallet-1');
  await claimNetworkIdentity(database, { ...place, mode: 'test' }, 'token wallet-1');
  assert.equal(await forget(), false);
  await pause(true);
  assert.equal(await forget('token wallet-9'), false);
  assert.deepEqual(await logOf(), []);
  assert.equal(await forget(), true);
  assert.equal(await forget(), false);
  assert.deepEqual(await logOf(), [{ actor: 'ada', detail: { ...place, identity: 'token wallet-1' } }]);
  assert.equal(await claimNetworkIdentity(database, place, 'token wallet-2'), 'token wallet-2');
  const elsewhere = { ...place, mode: 'test' } as const;
  assert.equal(await claimNetworkIdentity(database, elsewhere, 'token wallet-2'), 'token wallet-1');
  await pause(false);
});

test('a movement in progress keeps the identity of its network and mode; an ended movement does not', async () => {
  const place = { mode: 'test', network: 'Base' } as const;
  await claimNetworkIdentity(database, place, 'token');
  await pause(true);
  const store = makePostgresStore(database);
  const add = (state: MovementState, changes: Partial<ReturnType<typeof movement>> = {}) => {
    const ended = state === 'done' || state === 'failed';
    const made = movement({ ...place, state, dueAtMs: ended ? null : NOW, ...changes });
    return store.commit([{ atMs: NOW, newMovements: [made] }]);
  };
  const end = (state: MovementState) =>
    database.query({ text: `update movements set state = 'done', due_at = null where state = '${state}'` });
  for (const state of ['done', 'failed'] as const) await add(state);
  await add('pending', { mode: 'live' });
  await add('sending', { network: 'Stellar' });
  assert.deepEqual((await readNetworkBinding(database, place)).underWay, []);
  const states = ['pending', 'sending', 'unknown'] as const;
  for (const state of states) await add(state);
  await add('sending', { kind: 'sweep' });
  assert.deepEqual(await readNetworkBinding(database, place), {
    identity: 'token',
    paused: true,
    underWay: [
      { state: 'pending', count: 1 },
      { state: 'sending', count: 2 },
      { state: 'unknown', count: 1 },
    ],
  });
  for (const state of states) {
    assert.equal(await forgetNetworkIdentity(database, place, 'token', DOING), false, state);
    await end(state);
  }
  assert.equal(await forgetNetworkIdentity(database, place, 'token', DOING), true);
});
