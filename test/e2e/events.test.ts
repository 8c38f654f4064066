// Tests events from acceptance to the end, over HTTP. The list, the stream of a business and the stream of a transaction agree,
// and each event shows the transaction at that time.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openStream, type Received, type StreamClient } from '../support/event-stream.ts';
import { untilReadable } from '../support/horizon.ts';
import { until } from '../support/patience.ts';
import { startTestService } from '../support/service.ts';
import { buy, FAST, newCustomer, pay, read, sell, timelineOf } from './calls.ts';
import { type Shown, settled } from './settled.ts';

const service = await startTestService(FAST);
const { business, baseUrl } = service;
const other = await service.addBusiness('other');
const streams: StreamClient[] = [];
after(() => {
  for (const stream of streams) stream.close();
});

async function streamed(path: string, options: { key?: string; lastEventId?: string } = {}) {
  const stream = await openStream(`${baseUrl}${path}`, { key: business.testKey, ...options });
  streams.push(stream);
  assert.equal(stream.status, 200, stream.text);
  return stream;
}

const typesOf = (events: readonly Shown[]) => events.map(({ type }) => type);
const dataOf = (received: readonly Received[]) => received.map(({ data }) => data);

async function eventsOf(id: string): Promise<Shown[]> {
  await untilReadable(service.foundation.database);
  const { status, body, text } = await service.get(`/events/v1?transaction_id=${id}&limit=100`);
  assert.equal(status, 200, text);
  assert.equal(body.next_cursor, null);
  return body.events;
}

/** Returns the fields that an event shows of a transaction; a response may have more fields. */
function asIn(event: Shown, transaction: Shown): Shown {
  return Object.fromEntries(Object.keys(event.data.transaction).map((name) => [name, transaction[name]]));
}

async function assertSound(id: string, events: readonly Shown[]): Promise<void> {
  assert.deepEqual(
    events.map(({ sequence }) => sequence),
    events.map((_, index) => index + 1),
  );
  assert.equal(new Set(events.map((event) => event.id)).size, events.length);
  const lines = (await timelineOf(service, id)).map(({ from, to, actor, reason, message, at }) => ({
    ...{ change: { from, to, reason, message, actor }, at },
  }));
  const shown = events
    .filter((event) => !event.id.endsWith('r'))
    .map(({ data: { change }, timestamp }) => ({ change, at: timestamp }));
  assert.deepEqual(shown, lines);
}

test('for a paid buy the event list, both streams and the transaction agree', async () => {
  const all = await streamed('/events/v1/stream');
  assert.equal(all.headers.get('content-type'), 'text/event-stream; charset=utf-8');
  const accepted = await buy(service, newCustomer());
  const id = accepted.transaction_id;
  const own = await streamed(`/transactions/v1/${id}/events`);
  await pay(service, accepted);
  const done = await settled(service, id, { states: ['completed'] });
  const events = await eventsOf(id);
  await assertSound(id, events);
  assert.equal(events[0]!.type, 'transaction.accepted');
  assert.equal(events.at(-1)!.type, 'transaction.completed');
  assert.deepEqual(events[0]!.data.transaction, asIn(events[0]!, accepted), 'as the caller was answered');
  assert.deepEqual(events.at(-1)!.data.transaction, asIn(events.at(-1)!, done), 'as it is now');
  await until('both streams have it', () =>
    [all, own].every(({ received }) => received.length >= events.length),
  );
  assert.deepEqual(dataOf(own.received), events);
  assert.deepEqual(dataOf(all.received), events);
  assert.deepEqual(
    own.received.map(({ id, type }) => ({ id, type })),
    events.map(({ id, type }) => ({ id, type })),
  );
  assert.deepEqual(all.comments, [': connected']);
  const again = await service.get(`/events/v1?transaction_id=${id}&limit=100`);
  assert.deepEqual(again.body.events, events);
});

/** A response counts a payment that waits for review. An event shows only the amounts of the transaction itself. */
const WAITING = { received_amount: null, missing_amount: null };

