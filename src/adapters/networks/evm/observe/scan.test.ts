// A log without a receipt of use stops nothing: anybody may cause one. A deposit is set aside for it only when every provider
// was asked often enough, and a provider that cannot be reached proves nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hex } from 'viem';
import {
  type FakeProvider,
  type FakeStage,
  fakeProvider,
  happens,
  OURS,
  openOn,
  SENDER,
  STRANGER,
  transferLog,
  txOf,
  watching,
} from '../../../../../test/support/networks/evm-providers.ts';
import type { Observed } from '../../../../ports/network/observes.ts';
import { ProviderFailure, readReceipt } from '../rpc/answers.ts';

const WATCH = watching(OURS);
const hashesOf = ({ sightings }: Observed) => sightings.map(({ txHash }) => txHash);

/** What a receipt that cannot be read makes of a provider's answer. */
function senseless(): Error {
  try {
    readReceipt({});
  } catch (error) {
    return error as Error;
  }
  throw new Error('it was read');
}

const LOSSES: Record<string, (provider: FakeProvider, hash: Hex) => void> = {
  missing: (provider, hash) => provider.receipts.delete(hash),
  senseless: (provider, hash) => provider.failing.set(hash, senseless()),
  misfit: (provider, hash) =>
    provider.receipts.set(hash, { ...provider.receipts.get(hash)!, blockHash: txOf('another block') }),
};

/** Observes again and again; answers what came in the end, or undefined where every round failed. */
async function rounds(
  { network, pass }: FakeStage,
  count: number,
  everyMs: number,
  position: string | null = null,
) {
  for (let round = 0; round < count; round++) {
    if (round > 0) pass(everyMs);
    const observed = await network.observe(position, WATCH).catch((error) => {
      assert.ok(error instanceof ProviderFailure);
    });
    if (observed !== undefined) return observed;
  }
  return undefined;
}

for (const [kind, lose] of Object.entries(LOSSES)) {
  test(`another token whose receipt is ${kind} is set aside by itself and stops nothing`, async () => {
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

  test(`a deposit whose receipt is ${kind} is asked for elsewhere, and set aside when nobody has it for long`, async () => {
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
    assert.match(unreadable[0]!.reason, /^no provider can place this transfer: a log /);
    assert.match(unreadable[0]!.raw, new RegExp(hash));
    assert.deepEqual([unreadable.length, troubles().map(({ detail }) => detail.hash)], [1, [hash]]);
    // What was waited for is forgotten with that, and one that came back is asked before anything is given up.
    assert.equal(await rounds(stage, 4, 60_000), undefined, 'fewer than five rounds');
    providers[1].failing.clear();
    providers[1].receipts.set(hash, receipt);
    assert.deepEqual(hashesOf(await stage.network.observe(null, WATCH)), [hash, txOf('real')]);
  });
}

test('threat 42: a deposit whose receipt nobody shows is placed by all logs of its block', async () => {
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

test('while a provider is away a deposit without a receipt is waited for longer', async () => {
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

test('several without a receipt are waited for together, however far apart they are', async () => {
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

test('one after another without a receipt does not hold up reading for ever', async () => {
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
  // The time it was waited for already counts.
  stage.pass(60_000);
  assert.equal(await rounds(stage, 3, 0, first.position), undefined);
  const second = await stage.network.observe(first.position, WATCH);
  assert.deepEqual([second.unreadable.length, JSON.parse(second.position).block], [1, '115']);
});

test('a deposit without a receipt that does not stay yet is left out, and told of when it has one', async () => {
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

test('a provider that refuses or is cut off is a failure, also about another token; one sender unread is none', async () => {
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

test('threat 42: a server that answers about logs from behind makes no deposit missed', async () => {
  const provider = fakeProvider();
  const { network } = await openOn([provider]);
  const hash = happens(provider, 'ours', 98n, [{}]);
  provider.logsUpTo = 96n;
  // The header says that there may be more, and the block itself is asked.
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

test('a header that may hold more than there is, or says nothing, costs a question about that block alone', async () => {
  for (const bloom of [`0x${'ff'.repeat(256)}`, null] as const) {
    const provider = fakeProvider({ bloom });
    const { network } = await openOn([provider]);
    const hash = happens(provider, 'ours', 98n, [{}]);
    assert.deepEqual(hashesOf(await network.observe(null, WATCH)), [hash]);
    assert.equal(asks(provider, /by hash/), 10, 'blocks 90 to 100 without the one that was answered');
  }
});

test('threat 45: logs and headers of a chain that is not final are not read', async () => {
  const provider = fakeProvider();
  const { network } = await openOn([provider], { settings: { logBlocks: 20 } });
  const hash = happens(provider, 'ours', 98n, [{}]);
  const fork = (isOther: (method: string) => boolean) => {
    provider.before = (method) => {
      provider.fork = isOther(method) ? 'other' : 'main';
    };
  };
  fork((method) => method === 'block 97');
  await assert.rejects(network.observe(null, WATCH), /do not come after each other/);
  fork((method) => /^block \d/.test(method));
  await assert.rejects(network.observe(null, WATCH), /not of the chain that is final/);
  fork((method) => method !== 'block latest');
  await assert.rejects(network.observe(null, WATCH), /a log is of another block/);
  fork(() => false);
  assert.deepEqual(hashesOf(await network.observe(null, WATCH)), [hash]);
});

test('a provider that does not answer so much at once is asked for less, and then for more again', async () => {
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

test('threat 48: more transfers of another token than a provider answers for stop nothing, and are told of', async () => {
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

test('threat 48: a flood in every block costs a bounded number of questions', async () => {
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

test('more transfers of our token than a provider answers for are asked for in parts, each once', async () => {
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

test('other tokens are looked for only among blocks that stay: above them a range costs one question', async () => {
  const provider = fakeProvider({ finalized: 100n, latest: 110n });
  const { network } = await openOn([provider]);
  const wallets = Array.from({ length: 450 }, (_, index) => `0x${`${index}`.padStart(40, '0')}` as const);
  const watch = watching(OURS, ...wallets);
  const fake = happens(provider, 'fake', 105n, [{ address: STRANGER }]);
  const { position } = await network.observe(null, watch);
  // Blocks 90 to 100 are three ranges, 101 to 110 are two; 451 addresses are three questions.
  assert.deepEqual([asks(provider, /logs \d+-\d+$/), asks(provider, /of any token/)], [5, 9]);
  provider.asked.length = 0;
  assert.deepEqual(hashesOf(await network.observe(position, watch)), []);
  assert.deepEqual([asks(provider, /logs \d+-\d+$/), asks(provider, /of any token/)], [2, 0]);
  provider.finalized = 110n;
  assert.deepEqual(hashesOf(await network.observe(position, watch)), [fake]);
});
