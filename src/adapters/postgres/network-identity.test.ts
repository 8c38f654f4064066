// A database keeps to the chain it was first used with, whoever asks first.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from '../../../test/http/store-fixtures.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { claimNetworkIdentity } from './network-identity.ts';

const database = openTestDatabase(await freshDatabase());

test('the first identity stays; other networks and modes have their own', async () => {
  const place = { mode: 'test', network: 'Polygon' } as const;
  assert.equal(await claimNetworkIdentity(database, place, 'simulated'), 'simulated');
  assert.equal(await claimNetworkIdentity(database, place, '0xtoken'), 'simulated');
  assert.equal(await claimNetworkIdentity(database, { ...place, mode: 'live' }, '0xtoken'), '0xtoken');
  assert.equal(await claimNetworkIdentity(database, { ...place, network: 'Solana' }, 'mint'), 'mint');
});

test('of many that come at once one decides', async () => {
  const place = { mode: 'live', network: 'Stellar' } as const;
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => claimNetworkIdentity(database, place, `issuer ${index}`)),
  );
  assert.equal(new Set(answers).size, 1);
});
