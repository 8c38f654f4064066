// Tests that a deposit is confirmed as final or gone only if providers prove it. A large deposit needs two providers, and a
// lagging server never makes a deposit disappear.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getAddress, type Hex, pad, toHex } from 'viem';
import { fakeProvider } from '../../../../../test/support/networks/evm-fake-provider.ts';
import {
  forget,
  happens,
  OURS,
  openOn,
  SENDER,
  STRANGER,
  txOf,
  watching,
} from '../../../../../test/support/networks/evm-providers.ts';
import type { DepositObservation } from '../../../../ports/networks/network-observer.ts';

const WATCH = watching(OURS);

test('threat 46: a large deposit needs two providers, a small one does not', async () => {
  const providers = [fakeProvider(), fakeProvider()] as const;
  const { network, troubles } = await openOn(providers);
  const data = pad(toHex(1_000_000n));
  const hash = happens(providers[0], 'large', 95n, [{ data }]);
  const small = happens(providers[0], 'small', 96n, [{}]);
  assert.equal(
    await network.confirm({ txHash: small, txIndex: 0, address: OURS, memo: null, amountMinor: 100n }),
    'final',
  );
  const large = { txHash: hash, txIndex: 0, address: OURS, memo: null, amountMinor: 1_000_000n };
  assert.equal(await network.confirm(large), 'unknown');
  assert.ok(troubles.some(({ message }) => /contradict/.test(message)));
  happens(providers[1], 'large', 95n, [{ data }]);
  assert.equal(await network.confirm(large), 'final');
});

test('threat 45: a deposit counts as removed only if two providers prove that it can never return, even after a restart', async () => {
  const providers = [fakeProvider(), fakeProvider()] as const;
  const { network } = await openOn(providers);
  const hash = happens(providers[0], 'a', 105n, [{}], { nonce: 7 });
  const { position } = await network.observe(null, WATCH);
  const seen = { txHash: hash, txIndex: 0, address: OURS, memo: null, amountMinor: 100n };
  assert.equal(await network.confirm(seen), 'pending');
  forget(providers[0], hash);
  for (const each of providers) Object.assign(each, { latest: 300n, finalized: 290n });
  // The sender may still broadcast the transaction again.
  assert.equal(await network.confirm(seen), 'pending');
  const restarted = (await openOn(providers)).network;
  assert.equal(await restarted.confirm(seen), 'unknown');
  await restarted.observe(position, WATCH);
  const instead = { hash: txOf('instead'), from: SENDER, nonce: 7 };
  providers[0].inBlock.set(108n, [instead]);
  assert.equal(await restarted.confirm(seen), 'pending', 'the other one does not show it');
  providers[1].inBlock.set(108n, [instead]);
  assert.equal(await restarted.confirm(seen), 'gone');
});

test('threat 42: an existing deposit does not count as removed because a lagging server does not show it', async () => {
  for (const count of [1, 2]) {
    const providers = Array.from({ length: count }, () => fakeProvider());
    const { network } = await openOn(providers);
    let txHash: Hex = '0x';
    for (const each of providers) txHash = happens(each, 'a', 105n, [{}], { nonce: 7 });
    await network.observe(null, WATCH);
    const seen = { txHash, txIndex: 0, address: OURS, memo: null, amountMinor: 100n };
    const block = { hash: txHash, from: SENDER, nonce: 7 };
    for (const each of providers) {
      Object.assign(each, { latest: 300n, finalized: 290n, nonceAtFinality: 8 });
      each.receipts.delete(txHash);
      each.transactions.delete(txHash);
    }
    assert.equal(await network.confirm(seen), 'pending', 'a count, and no block that shows it');
    for (const each of providers) each.inBlock.set(105n, [block]);
    assert.equal(await network.confirm(seen), 'pending', 'the block with its nonce shows it');
    for (const each of providers) {
      each.inBlock.set(105n, [{ ...block, hash: txOf('instead') }]);
      each.oldestState = 200n;
    }
    assert.equal(
      await network.confirm(seen),
      'pending',
      'no provider has the state of its sender at that time',
    );
    for (const each of providers) each.oldestState = 0n;
    assert.equal(await network.confirm(seen), 'gone');
  }
});

