// Tests rail events about payouts. An event only makes the service query the rail sooner. The content of an event never decides
// the outcome of a payout.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openRailRig } from '../../../test/support/rails/rail-rig.ts';
import { type ScriptedRail, scriptedRail } from '../../../test/support/rails/scripted-rail.ts';
import { makeEventQueue } from '../../adapters/postgres/rails/event-queue.ts';
import { makeSystemEntropy } from '../../adapters/system.ts';
import type { RailEvents } from '../../ports/rails/rail-events.ts';
import type { PayoutStatus } from '../../ports/rails/rail-payouts.ts';
import { watchEndedPayouts } from '../movements/payouts/watch-ended-payouts.ts';
import { receiveRailEvent } from '../rails/receive-rail-event.ts';

const rig = await openRailRig();
const queue = makeEventQueue(rig.database);
const LOST: PayoutStatus = { kind: 'unknown', reason: 'the answer was lost' };

const EVENTS: RailEvents = {
  places: ['bank'],
  isProven: () => true,
  read: (body) => {
    const [about = '', isPaid] = Buffer.from(body).toString().split(' ');
    return { kind: 'payout', type: 'transfer', about, isPaid: isPaid === 'paid' };
  },
  answer: () => ({}),
  verify: async () => ({ kind: 'unknown', why: 'not asked' }),
};

async function stageOf(name: string, ...acts: NonNullable<Parameters<typeof scriptedRail>[1]>) {
  const scripted = scriptedRail(name, acts);
  const rail = { ...scripted.rail, pace: { ...scripted.rail.pace, askAfterMs: 3_600_000 }, events: EVENTS };
  const sending: ScriptedRail = { ...scripted, rail };
  await rig.fund([sending]);
  const process = rig.process([sending]);
  const sell = await rig.depositedSell();
  await process.run();
  const { movement, attempts } = await rig.payoutOf(sell);
  const deps = {
    ...{
      banks: process.deps.banks,
      railEvents: queue,
      clock: { now: rig.now },
      entropy: makeSystemEntropy(),
    },
    ...{ digest: (bytes: Uint8Array) => Buffer.from(bytes).toString('hex'), onForged: () => undefined },
    onReceived: () => undefined,
  };
  const send = (text: string) =>
    receiveRailEvent(deps, 'bank', { body: Buffer.from(text), headers: {}, address: '192.0.2.1' });
  const reference = attempts.at(-1)!.reference!;
  const endedDue = async () =>
    (
      await rig.rows<{ due: boolean }>(
        'select due_at <= $2 as due from ended_payouts where movement_id = $1',
        movement.id,
        new Date(rig.now()),
      )
    )[0]?.due;
  const stateNow = async () => (await rig.payoutOf(sell)).movement.state;
  return { scripted, process, reference, send, endedDue, stateNow };
}

test('an event about a payout with an open outcome causes a query to the rail, and the response counts', async () => {
  const { scripted, process, reference, send, stateNow } = await stageOf('hurried', LOST);
  assert.equal(await stateNow(), 'unknown');
  const asked = scripted.asked.length;
  await send(`${reference} paid`);
  await process.run();
  assert.equal(scripted.asked.length, asked, 'not before our own call had time to end');
  rig.pass(2_000);
  await process.run();
  assert.equal(scripted.asked.length, asked + 1);
  assert.equal(await stateNow(), 'unknown', 'the rail does not know it, whatever the event says');
});

test('an event about a payout of another rail, or about an unknown payout, changes nothing', async () => {
  const one = await stageOf('one-rail', LOST);
  const other = await stageOf('other-rail', LOST);
  await other.send(`${one.reference} paid`);
  await other.send('mov-00000000000000000000000000 paid');
  await other.send('salary failed');
  rig.pass(2_000);
  await other.process.run();
  assert.deepEqual([one.scripted.asked, other.scripted.asked], [[], []]);
  assert.deepEqual(
    await rig.rows('select distinct state, outcome from rail_events where rail = $1', 'other-rail'),
    [{ state: 'done', outcome: 'nothing to ask about' }],
  );
});

test('a finished payout is queried early only if the event reports another outcome', async () => {
  const { scripted, process, reference, send, endedDue, stateNow } = await stageOf('ended');
  assert.equal(await stateNow(), 'done');
  await send(`${reference} paid`);
  rig.pass(2_000);
  await process.run();
  assert.equal(await endedDue(), false, 'the usual event after a payout uses up no look');
  await send(`${reference} reversed`);
  rig.pass(2_000);
  await process.run();
  assert.equal(await endedDue(), true);
  const asked = scripted.asked.length;
  assert.deepEqual(await watchEndedPayouts(process.deps), { asked: 1, news: 0 });
  assert.equal(scripted.asked.length, asked + 1);
  assert.equal(await stateNow(), 'done', 'the rail says that it is paid');
});
