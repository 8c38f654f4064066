// What every network adapter must do, as tests. A harness brings a network, its time and its troubles; a case that a
// network cannot meet (no trustlines, say) is skipped there.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import type { Network, Payment, Prepared, SendStatus } from '../../src/ports/network.ts';
import { observerContract } from './network-observer.ts';

export type BroadcastTrouble =
  | 'no_connection'
  | 'answer_lost'
  | 'dropped'
  | 'reorganised'
  | 'rejected'
  | 'fails';

export interface NetworkHarness {
  readonly network: Network;
  /** Another adapter on the same network, as after a restart. */
  restarted(): Network;
  /** A destination the network accepts. */
  readonly wallet: string;
  /** What the next broadcast of these bytes meets. */
  trouble(prepared: Prepared, kind: BroadcastTrouble): void;
  /** Time passes: until these bytes can no longer land; a good while, in small steps. */
  untilExpired(prepared: Prepared): void;
  untilFinal(step: () => Promise<void>): Promise<void>;
  /** How often an order was really paid. */
  paidTimes(orderId: string): Promise<number>;
  /** Tokens arrive from outside; again under the same id, the network tells of the same transfer again. */
  deposit(
    id: string,
    deposit: { address: string; memo: string | null; amountMinor: bigint; ourToken?: boolean },
  ): Promise<string>;
  /** A payment whose wallet cannot receive yet; it will be able to after a while. */
  unready?(payment: Payment): Promise<Payment>;
  /** The next deposit of this id is taken back by the network for good. */
  willBeGone?(id: string): void;
}

