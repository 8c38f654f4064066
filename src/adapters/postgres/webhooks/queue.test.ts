// Tests the queue of webhook deliveries and fan-out on PostgreSQL: leases, fences, two concurrent processes, and the events
// that an endpoint gets.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptance, SCOPE } from '../../../../test/http/store-fixtures.ts';
import { untilReadable } from '../../../../test/support/horizon.ts';
import {
  acceptSome,
  addTestEndpoint,
  deliveriesOf,
  fanOutDeps,
  LEASE_MS,
  OK,
  sendAll,
  spread,
  webhookStage,
} from '../../../../test/support/webhooks/stage.ts';
import { fanOutEvents } from '../../../app/webhooks/fan-out-events.ts';
import type { LeasedDelivery } from '../../../ports/webhooks.ts';
import { acceptBatch } from '../accept/accept-batch.ts';
import { makeDeliveryQueue } from './queue.ts';

const stage = await webhookStage();
const { clock, queue, fanOut } = stage;
const other = makeDeliveryQueue(stage.database);
const remove = (id: string) => stage.endpoints.remove(SCOPE, id, { actor: 'test', atMs: clock.now() });

const claim = (by = queue, changes: object = {}) =>
  by.claim({
    ...{ atMs: clock.now(), leaseUntilMs: clock.now() + LEASE_MS, rooms: new Map(), roomOfOthers: 100 },
    ...{ after: '', limit: 100, mostAttempts: 10 },
    ...changes,
  });

function delivered(leased: LeasedDelivery) {
  const attempt = {
    no: leased.no,
    atMs: clock.now(),
    durationMs: 1,
    status: 200,
    outcome: 'succeeded',
  } as const;
  return {
    ...{ delivery: leased, endpointId: leased.endpointId, next: { kind: 'delivered' } as const },
    ...{ attempt: { ...attempt, error: null, answer: '"quoted\\"' }, atMs: clock.now() },
  };
}

test('two processes share a queue: no delivery is leased twice, and an outcome after the end of its lease is not written', async () => {
  const id = await addTestEndpoint(stage);
  await acceptSome(stage, 40);
  await spread(stage);
  const [one, two] = await Promise.all([claim(queue, { limit: 20 }), claim(other, { limit: 20 })]);
  const ids = [...one, ...two].map((each) => each.id);
  assert.equal(new Set(ids).size, ids.length);
  await claim();
  assert.deepEqual(await claim(), [], 'all are leased');
  clock.nowMs += LEASE_MS;
  const again = await claim(other);
  assert.equal(again.length, 40);
  const outlived = one[0]!;
  assert.equal(await queue.settle(delivered(outlived)), undefined);
  assert.deepEqual(await stage.deliveries.attempts(outlived.id), []);
  for (const each of again) assert.ok(await other.settle(delivered(each)));
  assert.equal(await other.settle(delivered(again[0]!)), undefined, 'it is over');
  assert.equal((await stage.deliveries.attempts(outlived.id))[0]!.no, 2, 'the first attempt stays counted');
  await remove(id);
});

test('each endpoint gets only as many deliveries as it has room for, and the next claim continues with the next endpoint', async () => {
  const ids = [
    await addTestEndpoint(stage),
    await addTestEndpoint(stage),
    await addTestEndpoint(stage),
  ].sort();
  await acceptSome(stage, 5);
  await spread(stage);
  const rooms = new Map([
    [ids[0]!, 0],
    [ids[1]!, 1],
  ]);
  const counts = (leased: readonly LeasedDelivery[]) =>
    ids.map((id) => leased.filter(({ endpointId }) => endpointId === id).length);
  assert.deepEqual(counts(await claim(queue, { rooms, roomOfOthers: 2 })), [0, 1, 2]);
  assert.deepEqual(counts(await claim(queue, { after: ids[0]!, limit: 4 })), [0, 4, 0]);
  assert.deepEqual(counts(await claim(queue, { after: ids[2]!, limit: 7 })), [5, 0, 2]);
  clock.nowMs += LEASE_MS;
  const round = await claim(queue, { after: ids[1]!, roomOfOthers: 2 });
  assert.deepEqual(counts(round), [2, 2, 2], 'the end of the round counts what its beginning took');
  clock.nowMs += LEASE_MS;
  await sendAll(stage, () => OK);
  for (const id of ids) await remove(id);
});

