// Tests transfers without a receipt. A log without a usable receipt does not stop the reading, because any contract can write
// one. A deposit without a receipt is set aside only after every provider was asked often enough. The failure of an unreachable
// provider proves nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hex } from 'viem';
import { type FakeProvider, fakeProvider } from '../../../../../test/support/networks/evm-fake-provider.ts';
import {
  happens,
  hashesOf,
  openOn,
  rounds,
  SENDER,
  STRANGER,
  senseless,
  transferLog,
  txOf,
  WATCH,
} from '../../../../../test/support/networks/evm-providers.ts';

const LOSSES: Record<string, (provider: FakeProvider, hash: Hex) => void> = {
  missing: (provider, hash) => provider.receipts.delete(hash),
  senseless: (provider, hash) => provider.failing.set(hash, senseless()),
  misfit: (provider, hash) =>
    provider.receipts.set(hash, { ...provider.receipts.get(hash)!, blockHash: txOf('another block') }),
};

for (const [kind, lose] of Object.entries(LOSSES)) {
  test(`a transfer of another token whose receipt is ${kind} is set aside on its own and does not stop the reading`, async () => {
    const provider = fakeProvider();
    const { network } = await openOn([provider]);
    const poison = happens(provider, 'poison', 96n, [{ address: STRANGER }]);
    const early = happens(provider, 'early', 105n, [{ address: STRANGER }]);
    for (const each of [poison, early]) lose(provider, each);
    const real = happens(provider, 'real', 96n, [{}], { firstIndex: 1 });
    const first = await network.observe(null, WATCH);
    assert.deepEqual([hashesOf(first), JSON.parse(first.position).block], [[real], '100']);
    assert.equal(first.unreadable.length, 1);
    assert.match(first.unreadable[0]!.raw, new RegExp(poison));
  });

  test(`a deposit whose receipt is ${kind} is requested from other providers, and set aside if none has it for a long time`, async () => {
    const providers = [fakeProvider(), fakeProvider()] as const;
    const stage = await openOn(providers);
    const hash = txOf('ours');
    for (const each of providers) {
      happens(each, 'ours', 96n, [{}]);
      happens(each, 'real', 97n, [{}]);
    }
    const receipt = providers[0].receipts.get(hash)!;
    lose(providers[0], hash);
    const elsewhere = await stage.network.observe(null, WATCH);
    assert.deepEqual([hashesOf(elsewhere), elsewhere.unreadable], [[hash, txOf('real')], []]);
    lose(providers[1], hash);
    assert.equal(await rounds(stage, 9, 7_000), undefined, 'less than a minute');
    stage.pass(5_000);
    const troubles = () => stage.troubles.filter(({ message }) => /was set aside/.test(message));
    assert.deepEqual(troubles(), []);
    const { unreadable, ...rest } = await stage.network.observe(null, WATCH);
    assert.deepEqual(
      [hashesOf({ unreadable, ...rest }), JSON.parse(rest.position).block],
      [[txOf('real')], '100'],
    );
    assert.match(unreadable[0]!.reason, /^no provider shows a usable receipt of this transfer: a log /);
    assert.match(unreadable[0]!.raw, new RegExp(hash));
    assert.deepEqual([unreadable.length, troubles().map(({ detail }) => detail.hash)], [1, [hash]]);
    // Then the wait starts again. A provider that is reachable again is asked before the deposit is given up.
    assert.equal(await rounds(stage, 4, 60_000), undefined, 'fewer than five rounds');
    providers[1].failing.clear();
    providers[1].receipts.set(hash, receipt);
    assert.deepEqual(hashesOf(await stage.network.observe(null, WATCH)), [hash, txOf('real')]);
  });
}

test('threat 42: the position of a deposit without a receipt is computed from all logs of its block', async () => {
  for (const lose of Object.values(LOSSES)) {
    const provider = fakeProvider({ wholeBlocks: true });
    const { network } = await openOn([provider]);
    happens(provider, 'before', 96n, [{ address: STRANGER }, {}]);
    const other = transferLog({ from: SENDER, to: STRANGER, amountMinor: 1n });
    const hash = happens(provider, 'ours', 96n, [other, {}], { firstIndex: 2 });
    lose(provider, hash);
    const { sightings, unreadable } = await network.observe(null, WATCH);
    assert.deepEqual(
      sightings.filter(({ txHash }) => txHash === hash).map(({ txIndex }) => txIndex),
      [1],
    );
    assert.deepEqual(unreadable, []);
  }
});

test('while a provider is unreachable, reading waits longer for a deposit without a receipt', async () => {
  const [without, away] = [fakeProvider(), fakeProvider()] as const;
  const stage = await openOn([without, away]);
  const hash = happens(without, 'ours', 96n, [{}]);
  without.receipts.delete(hash);
  away.down = true;
  assert.equal(await rounds(stage, 10, 60_000), undefined);
  stage.pass(60_000);
  const { unreadable } = await stage.network.observe(null, WATCH);
  assert.equal(unreadable.length, 1);
});

test('several deposits without a receipt wait at the same time, even if their blocks are far apart', async () => {
  const provider = fakeProvider();
  const stage = await openOn([provider]);
  for (const [name, block] of [
    ['a', 91n],
    ['b', 96n],
    ['c', 100n],
  ] as const)
    provider.receipts.delete(happens(provider, name, block, [{}]));
  const observed = await rounds(stage, 5, 15_000);
  assert.equal(observed?.unreadable.length, 3);
});

test('a series of deposits without a receipt does not stop the reading permanently', async () => {
  const provider = fakeProvider();
  const stage = await openOn([provider]);
  provider.receipts.delete(happens(provider, 'a', 96n, [{}]));
  happens(provider, 'real', 101n, [{}]);
  assert.equal(await rounds(stage, 4, 20_000), undefined);
  Object.assign(provider, { latest: 120n, finalized: 115n });
  provider.receipts.delete(happens(provider, 'b', 104n, [{}]));
  const first = await stage.network.observe(null, WATCH);
  assert.deepEqual([hashesOf(first), first.unreadable.length], [[txOf('real')], 1]);
  assert.equal(JSON.parse(first.position).block, '103');
  // The time that the deposit has already waited counts.
  stage.pass(60_000);
  assert.equal(await rounds(stage, 3, 0, first.position), undefined);
  const second = await stage.network.observe(first.position, WATCH);
  assert.deepEqual([second.unreadable.length, JSON.parse(second.position).block], [1, '115']);
});

test('a deposit without a receipt in a block that is not final is reported only after it has a receipt', async () => {
  const provider = fakeProvider();
  const { network } = await openOn([provider]);
  const hash = happens(provider, 'ours', 105n, [{}]);
  const receipt = provider.receipts.get(hash)!;
  provider.receipts.delete(hash);
  const other = happens(provider, 'other', 106n, [{}]);
  const first = await network.observe(null, WATCH);
  assert.deepEqual([hashesOf(first), first.unreadable], [[other], []]);
  provider.receipts.set(hash, receipt);
  assert.deepEqual(hashesOf(await network.observe(first.position, WATCH)), [hash]);
});
