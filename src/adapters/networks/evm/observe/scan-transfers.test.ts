// Tests that blocks are read completely, in ranges of a size that the provider allows. A lagging server never hides a deposit,
// and a flood of transfers costs a limited number of requests.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FakeProvider, fakeProvider } from '../../../../../test/support/networks/evm-fake-provider.ts';
import {
  happens,
  hashesOf,
  OURS,
  openOn,
  rounds,
  STRANGER,
  senseless,
  WATCH,
  watching,
} from '../../../../../test/support/networks/evm-providers.ts';
import { ProviderFailure } from '../rpc/answers.ts';

test('a refused or failed receipt request is a provider failure, even for another token; an unreadable sender is not', async () => {
  const provider = fakeProvider();
  const stage = await openOn([provider]);
  const hash = happens(provider, 'fake', 96n, [{ address: STRANGER }]);
  provider.failing.set(hash, new ProviderFailure('eth_getTransactionReceipt: error -32005', true));
  assert.equal(await rounds(stage, 2, 1_000), undefined);
  provider.failing.set(hash, new ProviderFailure('eth_getTransactionReceipt: no answer', false));
  const cut = (await rounds(stage, 20, 25_000))!;
  assert.ok(
    JSON.parse(cut.position).block < 96,
    'less is read at once, and a cut line says nothing about the log',
  );
  assert.deepEqual([cut.sightings, cut.unreadable], [[], []]);
  provider.failing.clear();
  const { network } = await openOn([provider]);
  const early = happens(provider, 'early', 105n, [{}]);
  provider.before = (method) => {
    if (method === 'transaction') throw senseless();
  };
  assert.deepEqual(hashesOf(await network.observe(null, WATCH)), [hash, early]);
});

test('threat 42: a lagging log server does not cause a missed deposit', async () => {
  const provider = fakeProvider();
  const { network } = await openOn([provider]);
  const hash = happens(provider, 'ours', 98n, [{}]);
  provider.logsUpTo = 96n;
  // The header shows that the block may have more logs, so the logs of the block itself are requested.
  const byHash = await network.observe(null, WATCH);
  assert.deepEqual([hashesOf(byHash), JSON.parse(byHash.position).block], [[hash], '100']);
  provider.logsUpToByHash = 96n;
  const first = await network.observe(null, WATCH);
  assert.deepEqual(
    [hashesOf(first), JSON.parse(first.position).block],
    [[], '94'],
    'what came before counts',
  );
  await assert.rejects(network.observe(first.position, WATCH), ProviderFailure);
  provider.logsUpTo = 100n;
  assert.deepEqual(hashesOf(await network.observe(first.position, WATCH)), [hash]);
});

test('a block whose header has no bloom filter, or a full one, costs one extra request', async () => {
  for (const bloom of [`0x${'ff'.repeat(256)}`, null] as const) {
    const provider = fakeProvider({ bloom });
    const { network } = await openOn([provider]);
    const hash = happens(provider, 'ours', 98n, [{}]);
    assert.deepEqual(hashesOf(await network.observe(null, WATCH)), [hash]);
    assert.equal(asks(provider, /by hash/), 10, 'blocks 90 to 100 without the one that was answered');
  }
});

test('threat 45: logs and headers that do not belong to the final chain are refused', async () => {
  const provider = fakeProvider();
  const { network } = await openOn([provider], { settings: { logBlocks: 20 } });
  const hash = happens(provider, 'ours', 98n, [{}]);
  const fork = (isOther: (method: string) => boolean) => {
    provider.before = (method) => {
      provider.fork = isOther(method) ? 'other' : 'main';
    };
  };
  fork((method) => method === 'block 97');
  await assert.rejects(network.observe(null, WATCH), /do not follow each other/);
  fork((method) => /^block \d/.test(method));
  await assert.rejects(network.observe(null, WATCH), /do not belong to the final chain/);
  fork((method) => method !== 'block latest');
  await assert.rejects(network.observe(null, WATCH), /a log belongs to another block/);
  fork(() => false);
  assert.deepEqual(hashesOf(await network.observe(null, WATCH)), [hash]);
});

test('a provider that refuses large ranges gets smaller ones, and later larger ones again', async () => {
  const provider = fakeProvider({ latest: 700n, finalized: 690n });
  const { network } = await openOn([provider], { settings: { logBlocks: 2_000 } });
  let questions = 0;
  provider.before = (method) => {
    if (/^block \d/.test(method) && ++questions > 200) throw new ProviderFailure('too many questions', true);
  };
  let position: string | null = null;
  const read = async (count: number) => {
    for (let round = 0; round < count; round++) {
      questions = 0;
      position = await network.observe(position, WATCH).then(
        (observed) => observed.position,
        () => position,
      );
    }
    return JSON.parse(position!).block;
  };
  assert.equal(await read(30), '690');
  provider.before = () => undefined;
  Object.assign(provider, { latest: 5_000n, finalized: 5_000n });
  assert.equal(await read(9), '5000');
});

