// Tests the effect of scenarios on a send, the balance of a simulated network, and many payments under heavy faults. Every
// order must be paid exactly once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeMemoryWorld } from '../../../../test/support/memory-world.ts';
import type { Network } from '../../../ports/networks/network.ts';
import type { Payment, SignedTransaction } from '../../../ports/networks/network-payer.ts';
import type { Scenario } from '../../../ports/sandbox.ts';
import { StoreUnavailable } from '../../../ports/store/store.ts';
import { makeSimulatedBank } from '../../rails/simulated/bank.ts';
import { makeSandbox } from '../../simulation/sandbox.ts';
import { makeSimulation } from '../../simulation/simulation.ts';
import { makeSimulatedNetworks, NETWORK_ROWS } from '../registry.ts';
import { familyLooksOf } from './family-looks.ts';

const PACE_MS = 200;

const TURN = { lastSequence: null, live: 0, inFlightMinor: 0n };
type Signed = SignedTransaction & { readonly orderIds: readonly string[] };

async function sign(network: Network, ...payments: readonly Payment[]): Promise<Signed> {
  const { envelopes, waiting } = await network.prepare(payments, TURN);
  assert.deepEqual([envelopes.length, waiting], [1, []]);
  return envelopes[0]!;
}

function ask(network: Network, signed: Signed) {
  return network.ask({ versions: [signed], orderIds: signed.orderIds });
}