test('threat 45: a deposit is final only if the final block comes after its own block', async () => {
  const provider = fakeProvider();
  const { network } = await openOn([provider]);
  provider.fork = 'left behind';
  const txHash = happens(provider, 'a', 95n, [{}]);
  const seen = { txHash, txIndex: 0, address: OURS, memo: null, amountMinor: 100n };
  // The server with the receipt is on a fork. A different server returns the final block.
  provider.before = (method) => {
    provider.fork = method === 'block 95' ? 'left behind' : 'main';
  };
  assert.equal(await network.confirm(seen), 'unknown');
  provider.before = () => undefined;
  provider.fork = 'left behind';
  assert.equal(await network.confirm(seen), 'final');
  assert.ok(provider.asked.includes('block finalized') && provider.asked.includes('block 100'));
});

test('a final transaction without the transfer, or with another transfer at its index, does not confirm the deposit', async () => {
  const providers = [fakeProvider(), fakeProvider()] as const;
  const { network } = await openOn(providers);
  let txHash: Hex = '0x';
  for (const each of providers) txHash = happens(each, 'a', 95n, [{}, { address: STRANGER }]);
  const confirm = (changes: object) =>
    network.confirm({ txHash, txIndex: 0, address: OURS, memo: null, amountMinor: 100n, ...changes });
  assert.equal(await confirm({}), 'final');
  assert.equal(await confirm({ address: getAddress(OURS) }), 'final');
  assert.equal(await confirm({ address: getAddress(STRANGER) }), 'gone');
  assert.equal(await confirm({ amountMinor: 101n }), 'unknown', 'it is there, with another amount');
  assert.equal(await confirm({ txIndex: 9 }), 'gone');
  assert.equal(await confirm({ txIndex: 1 }), 'unknown', 'another token');
  assert.equal(await confirm({ txIndex: 1, amountMinor: 101n }), 'gone', 'neither token nor amount');
});

test('threat 45: a deposit whose amount changes is reported again and does not count as removed', async () => {
  const providers = [fakeProvider(), fakeProvider()] as const;
  const { network, troubles } = await openOn(providers);
  const swap = (block: bigint, amountMinor: bigint): Hex => {
    for (const each of providers) {
      forget(each, txOf('swap'));
      happens(each, 'swap', block, [{ data: pad(toHex(amountMinor)) }]);
    }
    return txOf('swap');
  };
  const hash = swap(105n, 100n);
  const amountsOf = ({ sightings }: DepositObservation) =>
    sightings.map((each) => [each.amountMinor, each.final]);
  const first = await network.observe(null, WATCH);
  swap(106n, 90n);
  const second = await network.observe(first.position, WATCH);
  assert.deepEqual([amountsOf(first), amountsOf(second)], [[[100n, false]], [[90n, false]]]);
  assert.deepEqual((await network.observe(second.position, WATCH)).sightings, []);
  swap(107n, 80n);
  for (const each of providers) Object.assign(each, { latest: 120n, finalized: 115n });
  const confirm = (amountMinor: bigint) =>
    network.confirm({ txHash: hash, txIndex: 0, address: OURS, memo: null, amountMinor });
  for (const seenMinor of [100n, 90n, 100n]) assert.equal(await confirm(seenMinor), 'unknown');
  assert.deepEqual(
    troubles.map(({ message, detail }) => [message, detail.hash]),
    [['the amount of a deposit changed after it was seen', hash]],
  );
  assert.deepEqual(amountsOf(await network.observe(second.position, WATCH)), [[80n, true]]);
  assert.equal(await confirm(80n), 'final');
  swap(107n, 0n);
  assert.equal(await confirm(100n), 'gone', 'nothing moved');
});

test('a deposit whose transaction exists does not count as removed, even if no provider has its receipt', async () => {
  const providers = [fakeProvider(), fakeProvider()] as const;
  const { network } = await openOn(providers);
  let txHash: Hex = '0x';
  for (const each of providers) txHash = happens(each, 'a', 105n, [{}], { nonce: 7 });
  await network.observe(null, WATCH);
  for (const each of providers) {
    Object.assign(each, { latest: 120n, finalized: 115n, nonceAtFinality: 8 });
    each.receipts.delete(txHash);
  }
  const seen = { txHash, txIndex: 0, address: OURS, memo: null, amountMinor: 100n };
  assert.equal(await network.confirm(seen), 'pending');
});
