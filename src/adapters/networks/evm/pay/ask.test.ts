// Tests the proof of a payment's outcome. One provider must give every part of the proof. Two providers are needed if the proof
// leads to a new signature or if the amount is large.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hex } from 'viem';
import {
  type FakeProvider,
  fakeProvider,
  hashAt,
  TREASURY,
} from '../../../../../test/support/networks/evm-fake-provider.ts';
import {
  DISPERSE,
  NO_TURN,
  openOn,
  payOne,
  receiptOf,
  transferLog,
  txOf,
  WALLETS,
} from '../../../../../test/support/networks/evm-providers.ts';
import type { Envelope } from '../../../../ports/networks/network-payer.ts';
import type { EvmLog } from '../rpc/answers.ts';
import { readPayload } from './payload.ts';

const [WALLET] = WALLETS as [Hex];

async function stage({ amountMinor = 500n, providers = [fakeProvider(), fakeProvider()] } = {}) {
  const opened = await openOn(providers);
  const { envelopes } = await opened.network.prepare([payOne(WALLET, amountMinor)], NO_TURN);
  const [version] = envelopes;
  const envelope: Envelope = { versions: [version!], orderIds: version!.orderIds };
  const log = transferLog({ to: WALLET, amountMinor });
  const [first, second] = providers as [FakeProvider, FakeProvider];
  for (const each of providers) each.asked.length = 0;
  const landOn = (provider: FakeProvider, changes: Parameters<typeof receiptOf>[2] = {}, logs = [log]) =>
    void provider.receipts.set(version!.hash, receiptOf(version!.hash, logs, changes));
  return { ...opened, envelope, version: version!, log, first, second, landOn };
}

test('a payment at or below the finalized block is final, with its cost', async () => {
  const { network, envelope, first, version, landOn } = await stage();
  landOn(first);
  const status = await network.ask(envelope);
  assert.ok(status.kind === 'final');
  assert.deepEqual([status.hash, status.unpaid], [version.hash, []]);
  assert.deepEqual(status.cost, { asset: 'POL', feeMinor: 150_000n, opened: [] });
  landOn(first, { block: 101n, blockHash: hashAt('main', 101n) });
  assert.deepEqual(await network.ask(envelope), { kind: 'included', confirmations: 10 });
});

test('the finalized block is requested before the receipt, from the same provider', async () => {
  const { network, envelope, first, second } = await stage();
  await network.ask(envelope);
  assert.deepEqual(first.asked, [
    'block finalized',
    'block latest',
    'nonce finalized',
    'nonce latest',
    'receipt',
  ]);
  assert.deepEqual(second.asked, []);
});

test('threat 42: the combined responses of two lagging providers never make a payment count as lost', async () => {
  const { network, envelope, first, second } = await stage();
  // The first provider shows that the nonce is used, because the payment itself used it. It fails before it can return the
  // receipt.
  first.nonceAtFinality = 8;
  first.before = (method) => {
    if (method === 'receipt') throw new Error('cut');
  };
  second.latest = 90n;
  second.finalized = 80n;
  assert.deepEqual(await network.ask(envelope), { kind: 'pending' });
});

const TAKER = { hash: txOf('another program'), from: TREASURY, nonce: 7 };

function takenOn(provider: FakeProvider, by = TAKER, block = 95n): void {
  provider.nonceAtFinality = 8;
  provider.inBlock.set(60n, [{ ...by, hash: txOf('before'), nonce: 6 }]);
  provider.inBlock.set(block, [by]);
}

test('a payment whose nonce was used by another transaction is held only if two providers show that transaction', async () => {
  const { network, envelope, first, second } = await stage();
  takenOn(first);
  assert.equal((await network.ask(envelope)).kind, 'unknown');
  second.down = true;
  assert.equal((await network.ask(envelope)).kind, 'unknown');
  second.down = false;
  takenOn(second, { ...TAKER, hash: txOf('another one') });
  assert.equal((await network.ask(envelope)).kind, 'unknown', 'they do not show the same');
  takenOn(second);
  const status = await network.ask(envelope);
  assert.deepEqual(status, {
    kind: 'held',
    reason: `its nonce was used by a transaction that was not signed here: ${TAKER.hash} in block 95`,
  });
  assert.ok(first.asked.includes('nonce 95') && first.asked.includes('nonce 94'), first.asked.join());
  assert.ok(first.asked.includes('full block 95'));
});