test('fan-out in two processes creates each delivery once; the later process writes nothing', async () => {
  const id = await addTestEndpoint(stage, { events: ['transaction.*'] });
  const unwilling = await addTestEndpoint(stage, { events: ['refund.completed'] });
  const events = await acceptSome(stage, 10);
  await Promise.all([fanOutEvents(fanOutDeps(stage)), fanOutEvents(fanOutDeps(stage))]);
  await spread(stage);
  assert.deepEqual((await deliveriesOf(stage, id)).map(({ eventId }) => eventId).sort(), [...events].sort());
  assert.deepEqual(await deliveriesOf(stage, unwilling), []);
  const position = await fanOut.position();
  assert.equal(await fanOut.spread('elsewhere', 'nowhere', [], clock.now()), undefined);
  assert.equal(await fanOut.position(), position);
  await sendAll(stage, () => OK);
  await remove(id);
  await remove(unwilling);
});

test('an endpoint gets no event from before it was created, and every event after that, even if fan-out is behind', async () => {
  const early = await addTestEndpoint(stage);
  const before = await acceptSome(stage, 3);
  const late = await addTestEndpoint(stage);
  const after = await acceptSome(stage, 3);
  await spread(stage);
  const of = async (id: string) => (await deliveriesOf(stage, id)).map(({ eventId }) => eventId).sort();
  assert.deepEqual(await of(early), [...before, ...after].sort());
  assert.deepEqual(await of(late), [...after].sort());
  await remove(early);
  await remove(late);
});

test('without an endpoint the position moves to the end, and the next endpoint misses no event', async () => {
  await acceptSome(stage, 3);
  assert.deepEqual(await fanOutEvents(fanOutDeps(stage)), { deliveries: 0, more: false });
  assert.equal(await fanOut.position(), await stage.events.end());
  const id = await addTestEndpoint(stage);
  await acceptBatch(stage.database, [acceptance()]);
  await untilReadable(stage.database);
  assert.equal(await spread(stage), 1);
  await remove(id);
});

test('deleting an endpoint ends its deliveries; old finished deliveries are deleted with their attempts', async () => {
  const id = await addTestEndpoint(stage);
  await acceptSome(stage, 2);
  await spread(stage);
  const [leased] = await claim(queue, { limit: 1 });
  await queue.settle(delivered(leased!));
  await remove(id);
  assert.ok((await queue.endStranded(clock.now(), 100)) >= 1);
  const rows = await deliveriesOf(stage, id);
  assert.deepEqual(rows.map(({ state, reason }) => reason ?? state).sort(), [
    'delivered',
    'endpoint_deleted',
  ]);
  assert.equal(await stage.deliveries.find(SCOPE, leased!.id), undefined, 'it cannot be read any more');
  assert.deepEqual(await queue.depth(clock.now()), { due: 0, oldestDueMs: null });
  while ((await queue.forget(clock.now() + 1, 3)) > 0);
  assert.deepEqual(await deliveriesOf(stage, id), []);
  assert.deepEqual(await stage.deliveries.attempts(leased!.id), []);
});

test('a lease writes a row version that needs no new index entry', async () => {
  const id = await addTestEndpoint(stage);
  await acceptSome(stage, 1);
  await spread(stage);
  const inOne = await stage.database.transaction(async (client) => {
    await client.query(
      `update webhook_deliveries set leased_until = now(), fence = fence + 1, attempts = attempts + 1`,
    );
    const { rows } = await client.query<{ hot: number }>(
      `select pg_stat_get_xact_tuples_hot_updated('webhook_deliveries'::regclass)::int as hot`,
    );
    return rows[0]!.hot;
  });
  assert.ok(inOne >= 1);
  await remove(id);
});