const asks = ({ asked }: FakeProvider, what: RegExp) => asked.filter((method) => what.test(method)).length;

test('threat 48: too many transfers of another token are reported and do not stop the reading', async () => {
  const provider = fakeProvider({ mostLogs: 10 });
  const { network } = await openOn([provider]);
  const spam = Array.from({ length: 20 }, () => ({ address: STRANGER }));
  happens(provider, 'spam', 93n, spam);
  const [shown, real] = [
    happens(provider, 'shown', 94n, [{ address: STRANGER }]),
    happens(provider, 'real', 93n, [{}], { firstIndex: 20 }),
  ];
  const first = await network.observe(null, WATCH);
  assert.deepEqual([hashesOf(first), JSON.parse(first.position).block], [[real, shown], '100']);
  assert.deepEqual(
    first.unreadable.map(({ raw }) => raw),
    ['{"from":"93","to":"93"}'],
  );
});

test('threat 48: a flood of transfers in every block costs a limited number of requests', async () => {
  const provider = fakeProvider({ mostLogs: 1, latest: 690n, finalized: 690n });
  const { network } = await openOn([provider], { settings: { logBlocks: 600 } });
  for (let block = 90n; block < 690n; block++)
    happens(provider, `spam ${block}`, block, [{ address: STRANGER }, { address: STRANGER }]);
  const real = happens(provider, 'real', 500n, [{}], { firstIndex: 2 });
  const first = await network.observe(null, WATCH);
  assert.deepEqual([hashesOf(first), JSON.parse(first.position).block], [[real], '690']);
  assert.ok(first.unreadable.length > 0);
  assert.ok(asks(provider, /of any token/) < 200, `${asks(provider, /of any token/)}`);
});

test('transfers of our token that exceed the limit of a provider are requested in parts, each once', async () => {
  const provider = fakeProvider({ mostLogs: 3 });
  const { network } = await openOn([provider], { settings: { logBlocks: 20 } });
  const hashes = [91n, 92n, 93n, 97n, 98n].map((block) => happens(provider, `d${block}`, block, [{}, {}]));
  const { sightings, unreadable } = await network.observe(null, WATCH);
  assert.deepEqual(unreadable, []);
  assert.deepEqual(
    sightings.map(({ txHash, txIndex }) => [txHash, txIndex]),
    hashes.flatMap((hash) => [0, 1].map((index) => [hash, index])),
  );
});

test('other tokens are searched only in final blocks; each range above them needs only one request', async () => {
  const provider = fakeProvider({ finalized: 100n, latest: 110n });
  const { network } = await openOn([provider]);
  const wallets = Array.from({ length: 450 }, (_, index) => `0x${`${index}`.padStart(40, '0')}` as const);
  const watch = watching(OURS, ...wallets);
  const fake = happens(provider, 'fake', 105n, [{ address: STRANGER }]);
  const { position } = await network.observe(null, watch);
  assert.deepEqual([asks(provider, /logs \d+-\d+$/), asks(provider, /of any token/)], [5, 9]);
  provider.asked.length = 0;
  assert.deepEqual(hashesOf(await network.observe(position, watch)), []);
  assert.deepEqual([asks(provider, /logs \d+-\d+$/), asks(provider, /of any token/)], [2, 0]);
  provider.finalized = 110n;
  assert.deepEqual(hashesOf(await network.observe(position, watch)), [fake]);
});

test('a transfer that one provider leaves out is read from another provider that shows it', async () => {
  for (const shows of [0, 1]) {
    const providers = [fakeProvider(), fakeProvider()];
    const { network } = await openOn(providers);
    const hash = happens(providers[shows]!, 'only there', 98n, [{}]);
    const first = await network.observe(null, WATCH);
    const second = await network.observe(first.position, WATCH);
    assert.deepEqual([...hashesOf(first), ...hashesOf(second)], [hash]);
    assert.equal(JSON.parse(second.position).block, '100');
  }
});

test('a second provider that returns no logs does not delay the reading, and the logs of a provider on a fork are ignored', async () => {
  for (const bad of [{ down: true }, { fork: 'another' }]) {
    const [first, second] = [fakeProvider(), fakeProvider()];
    const { network } = await openOn([first, second]);
    const hash = happens(first, 'ours', 98n, [{}]);
    Object.assign(second, bad);
    if (bad.fork !== undefined) happens(second, 'of the fork', 97n, [{}]);
    const { position, ...observed } = await network.observe(null, WATCH);
    assert.deepEqual(hashesOf({ position, ...observed }), [hash]);
    assert.equal(JSON.parse(position).block, '100');
  }
});