test('threat 42: if a nonce is used and has no receipt, nothing is reported until a provider shows the transaction that used it', async () => {
  for (const count of [1, 2]) {
    const providers = Array.from({ length: count }, () => fakeProvider());
    const { network, envelope, version, troubles } = await stage({ providers });
    const isOpen = async (why: string) =>
      assert.match((await network.ask(envelope)).kind, /^(unknown|pending)$/, why);
    for (const each of providers) each.nonceAtFinality = 8;
    await isOpen('a count at finality, and no block that shows it');
    for (const each of providers) takenOn(each, { ...TAKER, hash: version.hash as Hex });
    await isOpen('it is our own, and its receipt is behind');
    for (const each of providers) {
      takenOn(each);
      each.oldestState = 96n;
    }
    await isOpen('no provider has the state of the account at that time');
    for (const each of providers) Object.assign(each, { oldestState: 0n, finalized: 94n });
    await isOpen('the block is not final there');
    for (const each of providers) {
      each.finalized = 100n;
      each.before = (method) => {
        each.fork = method === 'full block 95' ? 'left behind' : 'main';
      };
    }
    await isOpen('the block is of another chain than the final one');
    for (const each of providers) each.before = () => undefined;
    assert.equal((await network.ask(envelope)).kind, 'held');
    assert.deepEqual(troubles, []);
  }
});

test('threat 42: a payment that one provider does not show is found at another provider', async () => {
  const { network, envelope, first, second, version, landOn, troubles } = await stage();
  takenOn(first, { ...TAKER, hash: version.hash as Hex });
  landOn(second);
  assert.equal((await network.ask(envelope)).kind, 'final');
  landOn(second, { success: false }, []);
  assert.deepEqual(await network.ask(envelope), { kind: 'unknown', reason: 'a provider is behind' });
  assert.deepEqual(troubles, []);
});

test('threat 45: a failure counts only if its block is on the final chain, even with one provider', async () => {
  for (const count of [1, 2]) {
    const providers = Array.from({ length: count }, () => fakeProvider());
    const { network, envelope, landOn } = await stage({ providers });
    for (const each of providers) {
      // A server on a fork still has a different block at that height, and a different server returns the final block.
      landOn(each, { success: false, blockHash: hashAt('left behind', 95n) }, []);
      each.before = (method) => {
        each.fork = method === 'block 95' ? 'left behind' : 'main';
      };
    }
    assert.equal((await network.ask(envelope)).kind, 'unknown');
    for (const each of providers)
      each.before = (method) => {
        each.fork = /^block \d/.test(method) ? 'left behind' : 'main';
      };
    assert.equal((await network.ask(envelope)).kind, 'unknown', 'all of its blocks are of that chain');
    for (const each of providers) {
      each.before = () => undefined;
      each.fork = 'main';
      landOn(each, { success: false }, []);
    }
    assert.equal((await network.ask(envelope)).kind, 'failed');
  }
});

test('threat 46: one provider is not enough for a large payment or for a failed one', async () => {
  const large = await stage({ amountMinor: 1_000_000n });
  large.landOn(large.first);
  assert.equal((await large.network.ask(large.envelope)).kind, 'unknown');
  assert.ok(large.troubles.some(({ message }) => /contradict/.test(message)));
  large.landOn(large.second);
  assert.equal((await large.network.ask(large.envelope)).kind, 'final');

  const small = await stage();
  small.landOn(small.first, { success: false }, []);
  assert.equal((await small.network.ask(small.envelope)).kind, 'unknown');
  small.landOn(small.second);
  assert.equal((await small.network.ask(small.envelope)).kind, 'unknown');
  small.landOn(small.second, { success: false }, []);
  const status = await small.network.ask(small.envelope);
  assert.deepEqual([status.kind, 'reason' in status && status.reason], ['failed', 'reverted']);
});

