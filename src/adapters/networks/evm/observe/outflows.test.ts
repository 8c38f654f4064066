// Tests that every outflow of the treasury is reported once if any provider shows it, and is never skipped. A lagging log
// server, a slow provider and a long pause do not change this.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getAddress, pad, toHex } from 'viem';
import {
  type FakeProvider,
  fakeProvider,
  TREASURY,
} from '../../../../../test/support/networks/evm-fake-provider.ts';
import {
  forget,
  happens,
  OURS,
  openOn,
  SENDER,
  STRANGER,
  transferLog,
  txOf,
} from '../../../../../test/support/networks/evm-providers.ts';
import type { OutflowPage } from '../../../../ports/networks/network-watch.ts';
import { ProviderFailure } from '../rpc/answers.ts';

const blockOf = ({ position }: OutflowPage) => BigInt(JSON.parse(position).block);
const leaving = (amountMinor: bigint) => transferLog({ from: TREASURY, to: STRANGER, amountMinor });
const hashesOf = ({ outflows }: OutflowPage) => outflows.map(({ txHash }) => txHash).toSorted();

function goOn(...providers: readonly FakeProvider[]): void {
  for (const each of providers) {
    each.latest += 10n;
    each.finalized += 10n;
  }
}

test('the first call starts at the newest final block, and each outflow is returned until it is final', async () => {
  const provider = fakeProvider();
  const { network } = await openOn([provider]);
  happens(provider, 'before', 95n, [leaving(1n)]);
  const first = await network.outflows(null);
  assert.deepEqual([first.outflows, first.unreadable, blockOf(first)], [[], [], 100n]);
  const hash = happens(provider, 'a', 108n, [leaving(5n), leaving(6n)], { firstIndex: 40 });
  const second = await network.outflows(first.position);
  const one = { txHash: hash, innerHash: null, to: getAddress(STRANGER) };
  assert.deepEqual(second.outflows, [
    { ...one, index: 0, amountMinor: 5n },
    { ...one, index: 1, amountMinor: 6n },
  ]);
  assert.equal(second.position, first.position);
  // The same transaction in a different block is the same outflow.
  forget(provider, hash);
  happens(provider, 'a', 109n, [leaving(5n), leaving(6n)], { firstIndex: 2 });
  assert.deepEqual((await network.outflows(second.position)).outflows, second.outflows);
  goOn(provider);
  const third = await network.outflows(second.position);
  assert.deepEqual([third.outflows, blockOf(third)], [second.outflows, 110n]);
  assert.deepEqual((await network.outflows(third.position)).outflows, []);
});

test('incoming transfers, transfers to itself and transfers of zero are not outflows; unreadable transfers are reported', async () => {
  const provider = fakeProvider();
  const { network } = await openOn([provider]);
  const { position } = await network.outflows(null);
  happens(provider, 'in', 105n, [transferLog({ from: SENDER, to: TREASURY, amountMinor: 5n })]);
  happens(provider, 'own', 105n, [transferLog({ from: TREASURY, to: TREASURY, amountMinor: 5n })]);
  happens(provider, 'nothing', 106n, [leaving(0n)]);
  happens(provider, 'fake', 106n, [{ ...leaving(5n), address: OURS }]);
  happens(provider, 'odd', 107n, [{ ...leaving(5n), data: '0x05' }]);
  const shown = await network.outflows(position);
  assert.deepEqual(shown.outflows, []);
  assert.deepEqual(
    shown.unreadable.map(({ raw }) => JSON.parse(raw).txHash),
    [txOf('odd')],
  );
});

test('without new blocks, only the latest block, the final block and the logs above it are requested', async () => {
  const provider = fakeProvider();
  const { network } = await openOn([provider]);
  const { position } = await network.outflows(null);
  provider.asked.length = 0;
  await network.outflows(position);
  assert.deepEqual(provider.asked.toSorted(), [
    'block finalized',
    'block latest',
    'logs 101-105',
    'logs 106-110',
  ]);
});

test('threat 42: an outflow counts if any provider shows it, and the slowest provider sets the position', async () => {
  const providers = [fakeProvider(), fakeProvider()] as const;
  const [ahead, behind] = providers;
  const { network } = await openOn(providers);
  const { position } = await network.outflows(null);
  goOn(ahead);
  const hash = happens(ahead, 'a', 107n, [leaving(5n)]);
  const first = await network.outflows(position);
  assert.deepEqual([hashesOf(first), blockOf(first)], [[hash], 100n]);
  goOn(behind);
  const other = happens(behind, 'b', 108n, [leaving(6n)]);
  happens(behind, 'a', 107n, [leaving(5n)]);
  const second = await network.outflows(first.position);
  assert.deepEqual([hashesOf(second), blockOf(second)], [[hash, other].toSorted(), 110n]);
  // A stalled provider does not delay the other providers. Without any usable provider, the read fails.
  goOn(ahead);
  behind.minedAtMs -= 11 * 60_000;
  assert.equal(blockOf(await network.outflows(second.position)), 120n);
  ahead.down = true;
  await assert.rejects(network.outflows(second.position));
});