test('the state in each event is a state that GET returned', async () => {
  const accepted = await buy(service, { ...newCustomer(), network: undefined, wallet_address: undefined });
  const id = accepted.transaction_id;
  const shown = [accepted];
  const wallet = { network: 'Polygon', wallet_address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' };
  shown.push((await service.put(`/transactions/v1/${id}/wallet`, wallet)).body.transaction);
  await pay(service, accepted, { amount: accepted.amount - 1 });
  shown.push(
    await settled(service, id, {
      states: ['awaiting_payment', 'on_hold'],
      until: (t) => t.exception !== null,
    }),
  );
  const events = await eventsOf(id);
  await assertSound(id, events);
  for (const transaction of shown) {
    const { data } = events.find(({ timestamp }) => timestamp === transaction.updated_at)!;
    assert.deepEqual({ ...data.transaction, ...WAITING }, { ...asIn({ data }, transaction), ...WAITING });
  }
  const held = events.at(-1)!.data.transaction;
  assert.deepEqual([held.received_amount, held.missing_amount], [0, accepted.amount]);
});

test('overpaid: the excess is refunded, and the refund is in an event', async () => {
  const order = await buy(service, newCustomer(), { headers: { 'svc-scenario': 'overpaid' } });
  const id = order.transaction_id;
  await settled(service, id, { states: ['completed'], until: (t) => t.refunded_amount === 100 });
  const events = await eventsOf(id);
  await assertSound(id, events);
  const refund = events.find(({ type }) => type === 'refund.completed')!;
  assert.deepEqual(
    [refund.data.refund.amount, refund.data.refund.state, refund.data.refund.tx_hash],
    [100, 'done', null],
  );
  assert.match(refund.data.refund.bank_reference, /^mov-/);
  assert.ok(!typesOf(events).includes('transaction.refunded'));
  for (const event of events) assert.equal('refund' in event.data, event.type === 'refund.completed');
});

test('payout_fails: the refund and the end of the sell are two events in this order', async () => {
  const order = await sell(service, {}, { headers: { 'svc-scenario': 'payout_fails' } });
  const id = order.transaction_id;
  const done = await settled(service, id, { states: ['refunded'] });
  const events = await eventsOf(id);
  await assertSound(id, events);
  assert.deepEqual(typesOf(events).slice(-2), ['refund.completed', 'transaction.refunded']);
  assert.equal(events.at(-2)!.data.refund.destination.wallet_address, done.wallet_address);
  assert.match(events.at(-2)!.data.refund.tx_hash, /^0x/);
  const [first, second] = [events.at(-2)!.id, events.at(-1)!.id];
  assert.equal(first, `${second}r`);
  const resumed = await streamed(`/transactions/v1/${id}/events`, { lastEventId: first });
  await until('the rest is there', () => resumed.received.length > 0);
  assert.deepEqual(dataOf(resumed.received), [events.at(-1)]);
});

test('a stream continues after its last event without a gap or a repeat, even with a cursor and a type filter', async () => {
  const before = await service.get('/events/v1?order=desc&limit=1');
  const lastEventId: string = before.body.events[0].id;
  const orders = await Promise.all(Array.from({ length: 6 }, () => buy(service, newCustomer())));
  await Promise.all(orders.slice(0, 3).map((order) => pay(service, order)));
  const opened = await streamed('/events/v1/stream', { lastEventId });
  const typed = await streamed(
    `/events/v1/stream?cursor=${lastEventId}&type=transaction.completed,transaction.cancelled`,
  );
  for (const { transaction_id } of orders.slice(3))
    await service.post(`/transactions/v1/${transaction_id}/cancel`, undefined);
  for (const { transaction_id } of orders.slice(0, 3))
    await settled(service, transaction_id, { states: ['completed'] });
  await untilReadable(service.foundation.database);
  const { body } = await service.get(`/events/v1?cursor=${lastEventId}&limit=100`);
  await until('all is there', () => opened.received.length >= body.events.length);
  assert.deepEqual(dataOf(opened.received), body.events);
  const ends = body.events.filter((event: Shown) => /completed|cancelled/.test(event.type));
  await until('all of the type is there', () => typed.received.length >= ends.length);
  assert.deepEqual(dataOf(typed.received), ends);
});

test('threat 68: no event of another business or mode is listed, streamed or accepted as a start position', async () => {
  const mine = await streamed('/events/v1/stream', { key: other.testKey });
  const live = await streamed('/events/v1/stream', { key: business.liveKey });
  const order = await buy(service, newCustomer());
  const id = order.transaction_id;
  const theirs = await buy(service, newCustomer(), { business: other });
  await until('the own one is there', () => mine.received.length > 0);
  assert.deepEqual(
    mine.received.map(({ data }) => data.data.transaction.transaction_id),
    [theirs.transaction_id],
  );
  assert.deepEqual(live.received, []);
  const listed = (await service.get('/events/v1?limit=100', { key: other.testKey })).body.events;
  assert.deepEqual(
    new Set(listed.map((event: Shown) => event.data.transaction.business.business_id)),
    new Set([other.businessId]),
  );
  assert.deepEqual((await service.get('/events/v1', { key: business.liveKey })).body.events, []);
  const filtered = await service.get(`/events/v1?transaction_id=${id}`, { key: other.testKey });
  assert.deepEqual(filtered.body.events, []);
  await untilReadable(service.foundation.database);
  const cursor = `evt_${id.slice(4)}_1`;
  for (const key of [other.testKey, business.liveKey]) {
    const answer = await service.get(`/events/v1?cursor=${cursor}`, { key });
    assert.deepEqual([answer.status, answer.body.code], [422, 'cursor_invalid']);
    const resumed = await openStream(`${baseUrl}/events/v1/stream`, { key, lastEventId: cursor });
    assert.deepEqual([resumed.status, JSON.parse(resumed.text).code], [422, 'cursor_invalid']);
    const one = await openStream(`${baseUrl}/transactions/v1/${id}/events`, { key });
    assert.deepEqual([one.status, JSON.parse(one.text).code], [404, 'transaction_not_found']);
  }
  assert.equal((await read(service, id)).state, 'awaiting_payment');
});