test('a payment waits for a lagging second provider without a warning', async () => {
  const { network, envelope, first, second, landOn, troubles } = await stage({ amountMinor: 1_000_000n });
  landOn(first);
  second.finalized = 94n;
  assert.equal((await network.ask(envelope)).kind, 'unknown');
  landOn(second);
  assert.equal((await network.ask(envelope)).kind, 'included');
  second.finalized = 95n;
  assert.equal((await network.ask(envelope)).kind, 'final');
  assert.deepEqual(troubles, []);
});

test('threat 45: a receipt whose block is not on the chain is not a proof', async () => {
  const { network, envelope, first, second, landOn } = await stage();
  for (const each of [first, second]) landOn(each, { blockHash: hashAt('other', 95n) });
  assert.equal((await network.ask(envelope)).kind, 'unknown');
});

test('a successful transaction with missing, wrong or extra transfers is held for review', async () => {
  const { network, envelope, first, second, landOn, log } = await stage();
  const wrong: EvmLog[][] = [
    [],
    [transferLog({ to: WALLET, amountMinor: 499n })],
    [transferLog({ to: WALLETS[1]!, amountMinor: 500n })],
    [log, log],
    [{ ...log, address: DISPERSE }],
  ];
  for (const logs of wrong) {
    for (const each of [first, second]) landOn(each, {}, logs);
    assert.equal((await network.ask(envelope)).kind, 'held', JSON.stringify(logs.length));
  }
});

test('a payment is stuck only after its time limit and only if all earlier nonces are used', async () => {
  const { network, envelope, first, second, pass } = await stage();
  assert.equal((await network.ask(envelope)).kind, 'pending');
  pass(60_001);
  assert.equal((await network.ask(envelope)).kind, 'stuck');
  for (const each of [first, second]) each.nonce = 6;
  assert.equal((await network.ask(envelope)).kind, 'pending');
});

test('a lagging or stalled provider does not make a payment count as stuck and does not hide it', async () => {
  const { network, envelope, second, landOn, pass, troubles } = await stage();
  pass(60_001);
  landOn(second, { block: 105n, blockHash: hashAt('main', 105n) });
  second.nonce = 8;
  assert.equal((await network.ask(envelope)).kind, 'pending');
  second.down = true;
  assert.equal((await network.ask(envelope)).kind, 'stuck');
  second.down = false;
  pass(11 * 60_000);
  assert.equal((await network.ask(envelope)).kind, 'included');
  assert.match(`${troubles.at(-1)?.detail.error}`, /not seen a new block for a long time/);
});

test('a replacement uses the same nonce, and the version that lands decides the outcome', async () => {
  const { network, envelope, first, second, log, version } = await stage();
  for (const each of [first, second]) each.baseFee = 5n * 10n ** 9n;
  const next = (await network.replace(envelope))!;
  assert.deepEqual([next.sequence, next.source], [version.sequence, version.source]);
  assert.notEqual(next.hash, version.hash);
  const cancelling = (await network.cancel({ ...envelope, versions: [version, next] }))!;
  assert.deepEqual(readPayload(cancelling.payload).items, []);
  const all = { ...envelope, versions: [version, next, cancelling] };
  first.receipts.set(next.hash, receiptOf(next.hash, [log]));
  const status = await network.ask(all);
  assert.ok(status.kind === 'final' && status.hash === next.hash);
  for (const each of [first, second]) {
    each.receipts.clear();
    each.receipts.set(cancelling.hash, receiptOf(cancelling.hash, []));
  }
  const cancelled = await network.ask(all);
  assert.deepEqual([cancelled.kind, 'reason' in cancelled && cancelled.reason], ['failed', 'cancelled']);
});
