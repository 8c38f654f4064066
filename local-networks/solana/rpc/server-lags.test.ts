// Tests servers behind one address with different lags. Each response comes from one server and contains the slot of that
// server, if a node returns a slot. A cache repeats the same not-found response.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callRaw, openTestNetwork } from '../test-network.ts';
import { beginServerLag, type ServerLag } from './server-lags.ts';

type Answer = Record<string, unknown>;

async function stage(context: Parameters<typeof openTestNetwork>[0]) {
  const network = await openTestNetwork(context, { finalizedAfterSlots: 8 });
  const { chain, faults, urls } = network;
  const call = async (method: string, params: unknown[] = [], provider: 0 | 1 = 0) =>
    (await callRaw(urls[provider], method, params)).result;
  const begin = (changes: Partial<ServerLag>) => {
    const beganAt = chain.slot;
    const slots = () => chain.slot - beganAt;
    return beginServerLag(faults, {
      paths: ['status'],
      providers: [0],
      servers: 'sticky',
      slots,
      ...changes,
    });
  };
  const statusOf = async (signature: string, provider: 0 | 1 = 0) => {
    const options = { searchTransactionHistory: true };
    const { context, value } = (await call('getSignatureStatuses', [[signature], options], provider)) as {
      readonly context: { readonly slot: number };
      readonly value: readonly (Answer | null)[];
    };
    return { slot: context.slot, found: value[0] !== null };
  };
  const signed = async () => network.pay({ to: await network.newOwner(), amountMinor: 5n });
  const land = async (payment: Awaited<ReturnType<typeof signed>>) => {
    await network.send(payment);
    chain.advance(20);
    return payment.signature;
  };
  return { chain, call, begin, statusOf, signed, land, paid: async () => land(await signed()) };
}

test('a lagging method returns its own slot, and the other methods return the current one', async (t) => {
  const { chain, call, begin, statusOf, paid } = await stage(t);
  const beganAt = chain.slot;
  const lag = begin({});
  const signature = await paid();
  assert.deepEqual(await statusOf(signature), { slot: beganAt, found: false });
  assert.equal(await call('getTransaction', [signature]), null);
  assert.deepEqual(await statusOf(signature, 1), { slot: chain.slot, found: true });
  const { absoluteSlot } = (await call('getEpochInfo')) as { readonly absoluteSlot: number };
  assert.equal(absoluteSlot, chain.slot - 8);
  assert.equal(lag.met(), 2);
  lag.clear();
  assert.deepEqual(await statusOf(signature), { slot: chain.slot, found: true });
});

test('two servers answer alternately or at random, and each returns its own slot', async (t) => {
  const { chain, begin, statusOf, paid } = await stage(t);
  for (const servers of ['switching', 'random'] as const) {
    const beganAt = chain.slot;
    const lag = begin({ servers });
    const signature = await paid();
    const turns: boolean[] = [];
    for (let turn = 0; turn < 12; turn++) {
      const { slot, found } = await statusOf(signature);
      assert.equal(slot, found ? chain.slot : beganAt);
      turns.push(found);
    }
    assert.equal(new Set(turns).size, 2);
    if (servers === 'switching') assert.ok(turns.every((found, index) => found === (index % 2 === 1)));
    lag.clear();
  }
});

test('a cache repeats only not-found answers, with their slot', async (t) => {
  const { begin, statusOf, signed, land, paid } = await stage(t);
  const lag = begin({ servers: 'cached' });
  const earlier = await paid();
  assert.ok((await statusOf(earlier)).found);
  const payment = await signed();
  const asked = await statusOf(payment.signature);
  assert.equal(asked.found, false);
  await land(payment);
  assert.deepEqual(await statusOf(payment.signature), asked);
  assert.ok((await statusOf(payment.signature, 1)).found);
  assert.ok((await statusOf(earlier)).found);
  lag.clear();
  assert.ok((await statusOf(payment.signature)).found);
});

test('blocks are listed and shown with their signatures, including votes, up to the provider’s slot', async (t) => {
  const { chain, call, begin, statusOf, paid } = await stage(t);
  const signature = await paid();
  const { slot } = chain.landed.find(signature)!.block;
  chain.advance(1, { skipped: true });
  chain.advance(20);
  const listed = (await call('getBlocksWithLimit', [slot, 3])) as readonly number[];
  assert.deepEqual(listed, [slot, slot + 1, slot + 2]);
  const options = { transactionDetails: 'signatures', rewards: false, maxSupportedTransactionVersion: 0 };
  const block = (await call('getBlock', [slot, options])) as {
    readonly blockHeight: number;
    readonly signatures: readonly string[];
  };
  const { height, vote } = chain.blocks.at(slot);
  assert.deepEqual([block.blockHeight, block.signatures], [height, [signature, vote]]);
  assert.ok((await statusOf(vote)).found);
  const newest = (await call('getBlocksWithLimit', [chain.slot - 12, 100])) as readonly number[];
  assert.equal(newest.at(-1), chain.slot - 8, 'only what is final');
  const lag = begin({ paths: ['history'], slots: () => 10_000 });
  assert.deepEqual(await call('getBlocksWithLimit', [slot, 3]), []);
  assert.equal(await call('getBlock', [slot, options]), undefined);
  lag.clear();
});