export function networkContract(
  name: string,
  makeHarness: () => NetworkHarness | Promise<NetworkHarness>,
): void {
  const contract = (title: string, run: (harness: NetworkHarness, t: TestContext) => Promise<void>) =>
    test(`${name}: ${title}`, async (t) => run(await makeHarness(), t));
  const payment = ({ wallet }: NetworkHarness): Payment => ({
    orderId: `mov_${randomUUID()}`,
    about: null,
    to: wallet,
    amountMinor: 15_000_00n,
  });
  const watch = async (harness: NetworkHarness, prepared: Prepared): Promise<SendStatus['kind'][]> => {
    const kinds: SendStatus['kind'][] = [];
    await harness.untilFinal(async () => {
      const { kind } = await harness.network.ask(prepared);
      if (kind !== kinds.at(-1)) kinds.push(kind);
    });
    return kinds;
  };

  contract('a payment is pending, included, final, and paid once', async (harness) => {
    const order = payment(harness);
    const prepared = await harness.network.prepare(order);
    assert.equal(harness.network.checkAddress(prepared.source).ok, false, 'the treasury is no destination');
    assert.deepEqual(await harness.network.broadcast(prepared), { kind: 'accepted' });
    assert.deepEqual(await watch(harness, prepared), ['pending', 'included', 'final']);
    assert.equal(await harness.paidTimes(order.orderId), 1);
  });

  contract('two equal payments of two orders are two hashes, and both are paid', async (harness) => {
    const [a, b] = [payment(harness), payment(harness)];
    const prepared = await Promise.all([a, b].map((order) => harness.network.prepare(order)));
    assert.notEqual(prepared[0]!.hash, prepared[1]!.hash);
    await Promise.all(prepared.map((each) => harness.network.broadcast(each)));
    for (const each of prepared) assert.equal((await watch(harness, each)).at(-1), 'final');
    assert.equal(await harness.paidTimes(a.orderId), 1);
    assert.equal(await harness.paidTimes(b.orderId), 1);
  });

  contract('threat 40: the same bytes broadcast again, at once and later, pay once', async (harness) => {
    const order = payment(harness);
    const prepared = await harness.network.prepare(order);
    const elsewhere = harness.restarted();
    const outcomes = await Promise.all([
      ...Array.from({ length: 5 }, () => harness.network.broadcast(prepared)),
      ...Array.from({ length: 5 }, () => elsewhere.broadcast(prepared)),
    ]);
    for (const outcome of outcomes) assert.deepEqual(outcome, { kind: 'accepted' });
    assert.equal((await watch(harness, prepared)).at(-1), 'final');
    assert.deepEqual(await elsewhere.broadcast(prepared), { kind: 'accepted' });
    assert.equal((await harness.network.ask(prepared)).kind, 'final');
    assert.equal(await harness.paidTimes(order.orderId), 1);
  });

  contract(
    'threat 40: bytes never broadcast are dead after their bound, not before, and stay so',
    async (harness) => {
      const order = payment(harness);
      const prepared = await harness.network.prepare(order);
      assert.match((await harness.network.ask(prepared)).kind, /^(pending|unknown)$/);
      harness.untilExpired(prepared);
      assert.equal((await harness.network.ask(prepared)).kind, 'dead');
      assert.notEqual((await harness.restarted().broadcast(prepared)).kind, 'accepted');
      assert.equal((await watch(harness, prepared)).join(), 'dead');
      assert.equal(await harness.paidTimes(order.orderId), 0);
    },
  );

  contract(
    'a death proven while the bytes are on their way: either they landed or they never do',
    async (harness) => {
      const order = payment(harness);
      const prepared = await harness.network.prepare(order);
      harness.untilExpired(prepared);
      const [asked, told] = await Promise.all([
        harness.restarted().ask(prepared),
        harness.network.broadcast(prepared),
      ]);
      assert.equal(asked.kind, 'dead');
      assert.notEqual(told.kind, 'accepted');
      assert.equal(await harness.paidTimes(order.orderId), 0);
    },
  );

  contract(
    'threat 41: after a crash behind the broadcast another process finds it by its hash',
    async (harness) => {
      const order = payment(harness);
      const prepared = await harness.network.prepare(order);
      await harness.network.broadcast(prepared);
      const found: string[] = [];
      const other = harness.restarted();
      await harness.untilFinal(async () => {
        found.push((await other.ask(prepared)).kind);
      });
      assert.equal(found.at(-1), 'final');
      assert.equal(await harness.paidTimes(order.orderId), 1);
    },
  );

  contract(
    'threat 42: an error although it landed is unknown, and asking finds it final',
    async (harness) => {
      const order = payment(harness);
      const prepared = await harness.network.prepare(order);
      harness.trouble(prepared, 'answer_lost');
      assert.equal((await harness.network.broadcast(prepared)).kind, 'unknown');
      assert.deepEqual(await harness.network.broadcast(prepared), { kind: 'accepted' });
      assert.equal((await watch(harness, prepared)).at(-1), 'final');
      assert.equal(await harness.paidTimes(order.orderId), 1);
    },
  );

  contract(
    'threat 42: a connection that failed is unknown; the same bytes again pay once',
    async (harness) => {
      const order = payment(harness);
      const prepared = await harness.network.prepare(order);
      harness.trouble(prepared, 'no_connection');
      assert.equal((await harness.network.broadcast(prepared)).kind, 'unknown');
      assert.match((await harness.network.ask(prepared)).kind, /^(pending|unknown)$/);
      assert.deepEqual(await harness.network.broadcast(prepared), { kind: 'accepted' });
      assert.equal((await watch(harness, prepared)).at(-1), 'final');
      assert.equal(await harness.paidTimes(order.orderId), 1);
    },
  );

  contract(
    'threat 42: a dropped payment is dead only after its bound; new bytes then pay once',
    async (harness) => {
      const order = payment(harness);
      const prepared = await harness.network.prepare(order);
      harness.trouble(prepared, 'dropped');
      assert.deepEqual(await harness.network.broadcast(prepared), { kind: 'accepted' });
      const boundMs = Number(prepared.bound);
      assert.ok(Number.isFinite(boundMs) || prepared.bound === null);
      assert.equal((await harness.network.ask(prepared)).kind, 'pending');
      harness.untilExpired(prepared);
      assert.equal((await harness.network.ask(prepared)).kind, 'dead');
      const anew = await harness.network.prepare(order);
      assert.notEqual(anew.hash, prepared.hash);
      assert.notEqual(anew.payload, prepared.payload);
      await harness.network.broadcast(anew);
      assert.equal((await watch(harness, anew)).at(-1), 'final');
      assert.equal((await harness.network.ask(prepared)).kind, 'dead');
      assert.equal(await harness.paidTimes(order.orderId), 1);
    },
  );

  contract(
    'threat 45: a reorganised payment is included, pending again, and in the end final',
    async (harness) => {
      const order = payment(harness);
      const prepared = await harness.network.prepare(order);
      harness.trouble(prepared, 'reorganised');
      assert.deepEqual(await harness.network.broadcast(prepared), { kind: 'accepted' });
      const kinds = await watch(harness, prepared);
      assert.deepEqual(kinds, ['pending', 'included', 'pending', 'included', 'final']);
      assert.equal(await harness.paidTimes(order.orderId), 1);
    },
  );

  contract(
    'a payment that fails finally paid nothing, and says so only when it is final',
    async (harness) => {
      const order = payment(harness);
      const prepared = await harness.network.prepare(order);
      harness.trouble(prepared, 'fails');
      assert.deepEqual(await harness.network.broadcast(prepared), { kind: 'accepted' });
      assert.deepEqual(await watch(harness, prepared), ['pending', 'included', 'failed']);
      assert.equal(await harness.paidTimes(order.orderId), 0);
    },
  );

  contract('rejected bytes did nothing and never will, however often they are sent', async (harness) => {
    const order = payment(harness);
    const prepared = await harness.network.prepare(order);
    harness.trouble(prepared, 'rejected');
    assert.equal((await harness.network.broadcast(prepared)).kind, 'rejected');
    assert.equal((await harness.network.broadcast(prepared)).kind, 'rejected');
    assert.equal((await watch(harness, prepared)).at(-1), 'dead');
    assert.equal(await harness.paidTimes(order.orderId), 0);
  });

  contract('threat 37: a wallet that cannot receive is waited for, and then is ready', async (harness, t) => {
    assert.equal(await harness.network.recipientReady(payment(harness)), 'ready');
    if (harness.unready === undefined) return t.skip('every wallet can receive here');
    const order = await harness.unready(payment(harness));
    const answers = new Set<string>();
    await harness.untilFinal(async () => {
      answers.add(await harness.network.recipientReady(order));
    });
    assert.deepEqual([...answers], ['waiting', 'ready']);
  });

  observerContract(contract);
}
