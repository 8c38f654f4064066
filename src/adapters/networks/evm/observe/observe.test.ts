// Tests that deposits are read once from final blocks, reported early, and never missed. A lagging provider, an unreadable log
// and a transfer that moves to a different block do not change this.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getAddress, pad } from 'viem';
import { fakeProvider, TREASURY } from '../../../../../test/support/networks/evm-fake-provider.ts';
import {
  forget,
  happens,
  OURS,
  openOn,
  SENDER,
  STRANGER,
  transferLog,
  txOf,
  watching,
} from '../../../../../test/support/networks/evm-providers.ts';

const WATCH = watching(OURS);

test('a deposit is reported once before and once after it is final, and the position moves only over final blocks', async () => {
  const provider = fakeProvider();
  const { network } = await openOn([provider]);
  const hash = happens(provider, 'a', 105n, [{}]);
  const first = await network.observe(null, WATCH);
  assert.deepEqual(first.sightings, [
    {
      txHash: hash,
      txIndex: 0,
      address: getAddress(OURS),
      memo: null,
      sender: getAddress(SENDER),
      ourToken: true,
      amountMinor: 100n,
      final: false,
      chainAtMs: provider.minedAtMs,
    },
  ]);
  const second = await network.observe(first.position, WATCH);
  assert.deepEqual([second.sightings, second.position], [[], first.position]);
  provider.latest = 120n;
  provider.finalized = 115n;
  const third = await network.observe(second.position, WATCH);
  assert.deepEqual(third.sightings, [{ ...first.sightings[0]!, final: true }]);
  assert.deepEqual((await network.observe(third.position, WATCH)).sightings, []);
});

test('threat 55: a transfer that moves to another block keeps its identity', async () => {
  const provider = fakeProvider();
  const { network } = await openOn([provider]);
  const logs = [transferLog({ from: SENDER, to: STRANGER, amountMinor: 1n }), {}];
  const hash = happens(provider, 'a', 105n, logs, { firstIndex: 3 });
  const first = await network.observe(null, WATCH);
  forget(provider, hash);
  happens(provider, 'a', 107n, logs, { firstIndex: 40 });
  provider.latest = 120n;
  provider.finalized = 115n;
  const second = await network.observe(first.position, WATCH);
  const identities = [...first.sightings, ...second.sightings].map(({ txHash, txIndex }) => [
    txHash,
    txIndex,
  ]);
  assert.deepEqual(identities, [
    [hash, 1],
    [hash, 1],
  ]);
});

test('a provider that is behind the position is not used, and no deposit is skipped', async () => {
  const [ahead, behind] = [fakeProvider(), fakeProvider({ latest: 95n, finalized: 92n })];
  const { network } = await openOn([behind, ahead]);
  happens(ahead, 'a', 98n, [{}]);
  const first = await network.observe(null, WATCH);
  assert.equal(JSON.parse(first.position).block, '92');
  behind.down = true;
  const second = await network.observe(first.position, WATCH);
  assert.deepEqual([second.sightings.length, JSON.parse(second.position).block], [1, '100']);
  behind.down = false;
  ahead.down = true;
  await assert.rejects(network.observe(second.position, WATCH));
});

test('a stalled provider is skipped, because it never shows new deposits', async () => {
  const [still, moving] = [fakeProvider(), fakeProvider()];
  const { network } = await openOn([still, moving]);
  still.minedAtMs -= 11 * 60_000;
  happens(moving, 'a', 105n, [{}]);
  assert.equal((await network.observe(null, WATCH)).sightings.length, 1);
});

test('threat 45: reading stops if the chain no longer has the last block that was read', async () => {
  const provider = fakeProvider();
  const { network } = await openOn([provider]);
  const { position } = await network.observe(null, WATCH);
  provider.fork = 'other';
  await assert.rejects(
    network.observe(position, WATCH),
    /Polygon: block 100 was final and has been replaced/,
  );
});

test('a long range is read in parts of a size that the provider allows, each block once', async () => {
  const provider = fakeProvider({ latest: 190n, finalized: 180n });
  const { network } = await openOn([provider]);
  const first = await network.observe(null, WATCH);
  const second = await network.observe(first.position, WATCH);
  const third = await network.observe(second.position, WATCH);
  assert.deepEqual(
    [first, second, third].map(({ position }) => JSON.parse(position).block),
    ['139', '180', '180'],
  );
  const ranges = provider.asked.filter((asked) => asked.startsWith('logs'));
  assert.ok(ranges.includes('logs 90-94') && ranges.includes('logs 180-180'), ranges.join());
});

test('unreadable transfers are reported and do not stop the reading; transfers of zero are ignored', async () => {
  const provider = fakeProvider();
  const { network } = await openOn([provider]);
  const { topics } = transferLog({ from: SENDER, to: OURS, amountMinor: 1n });
  happens(provider, 'collectible', 91n, [
    { address: STRANGER, topics: [...topics, pad('0x01')], data: '0x' },
  ]);
  happens(provider, 'endless', 92n, [{ address: STRANGER, data: `0x${'ff'.repeat(32)}` }]);
  happens(provider, 'short', 93n, [{ data: '0x01' }]);
  happens(provider, 'nothing', 94n, [{ data: pad('0x') }]);
  happens(provider, 'real', 96n, [{}]);
  const { sightings, unreadable } = await network.observe(null, WATCH);
  assert.deepEqual(
    sightings.map(({ txHash }) => txHash),
    [txOf('real')],
  );
  assert.equal(unreadable.length, 3);
  for (const { raw } of unreadable) assert.match(raw, /"txHash":"0x/);
});

test('threats 48 and 54: another token is flagged, a direct deposit to the treasury is reported, and sweeps and transfers to strangers are ignored', async () => {
  const provider = fakeProvider();
  const { network } = await openOn([provider]);
  happens(provider, 'fake', 91n, [{ address: STRANGER }]);
  happens(provider, 'stranger', 92n, [transferLog({ from: SENDER, to: STRANGER, amountMinor: 5n })]);
  happens(provider, 'sweep', 93n, [transferLog({ from: OURS, to: TREASURY, amountMinor: 5n })]);
  happens(provider, 'paid', 94n, [transferLog({ from: TREASURY, to: STRANGER, amountMinor: 5n })]);
  happens(provider, 'straight', 95n, [transferLog({ from: SENDER, to: TREASURY, amountMinor: 5n })]);
  const { sightings } = await network.observe(null, WATCH);
  assert.deepEqual(
    sightings.map(({ txHash, ourToken, address }) => [txHash, ourToken, address]),
    [
      [txOf('fake'), false, getAddress(OURS)],
      [txOf('straight'), true, getAddress(TREASURY)],
    ],
  );
});

test('an unreachable store is not reported as a failure of the provider', async () => {
  const provider = fakeProvider();
  const { network, troubles } = await openOn([provider]);
  happens(provider, 'a', 95n, [{}]);
  const away = { ...WATCH, ours: () => Promise.reject(new Error('the database is away')) };
  await assert.rejects(network.observe(null, away), /the database is away/);
  assert.deepEqual(troubles, []);
});
