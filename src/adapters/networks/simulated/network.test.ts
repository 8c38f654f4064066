// What scenarios make a simulated network do to a send, its books, and a service's worth of payments under heavy
// trouble: by whatever way, every order ends paid exactly once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Payment, Prepared } from '../../../ports/network.ts';
import type { Scenario } from '../../../ports/sandbox.ts';
import { StoreUnavailable } from '../../../ports/store.ts';
import { simulatedBank } from '../../banks/simulated/bank.ts';
import { makeMemoryWorld } from '../../simulation/memory-world.ts';
import { makeSandbox } from '../../simulation/sandbox.ts';
import { makeSimulation } from '../../simulation/simulation.ts';
import { simulatedNetworks } from '../registry.ts';

const PACE_MS = 200;

function stage({ scenario = 'paid' as Scenario, seed = 'network', faultPercent = 0 } = {}) {
  const world = makeMemoryWorld();
  world.addPlay('txn_1', scenario, 0);
  let nowMs = Date.parse('2026-11-14T09:30:00Z');
  const options = { seed, faultPercent, paceMs: PACE_MS };
  const simulation = makeSimulation({ world, clock: { now: () => nowMs }, options });
  const networks = simulatedNetworks({ offCurve: 'accept' }, simulation);
  const payment: Payment = { orderId: 'mov_1', about: 'txn_1', to: 'somebody', amountMinor: 1_000n };
  return {
    world,
    networks,
    network: networks[0]!,
    sandbox: makeSandbox(simulatedBank(simulation), networks),
    payment,
    now: () => nowMs,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

test('send_fails: three tries are refused, the fourth lands', async () => {
  const { network, payment, pass } = stage({ scenario: 'send_fails' });
  const outcomes: string[] = [];
  let prepared: Prepared | undefined;
  for (let i = 0; i < 4; i++) {
    prepared = await network.prepare(payment);
    outcomes.push((await network.broadcast(prepared)).kind);
    // The same bytes again change nothing and count for nothing.
    assert.equal((await network.broadcast(prepared)).kind, outcomes.at(-1));
  }
  assert.deepEqual(outcomes, ['rejected', 'rejected', 'rejected', 'accepted']);
  pass(network.finalAfterMs);
  assert.equal((await network.ask(prepared!)).kind, 'final');
  assert.equal(await network.paidTimes('mov_1'), 1);
});

test('send_unknown: it lands, and nobody is told', async () => {
  const { network, payment, pass } = stage({ scenario: 'send_unknown' });
  const prepared = await network.prepare(payment);
  assert.equal((await network.broadcast(prepared)).kind, 'unknown');
  pass(network.finalAfterMs);
  assert.equal((await network.ask(prepared)).kind, 'final');
});

test('send_dropped: pending up to the bound and at it, dead behind it; the next try lands', async () => {
  const { network, payment, pass, now } = stage({ scenario: 'send_dropped' });
  const prepared = await network.prepare(payment);
  assert.equal((await network.broadcast(prepared)).kind, 'accepted');
  const boundMs = Number(prepared.bound);
  assert.ok(boundMs - now() <= 2_000, 'a tester does not wait long');
  for (const atMs of [now(), now() + 10 * 100, boundMs]) {
    pass(atMs - now());
    assert.equal((await network.ask(prepared)).kind, 'pending');
  }
  pass(1);
  assert.equal((await network.ask(prepared)).kind, 'dead');
  const anew = await network.prepare(payment);
  await network.broadcast(anew);
  pass(network.finalAfterMs);
  assert.equal((await network.ask(anew)).kind, 'final');
  assert.equal(await network.paidTimes('mov_1'), 1);
});

test('bytes that could not be included before their bound never are', async () => {
  const { network, payment, pass } = stage();
  const prepared = await network.prepare(payment);
  pass(Number(prepared.bound) - stage().now() - 1);
  assert.equal((await network.broadcast(prepared)).kind, 'accepted');
  pass(1);
  assert.equal((await network.ask(prepared)).kind, 'pending');
  pass(1);
  assert.equal((await network.ask(prepared)).kind, 'dead');
  assert.equal(await network.paidTimes('mov_1'), 0);
});

test('threat 42: bytes called dead never land, not even told by a process whose clock is behind', async () => {
  const { network, payment, pass, now, world } = stage();
  const options = { seed: 'network', faultPercent: 0, paceMs: PACE_MS };
  const startMs = now();
  const behind = makeSimulation({ world, clock: { now: () => startMs }, options });
  const prepared = await network.prepare(payment);
  pass(Number(prepared.bound) + 1 - startMs);
  assert.equal((await network.ask(prepared)).kind, 'dead');
  const late = await simulatedNetworks({ offCurve: 'accept' }, behind)[0]!.broadcast(prepared);
  assert.equal(late.kind, 'rejected');
  assert.equal((await network.ask(prepared)).kind, 'dead');
  assert.equal(await network.paidTimes('mov_1'), 0);
});

test('bytes that were tampered with are refused', async () => {
  const { network, payment } = stage();
  const prepared = await network.prepare(payment);
  const payload = prepared.payload.replace('1000', '9000');
  assert.equal((await network.broadcast({ ...prepared, payload })).kind, 'rejected');
  assert.equal(await network.paidTimes('mov_1'), 0);
});

test('no_trustline holds up only the network that has trustlines', async () => {
  const { networks, payment } = stage({ scenario: 'no_trustline' });
  const answers = await Promise.all(networks.map((each) => each.recipientReady(payment)));
  assert.deepEqual(answers, ['waiting', 'ready', 'ready', 'ready']);
});

test('the treasury holds what it had, less what was paid, plus what came in, once final', async () => {
  const { networks, network, sandbox, payment, pass } = stage();
  const opening = 10n ** 12n * 10n ** 7n;
  assert.equal(await network.treasuryMinor(), opening);
  await network.broadcast(await network.prepare(payment));
  const deposit = { network: 'Stellar', address: 'a', memo: null, amountMinor: 300n };
  await sandbox.deposit('d', deposit);
  await sandbox.deposit('d', deposit);
  assert.equal(await network.treasuryMinor(), opening);
  pass(3 * PACE_MS);
  assert.equal(await network.treasuryMinor(), opening - 1_000n + 300n);
  assert.equal(await networks[2]!.treasuryMinor(), 10n ** 14n);
  await assert.rejects(sandbox.deposit('e', { ...deposit, network: 'Elsewhere' }), /Elsewhere/);
});

test('a store that is away is a lost answer, a mistake is not', async () => {
  const { world, network, payment } = stage();
  const prepared = await network.prepare(payment);
  const { put } = world.transfers;
  world.transfers.put = () => Promise.reject(new StoreUnavailable('away', { mayHaveActed: true }));
  assert.equal((await network.broadcast(prepared)).kind, 'unknown');
  world.transfers.put = () => Promise.reject(new TypeError('a mistake'));
  await assert.rejects(network.broadcast(prepared), /a mistake/);
  world.transfers.put = put;
});

/** The least a service must do: never new bytes before the old ones are provably without effect. */
async function sendUntilPaid(stage_: ReturnType<typeof stage>, orders: readonly Payment[]) {
  const { network, pass } = stage_;
  const trail: string[] = [];
  const open = new Map<Payment, Prepared | undefined>(orders.map((order) => [order, undefined]));
  for (let round = 0; open.size > 0; round++) {
    assert.ok(round < 2_000, 'it never ends');
    for (const [order, current] of open) {
      const prepared = current ?? (await network.prepare(order));
      open.set(order, prepared);
      const told = current !== undefined && round % 5 !== 0 ? undefined : await network.broadcast(prepared);
      const { kind } = await network.ask(prepared);
      trail.push(`${order.orderId} ${told?.kind} ${kind}`);
      if (kind === 'final') open.delete(order);
      else if (kind === 'failed' || kind === 'dead') open.set(order, undefined);
    }
    pass(50);
  }
  return trail;
}

test('threats 40 to 45: under any trouble each order is paid once, and a seed repeats itself', async () => {
  for (const faultPercent of [5, 30, 60]) {
    const orders = Array.from({ length: 60 }, (_, index) => ({
      orderId: `mov_${index}`,
      about: null,
      to: 'somebody',
      amountMinor: 1_000n,
    }));
    const run = async () => {
      const stage_ = stage({ faultPercent, seed: `seed ${faultPercent}` });
      const trail = await sendUntilPaid(stage_, orders);
      for (const { orderId } of orders) assert.equal(await stage_.network.paidTimes(orderId), 1);
      const opening = 10n ** 19n;
      assert.equal(await stage_.network.treasuryMinor(), opening - 60n * 1_000n);
      return trail;
    };
    const trail = await run();
    assert.deepEqual(await run(), trail);
    for (const seen of ['unknown', 'rejected', 'dead', 'failed', 'included']) {
      if (faultPercent > 5)
        assert.ok(
          trail.some((text) => text.includes(seen)),
          seen,
        );
    }
  }
});