function stage({ scenario = 'paid' as Scenario, seed = 'network', faultPercent = 0, batch = 1 } = {}) {
  const world = makeMemoryWorld();
  world.addPlay('txn_1', scenario, 0);
  let nowMs = Date.parse('2026-11-14T09:30:00Z');
  const options = { seed, faultPercent, paceMs: PACE_MS, batch };
  const simulation = makeSimulation({ world, clock: { now: () => nowMs }, options });
  const networks = makeSimulatedNetworks({ offCurve: 'accept' }, simulation);
  const payment: Payment = { ...order(1), about: 'txn_1' };
  return {
    world,
    networks,
    network: networks[0]!,
    sandbox: makeSandbox(makeSimulatedBank(simulation), networks),
    payment,
    now: () => nowMs,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

const order = (number: number): Payment => ({
  orderId: `mov_${number}`,
  about: null,
  to: `wallet ${number}`,
  amountMinor: 1_000n,
  alone: false,
  opensAccount: true,
  from: null,
});

test('send_fails: three attempts are refused, the fourth lands', async () => {
  const { network, payment, pass } = stage({ scenario: 'send_fails' });
  const outcomes: string[] = [];
  let prepared: Signed | undefined;
  for (let i = 0; i < 4; i++) {
    prepared = await sign(network, payment);
    outcomes.push((await network.broadcast(prepared)).kind);
    // A repeated broadcast of the same bytes does not count as another attempt.
    assert.equal((await network.broadcast(prepared)).kind, outcomes.at(-1));
  }
  assert.deepEqual(outcomes, ['rejected', 'rejected', 'rejected', 'accepted']);
  pass(network.finalAfterMs);
  assert.equal((await ask(network, prepared!)).kind, 'final');
  assert.equal(await network.paidTimes('mov_1'), 1);
});

test('send_unknown: the payment lands, but the response is lost', async () => {
  const { network, payment, pass } = stage({ scenario: 'send_unknown' });
  const prepared = await sign(network, payment);
  assert.equal((await network.broadcast(prepared)).kind, 'unknown');
  pass(network.finalAfterMs);
  assert.equal((await ask(network, prepared)).kind, 'final');
});

test('send_dropped: the payment is pending until its expiry and dead after it, and the next attempt lands', async () => {
  const { network, payment, pass, now } = stage({ scenario: 'send_dropped' });
  const prepared = await sign(network, payment);
  assert.equal((await network.broadcast(prepared)).kind, 'accepted');
  const boundMs = Number(prepared.bound);
  assert.ok(boundMs - now() <= 2_000, 'a tester does not wait long');
  for (const atMs of [now(), now() + 10 * 100, boundMs]) {
    pass(atMs - now());
    assert.equal((await ask(network, prepared)).kind, 'pending');
  }
  pass(1);
  assert.equal((await ask(network, prepared)).kind, 'dead');
  const anew = await sign(network, payment);
  await network.broadcast(anew);
  pass(network.finalAfterMs);
  assert.equal((await ask(network, anew)).kind, 'final');
  assert.equal(await network.paidTimes('mov_1'), 1);
});

test('a transaction that could not be included before its expiry is never included', async () => {
  const { network, payment, pass } = stage();
  const prepared = await sign(network, payment);
  pass(Number(prepared.bound) - stage().now() - 1);
  assert.equal((await network.broadcast(prepared)).kind, 'accepted');
  pass(1);
  assert.equal((await ask(network, prepared)).kind, 'pending');
  pass(1);
  assert.equal((await ask(network, prepared)).kind, 'dead');
  assert.equal(await network.paidTimes('mov_1'), 0);
});

test('threat 42: a transaction that was reported as dead never lands, even if a process with a slow clock broadcasts it', async () => {
  const { network, payment, pass, now, world } = stage();
  const options = { seed: 'network', faultPercent: 0, paceMs: PACE_MS };
  const startMs = now();
  const behind = makeSimulation({ world, clock: { now: () => startMs }, options });
  const prepared = await sign(network, payment);
  pass(Number(prepared.bound) + 1 - startMs);
  assert.equal((await ask(network, prepared)).kind, 'dead');
  const late = await makeSimulatedNetworks({ offCurve: 'accept' }, behind)[0]!.broadcast(prepared);
  assert.equal(late.kind, 'rejected');
  assert.equal((await ask(network, prepared)).kind, 'dead');
  assert.equal(await network.paidTimes('mov_1'), 0);
});

test('a transaction that was changed after signing is never paid', async () => {
  const { network, payment } = stage();
  const prepared = await sign(network, payment);
  const payload = prepared.payload.replace('1000', '9000');
  assert.equal(
    (await network.broadcast({ ...prepared, payload })).kind,
    'unknown',
    'a refusal proves nothing',
  );
  assert.equal(await network.paidTimes('mov_1'), 0);
});

test('no_trustline delays only payments on the network with trustlines', async () => {
  const { networks, payment } = stage({ scenario: 'no_trustline' });
  const answers = await Promise.all(networks.map((each) => each.recipientReady(payment)));
  assert.deepEqual(answers, ['waiting', 'ready', 'ready', 'ready']);
});

test('the balance of the treasury counts final payments and final deposits', async () => {
  const { networks, network, sandbox, payment, pass } = stage();
  const opening = 10n ** 12n * 10n ** 7n;
  assert.equal(await network.treasuryMinor(), opening);
  await network.broadcast(await sign(network, payment));
  const deposit = { network: 'Stellar', address: 'a', memo: null, amountMinor: 300n };
  await sandbox.deposit('d', deposit);
  await sandbox.deposit('d', deposit);
  assert.equal(await network.treasuryMinor(), opening);
  pass(3 * PACE_MS);
  assert.equal(await network.treasuryMinor(), opening - 1_000n + 300n);
  assert.equal(await networks[2]!.treasuryMinor(), 10n ** 14n);
  await assert.rejects(sandbox.deposit('e', { ...deposit, network: 'Elsewhere' }), /Elsewhere/);
});

test('an unreachable store counts as a lost response; a programming error is thrown', async () => {
  const { world, network, payment } = stage();
  const prepared = await sign(network, payment);
  const { put } = world.transfers;
  world.transfers.put = () => Promise.reject(new StoreUnavailable('away', { mayHaveActed: true }));
  assert.equal((await network.broadcast(prepared)).kind, 'unknown');
  world.transfers.put = () => Promise.reject(new TypeError('a mistake'));
  await assert.rejects(network.broadcast(prepared), /a mistake/);
  world.transfers.put = put;
});

/** The minimum that a service must do: it signs new bytes only after a proof that the old bytes can no longer pay. */
async function sendUntilPaid(stage_: ReturnType<typeof stage>, orders: readonly Payment[]) {
  const { network, pass } = stage_;
  const trail: string[] = [];
  let due = orders;
  const open = new Set<Signed>();
  for (let round = 0; open.size + due.length > 0; round++) {
    assert.ok(round < 2_000, 'it never ends');
    const { envelopes } = await network.prepare(due, TURN);
    due = [];
    for (const signed of [...open, ...envelopes]) {
      const outcome = open.has(signed) && round % 5 !== 0 ? undefined : await network.broadcast(signed);
      open.add(signed);
      const status = await ask(network, signed);
      const unpaid = status.kind === 'final' ? status.unpaid.map(({ index }) => index) : [];
      trail.push(`${signed.orderIds.join()} ${outcome?.kind} ${status.kind} ${unpaid.join()}`);
      if (status.kind !== 'final' && status.kind !== 'failed' && status.kind !== 'dead') continue;
      open.delete(signed);
      const again = signed.orderIds.filter((_, index) => status.kind !== 'final' || unpaid.includes(index));
      due = [...due, ...orders.filter(({ orderId }) => again.includes(orderId))];
    }
    pass(50);
  }
  return trail;
}

for (const batch of [1, 7]) {
  test(`threats 40 to 45: with any faults and up to ${batch} orders per transaction, each order is paid once, and the same seed gives the same run`, async () => {
    for (const faultPercent of [5, 30, 60]) {
      const orders = Array.from({ length: 60 * batch }, (_, index) => order(index));
      const run = async () => {
        const stage_ = stage({ faultPercent, seed: `seed ${faultPercent}`, batch });
        const trail = await sendUntilPaid(stage_, orders);
        for (const { orderId } of orders) assert.equal(await stage_.network.paidTimes(orderId), 1);
        const opening = 10n ** 19n;
        assert.equal(await stage_.network.treasuryMinor(), opening - 60n * BigInt(batch) * 1_000n);
        return trail;
      };
      const trail = await run();
      assert.deepEqual(await run(), trail);
      if (faultPercent === 5) continue;
      const wanted = [/unknown/, /rejected/, /dead/, /failed/, /included/];
      if (batch > 1) wanted.push(/final \d$/);
      for (const seen of wanted)
        assert.ok(
          trail.some((text) => seen.test(text)),
          `${seen}`,
        );
    }
  });
}

test('payments share a transaction up to the batch size, except payments that must be alone and payments with a scenario', async () => {
  const { network, payment } = stage({ batch: 3 });
  const orders = [order(2), payment, order(3), { ...order(4), alone: true }, order(5), order(6)];
  const { envelopes } = await network.prepare(orders, TURN);
  assert.deepEqual(
    envelopes.map(({ orderIds }) => orderIds.join()),
    ['mov_2,mov_3,mov_5', 'mov_1', 'mov_4', 'mov_6'],
  );
  const plain = await stage().network.prepare(orders, TURN);
  assert.equal(plain.envelopes.length, orders.length);
  await assert.rejects(network.prepare([{ ...order(7), from: 'txn_7' }], TURN), /deposits come to/);
});

test('payments wait while the store cannot tell whether they have a scenario', async () => {
  const { network, world } = stage({ batch: 3 });
  world.plays.scenarioOf = () => Promise.reject(new StoreUnavailable('away', { mayHaveActed: false }));
  const { envelopes, waiting } = await network.prepare([{ ...order(2), about: 'txn_2' }, order(3)], TURN);
  assert.deepEqual(envelopes, []);
  assert.deepEqual(
    waiting.map(({ orderId, obstacle }) => `${orderId} ${obstacle}`),
    ['mov_2 network_unreachable', 'mov_3 network_unreachable'],
  );
});

test('if the transaction of several orders is changed or dead, none of these orders is paid', async () => {
  const { network, world, now, pass } = stage({ batch: 3 });
  const orders = [order(2), order(3), order(4)];
  const bytes = await sign(network, ...orders);
  const payload = bytes.payload.replace('wallet 4', 'wallet 5');
  assert.equal((await network.broadcast({ ...bytes, payload })).kind, 'unknown');
  const startMs = now();
  pass(Number(bytes.bound) + 1 - startMs);
  assert.equal((await ask(network, bytes)).kind, 'dead');
  const options = { seed: 'network', faultPercent: 0, paceMs: PACE_MS };
  const behind = makeSimulation({ world, clock: { now: () => startMs }, options });
  const late = await makeSimulatedNetworks({ offCurve: 'accept' }, behind)[0]!.broadcast(bytes);
  assert.equal(late.kind, 'rejected');
  for (const { orderId } of orders) assert.equal(await network.paidTimes(orderId), 0);
});

test('a transaction in the old format with a single order is still valid', async () => {
  const { network, payment, pass } = stage();
  const signed = await sign(network, payment);
  const { orders, ...rest } = JSON.parse(signed.payload);
  const payload = JSON.stringify({ ...rest, ...orders[0] });
  const hash = familyLooksOf({ ...NETWORK_ROWS[0]!, offCurve: 'accept' }).transactionHash('payment', payload);
  assert.equal((await network.broadcast({ ...signed, hash, payload })).kind, 'accepted');
  pass(network.finalAfterMs);
  assert.equal((await ask(network, { ...signed, hash, payload })).kind, 'final');
});

test('a deposit of another token is flagged', async () => {
  const { network } = stage();
  await network.arrive('d', { address: 'a', memo: null, amountMinor: 1n, ourToken: false });
  const watch = { recent: async () => [], ours: async () => new Set<string>() };
  const { sightings, unreadable } = await network.observe(null, watch);
  assert.deepEqual([sightings.map(({ ourToken }) => ourToken), unreadable], [[false], []]);
});
