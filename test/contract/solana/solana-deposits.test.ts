// Tests deposits and sweeps on the Solana contract chain. It covers tokens that arrive while a sweep is signed, other tokens,
// and addresses that only one provider shows as empty.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import type { Sighting } from '../../../src/ports/networks/network-observer.ts';
import { payment } from '../network/case.ts';
import { makePayer } from '../network/payer.ts';
import { arriving, untilConfirmed, watcherOf } from '../network/watcher.ts';
import { makeSolanaHarness, openSolanaServer, type SolanaHarness } from './solana-network.ts';

const server = await openSolanaServer();
after(() => server.close());
const IDLE = { lastSequence: null, live: 0, inFlightMinor: 0n };

test('threats 48 and 54: a deposit of another token is reported as such, with its own amount, once', async () => {
  const harness = await makeSolanaHarness(server);
  const watcher = await watcherOf(harness);
  const { id, deposit } = arriving(harness);
  const hash = await harness.deposit(id, { ...deposit, ourToken: false });
  const [sighting] = await watcher.until([hash]);
  const { address, amountMinor } = deposit;
  assert.partialDeepStrictEqual(sighting, {
    address,
    amountMinor,
    ourToken: false,
  } satisfies Partial<Sighting>);
  for (let step = 0; step < 12; step++) {
    await harness.pass();
    harness.passMs(61_000);
    const before = watcher.seen.size;
    await watcher.poll();
    assert.equal(watcher.seen.size, before);
  }
});

test('a deposit that is swept before it is observed is still found, even after a restart', async () => {
  const harness = await makeSolanaHarness(server);
  const watcher = await watcherOf(harness);
  const payer = makePayer(harness);
  const first = arriving(harness);
  const [sighting] = await watcher.until([await harness.deposit(first.id, first.deposit)]);
  await untilConfirmed(harness, sighting!);
  const second = arriving(harness, first.transactionId);
  const hash = await harness.deposit(second.id, second.deposit);
  for (let slot = 0; slot < 4; slot++) await harness.pass();
  const { native } = (await harness.network.treasury())!;
  const to = first.deposit.address;
  const sweep = payment(harness, { to, from: first.transactionId, about: first.transactionId });
  const [send] = await payer.signAll([sweep]);
  const status = await payer.settle(send!);
  assert.ok(status.kind === 'final');
  const after = (await harness.network.treasury())!.native.amountMinor;
  assert.equal(after - native.amountMinor, 2_039_280n - status.cost!.feeMinor, 'what opened it came back');
  assert.deepEqual(status.cost!.closed, [{ index: 0, amountMinor: 2_039_280n }]);
  assert.equal(await harness.received(first.deposit.address), 0n);
  const [late] = await watcher.until([hash], await harness.restarted());
  assert.equal(late!.amountMinor, second.deposit.amountMinor);
});

test('a deposit that arrives between signing and sweeping makes the sweep fail; the next sweep takes all tokens', async () => {
  const harness = await makeSolanaHarness(server);
  const watcher = await watcherOf(harness);
  const payer = makePayer(harness);
  const first = arriving(harness);
  const [sighting] = await watcher.until([await harness.deposit(first.id, first.deposit)]);
  await untilConfirmed(harness, sighting!);
  const { tokenMinor } = (await harness.network.treasury())!;
  const sweep = payment(harness, { to: first.deposit.address, from: first.transactionId });
  const [send] = (await payer.sign([sweep])).stored;
  const second = arriving(harness, first.transactionId);
  await harness.deposit(second.id, second.deposit);
  await harness.pass();
  await payer.broadcast(send!);
  assert.equal((await payer.settle(send!)).kind, 'failed');
  assert.equal((await payer.pay([{ ...sweep, alone: true }])).paid.length, 1);
  const { tokenMinor: after } = (await harness.network.treasury())!;
  assert.equal(after - tokenMinor, first.deposit.amountMinor + second.deposit.amountMinor);
});

async function depositAtHand(harness: SolanaHarness) {
  const coming = arriving(harness);
  const watcher = await watcherOf(harness);
  const [sighting] = await watcher.until([await harness.deposit(coming.id, coming.deposit)]);
  await untilConfirmed(harness, sighting!);
  const { address: to, amountMinor } = coming.deposit;
  return { to, amountMinor, sweep: payment(harness, { to, amountMinor, from: coming.transactionId }) };
}

test('threat 46: if one lagging provider shows the address as empty, the sweep does not count as finished', async () => {
  const harness = await makeSolanaHarness(server);
  const { network } = harness;
  server.chain.advance(120);
  const { to, amountMinor, sweep } = await depositAtHand(harness);
  const id = randomUUID();
  const never = payment(harness, { to: network.depositTarget(id).address, from: id });
  const UNSURE = {
    obstacle: 'network_unreachable',
    detail: 'a provider shows the deposit address empty, and no second provider confirms it',
  };
  server.faults.lag(100, { provider: 0 });
  const { envelopes, waiting } = await network.prepare([sweep, never], IDLE);
  assert.deepEqual(waiting, [{ orderId: sweep.orderId, ...UNSURE }]);
  // Both providers agree about an address that never received anything.
  assert.deepEqual(
    envelopes.map(({ orderIds }) => orderIds),
    [[never.orderId]],
  );
  server.faults.answerHttp(503, { provider: 1 });
  const alone = await network.prepare([sweep, never], IDLE);
  assert.deepEqual(
    [alone.envelopes, alone.waiting],
    [[], [sweep, never].map(({ orderId }) => ({ orderId, ...UNSURE }))],
  );
  server.faults.clear();
  assert.equal(await harness.received(to), amountMinor);
  assert.equal((await makePayer(harness).pay([sweep])).paid.length, 1);
  assert.equal(await harness.received(to), 0n);
});

test('with only one configured provider, its report that an address is empty is sufficient', async () => {
  const harness = await makeSolanaHarness(server);
  const network = await harness.open({ rpc: [harness.settings.rpc[0]!] });
  const id = randomUUID();
  const sweep = payment(harness, { to: network.depositTarget(id).address, from: id });
  const { envelopes, waiting } = await network.prepare([sweep], IDLE);
  assert.deepEqual([envelopes.length, waiting], [1, []]);
});

test('threat 49: a deposit address that belongs to another key is not swept and does not count as empty', async () => {
  const harness = await makeSolanaHarness(server);
  const { to, sweep } = await depositAtHand(harness);
  const changed = await harness.open({}, (signer) => ({
    ...signer,
    derivedPublicKey: (key, id) => signer.derivedPublicKey(key, `another ${id}`),
  }));
  const order = payment(harness, { to: await harness.wallet() });
  const { envelopes, waiting } = await changed.prepare([sweep, order], IDLE);
  assert.deepEqual(
    envelopes.map(({ orderIds }) => orderIds),
    [[order.orderId]],
  );
  const detail = `the deposit address ${to} was created with an earlier key named "treasury": its tokens can only be swept with that key`;
  assert.deepEqual(waiting, [{ orderId: sweep.orderId, obstacle: 'signing_refused', detail }]);
});
