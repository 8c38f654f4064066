// Tests that a slow network delays only its own payments; the responses of other networks are committed when they arrive. The
// lease of a send is longer than the calls that it covers. The service does not start a call that could outlast the lease.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { booksBalance } from '../../../../test/e2e/settled.ts';
import { until } from '../../../../test/support/patience.ts';
import { openSendStage } from '../../../../test/support/stages/sends.ts';
import type { Movement } from '../../../domain/records/movement.ts';
import type {
  BroadcastOutcome,
  SendStatus,
  SignedTransaction,
} from '../../../ports/networks/network-payer.ts';
import { networkLeaseMs } from '../../engine/leases.ts';

const { attemptsOf, leaseEnds, paidBuy, rig, sendOf } = await openSendStage();
const AVALANCHE = {
  network: 'Avalanche',
  address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
} as const;
const LATE: BroadcastOutcome = { kind: 'unknown', reason: 'no answer in time' };

const lastState = async (id: string) => {
  const send: Movement | undefined = await sendOf(id);
  return send && (await attemptsOf(send.id)).at(-1)?.state;
};
const isLast = (id: string, state: string) =>
  until(`${id} is ${state}`, async () => (await lastState(id)) === state, { everyMs: 10 });

test('while one network does not respond to a broadcast, the response of another network is committed', async () => {
  const [slow, quick] = [await paidBuy(), await paidBuy({ wallet: AVALANCHE })];
  const held = Promise.withResolvers<BroadcastOutcome>();
  leaseEnds();
  const process = rig.another({
    network: ({ name }) => (name === 'Polygon' ? { broadcast: () => held.promise } : {}),
  });
  const running = process.run();
  await isLast(quick.id, 'accepted');
  await isLast(slow.id, 'prepared');
  held.resolve(LATE);
  await running;
  assert.equal(await lastState(slow.id), 'unknown');
  for (const { id } of [slow, quick]) await rig.until(id, 'completed');
});

test('while one network does not tell whether a wallet can receive, the buys of another network are sent', async () => {
  const [slow, quick] = [await paidBuy(), await paidBuy({ wallet: AVALANCHE })];
  const held = Promise.withResolvers<'unknown'>();
  leaseEnds();
  const process = rig.another({
    network: ({ name }) => (name === 'Polygon' ? { recipientReady: () => held.promise } : {}),
  });
  const running = process.run();
  const SENT = ['sending', 'confirming', 'completed'];
  await until('the other one is sent', async () => SENT.includes((await rig.find(quick.id)).state));
  assert.equal((await rig.find(slow.id)).state, 'paid');
  held.resolve('unknown');
  await running;
  for (const { id } of [slow, quick]) await rig.until(id, 'completed');
});

test('one delayed query does not delay the settlement of the others, even on the same network', async () => {
  const buys = [await paidBuy(), await paidBuy(), await paidBuy({ wallet: AVALANCHE })];
  const [slow, ...quick] = buys as [(typeof buys)[number], ...typeof buys];
  await rig.run();
  for (const { id } of buys) assert.equal(await lastState(id), 'accepted');
  const [bytes] = await attemptsOf((await sendOf(slow.id)).id);
  const held = Promise.withResolvers<SendStatus>();
  leaseEnds();
  const process = rig.another({
    network: (real) => ({
      ask: async (envelope) =>
        envelope.versions[0]!.hash === bytes!.reference ? held.promise : real.ask(envelope),
    }),
  });
  const running = process.run();
  const states = () => Promise.all(quick.map(async ({ id }) => (await rig.find(id)).state));
  await until(
    'the others are completed',
    async () => (await states()).every((each) => each === 'completed'),
    {
      everyMs: 10,
    },
  );
  assert.equal(await lastState(slow.id), 'accepted');
  held.resolve({ kind: 'pending' });
  await running;
  await rig.until(slow.id, 'completed');
});

test('a buy whose lease ended while it waited is not signed: the next holder of the lease pays it once', async () => {
  const { id } = await paidBuy();
  const waiting = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  let signed = 0;
  leaseEnds();
  const late = rig.another({
    network: (real) => ({
      recipientReady: async (payment) => {
        waiting.resolve();
        await goOn.promise;
        return real.recipientReady(payment);
      },
      prepare: (payments, turn) => {
        signed += payments.length;
        return real.prepare(payments, turn);
      },
    }),
  });
  const running = late.run();
  await waiting.promise;
  leaseEnds();
  const other = rig.another();
  await other.run();
  assert.equal(await lastState(id), 'accepted');
  goOn.resolve();
  await running;
  assert.equal(signed, 0);
  const { length } = await attemptsOf((await sendOf(id)).id);
  assert.equal(length, 1);
  await rig.until(id, 'completed');
});

test('the lease of a send begins when its transaction is stored, and lasts for all its calls: no other process works on it', async () => {
  const { id } = await paidBuy();
  const held = Promise.withResolvers<BroadcastOutcome>();
  const answersWithinMs = 10_000;
  leaseEnds();
  const process = rig.another({
    network: (real) => ({
      answersWithinMs,
      prepare: async (payments, turn) => {
        rig.pass(14_000);
        return real.prepare(payments, turn);
      },
      broadcast: () => held.promise,
    }),
  });
  assert.equal(networkLeaseMs(process.deps), 25_000);
  const running = process.run();
  await isLast(id, 'prepared');
  const offered: SignedTransaction[] = [];
  const other = rig.another({
    network: (real) => ({
      answersWithinMs,
      broadcast: (prepared) => {
        offered.push(prepared);
        return real.broadcast(prepared);
      },
    }),
  });
  rig.pass(24_000);
  await other.run();
  assert.equal(offered.length, 0);
  held.resolve(LATE);
  await running;
  await rig.until(id, 'completed');
  assert.equal(await rig.network('Polygon').paidTimes((await sendOf(id)).id), 1);
});

test('a broadcast whose response could arrive after the lease is not started, and the stored transaction is due at once', async () => {
  const { id } = await paidBuy();
  const leftMs: number[] = [];
  let isFirst = true;
  leaseEnds();
  const slow = rig.another({
    network: (real) => ({
      answersWithinMs: 10_000,
      broadcast: async (prepared) => {
        leftMs.push((await sendOf(id)).dueAtMs! - rig.now());
        return real.broadcast(prepared);
      },
    }),
    store: (real) => ({
      commit: async (changes, feed) => {
        const outcomes = await real.commit(changes, feed);
        if (isFirst && changes.some(({ attempts }) => attempts !== undefined)) {
          isFirst = false;
          rig.pass(15_001);
        }
        return outcomes;
      },
    }),
  });
  await slow.run();
  assert.deepEqual(leftMs, [25_000], 'once, under the next lease');
  assert.equal((await attemptsOf((await sendOf(id)).id)).length, 1);
  await rig.until(id, 'completed');
});

test('the books balance after all tests', () => booksBalance({ foundation: rig } as never));