test('threat 42: the position does not pass an outflow that a lagging log server does not show', async () => {
  const provider = fakeProvider();
  const { network } = await openOn([provider]);
  const { position } = await network.outflows(null);
  goOn(provider);
  const hash = happens(provider, 'a', 107n, [leaving(5n)]);
  provider.logsUpTo = 104n;
  // The header shows that the block may have more logs, so the logs of the block itself are requested.
  const byHash = await network.outflows(position);
  assert.deepEqual([hashesOf(byHash), blockOf(byHash)], [[hash], 110n]);
  provider.logsUpToByHash = 104n;
  const waits = await network.outflows(position);
  assert.deepEqual([hashesOf(waits), blockOf(waits)], [[], 100n]);
  Object.assign(provider, { logsUpTo: 200n, logsUpToByHash: 200n });
  assert.deepEqual(hashesOf(await network.outflows(waits.position)), [hash]);
});

test('threat 45: the position does not move if the headers do not link to the last block that was read', async () => {
  const provider = fakeProvider();
  const { network } = await openOn([provider]);
  const { position } = await network.outflows(null);
  goOn(provider);
  provider.fork = 'other';
  assert.equal((await network.outflows(position)).position, position);
});

test('after a long pause the oldest and the newest outflows are returned first, and later all of them', async () => {
  const provider = fakeProvider();
  const { network } = await openOn([provider], { settings: { logBlocks: 300 } });
  const first = await network.outflows(null);
  Object.assign(provider, { latest: 3_010n, finalized: 3_000n });
  const blocks = [150n, 1_500n, 2_999n];
  const hashes = blocks.map((block) => happens(provider, `${block}`, block, [leaving(block)]));
  const seen = new Set<string>();
  let shown = await network.outflows(first.position);
  assert.deepEqual(hashesOf(shown), [hashes[0], hashes[2]].toSorted());
  for (let step = 0; step < 8; step++) {
    for (const hash of hashesOf(shown)) seen.add(hash);
    shown = await network.outflows(shown.position);
  }
  assert.deepEqual([[...seen].toSorted(), blockOf(shown)], [hashes.toSorted(), 3_000n]);
});

test('a provider that allows few requests is read in smaller parts, and its outflows are still returned', async () => {
  const provider = fakeProvider();
  const { network, troubles } = await openOn([provider], { settings: { logBlocks: 300 } });
  const { position } = await network.outflows(null);
  Object.assign(provider, { latest: 400n, finalized: 390n });
  const hash = happens(provider, 'a', 350n, [{ data: pad(toHex(5n)), topics: leaving(5n).topics }]);
  let questions = 0;
  provider.before = (method) => {
    if (/^block \d/.test(method) && ++questions > 120) throw new ProviderFailure('too many questions', true);
  };
  const shown = await network.outflows(position);
  assert.deepEqual([hashesOf(shown), blockOf(shown), troubles], [[hash], 200n, []]);
  questions = 0;
  assert.equal(blockOf(await network.outflows(shown.position)), 300n);
});

test('threat 49: the balance must equal the old balance plus the transfers since then, and any difference is returned', async () => {
  const provider = fakeProvider();
  const { network } = await openOn([provider]);
  const first = await network.outflows(null);
  happens(provider, 'out', 105n, [leaving(50n)]);
  happens(provider, 'in', 106n, [transferLog({ from: SENDER, to: TREASURY, amountMinor: 30n })]);
  goOn(provider);
  const second = await network.outflows(first.position);
  assert.deepEqual([second.unlistedMinor, blockOf(second)], [0n, 110n]);
  // A payment of 500 in flight does not hide the difference.
  happens(provider, 'in flight', 129n, [leaving(500n)]);
  provider.missing = { from: 112n, amountMinor: 7n };
  goOn(provider);
  assert.equal((await network.outflows(second.position)).unlistedMinor, -7n);
  // It is enough if one of two providers shows the difference.
  const honest = fakeProvider({ latest: provider.latest, finalized: provider.finalized });
  honest.logs.push(...provider.logs);
  const both = await openOn([honest, provider]);
  assert.equal((await both.network.outflows(second.position)).unlistedMinor, -7n);
});

test('if a server no longer has the balance at an older block, the balance at a newer block is compared', async () => {
  const provider = fakeProvider();
  const { network } = await openOn([provider], { settings: { logBlocks: 300 } });
  const first = await network.outflows(null);
  Object.assign(provider, { latest: 710n, finalized: 700n, oldestState: 650n });
  provider.missing = { from: 200n, amountMinor: 7n };
  const second = await network.outflows(first.position);
  assert.deepEqual([second.unlistedMinor, blockOf(second)], [undefined, 600n]);
  assert.equal((await network.outflows(second.position)).unlistedMinor, -7n);
  provider.oldestState = 701n;
  await assert.rejects(network.outflows(second.position), 'at the newest block it has to be known');
});
