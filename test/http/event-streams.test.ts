// Tests the HTTP side of event streams: what the service refuses before a stream begins, how a stream ends, and that streams do
// not block other requests.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { after, test } from 'node:test';
import pg from 'pg';
import { revokeKey } from '../../src/app/back-office/manage-keys.ts';
import { openStream, type StreamClient } from '../support/event-stream.ts';
import { untilReadable } from '../support/horizon.ts';
import { inTime, longEnough, until } from '../support/patience.ts';
import { buyBody, startTestService, type TestService } from '../support/service.ts';
import { afterFile } from '../support/sharing/file-group.ts';
import { assertRefused } from './helpers.ts';

const service = await startTestService({
  STREAMS_PER_KEY: '3',
  MAX_STREAMS: '5',
  REQUESTS_IN_FLIGHT: '2',
});
const { business } = service;
const STREAM = '/events/v1/stream';
const streams: StreamClient[] = [];
after(() => {
  for (const stream of streams) stream.close();
});

async function streamed(key = business.testKey, at: TestService = service, path = STREAM) {
  const stream = await openStream(`${at.baseUrl}${path}`, { key });
  streams.push(stream);
  return stream;
}

async function closeAll(): Promise<void> {
  for (const stream of streams.splice(0)) stream.close();
  await until('no stream is open', async () => (await openStreams()) === 0);
}

async function openStreams(): Promise<number> {
  const { text } = await service.get('/metrics', { key: null });
  return Number(/^sliproad_event_streams (\d+)/m.exec(text)?.[1] ?? -1);
}

/** After this wait, a new stream gets no earlier events. */
const quiet = () => untilReadable(service.foundation.database);

let buys = 0;
async function accept(at: TestService = service): Promise<string> {
  const account_number = `${8_100_000_000 + ++buys}`;
  const answer = await at.post('/transactions/v1/onramp', buyBody(at.business, { account_number }));
  assert.equal(answer.status, 200, answer.text);
  return answer.body.transaction.transaction_id;
}

test('a stream request that cannot be served is refused with the common error body before the stream begins', async () => {
  const refused = async (
    path: string,
    status: number,
    code: string,
    headers: Record<string, string> = {},
    key?: null,
  ) => assertRefused(await service.get(path, { headers, ...(key === null && { key }) }), status, code);
  const unknown = 'evt_00000000000000000000000000_1';
  await refused(STREAM, 401, 'unauthorized', {}, null);
  await refused(`${STREAM}?type=transaction.compleated`, 422, 'filter_invalid');
  await refused(STREAM, 422, 'cursor_invalid', { 'last-event-id': 'nonsense' });
  await refused(STREAM, 422, 'cursor_invalid', { 'last-event-id': unknown });
  await refused(`${STREAM}?cursor=${unknown}`, 422, 'cursor_invalid');
  await refused('/transactions/v1/txn_00000000000000000000000000/events', 404, 'transaction_not_found');
  await refused('/transactions/v1/nonsense/events', 404, 'transaction_not_found');
  const [one, two] = [await accept(), await accept()];
  const path = `/transactions/v1/${one}/events`;
  await refused(path, 422, 'cursor_invalid', { 'last-event-id': `evt_${two.slice(4)}_1` });
  const { body } = await service.get(`${STREAM}?type=transaction.compleated`);
  assert.match(body.message, /Did you mean transaction\.completed\?/);
  await closeAll();
});

test('the event list refuses invalid parameters', async () => {
  for (const [query, code] of [
    ['type=paid', 'filter_invalid'],
    ['type=webhook.test', 'filter_invalid'],
    ['type=transaction.', 'filter_invalid'],
    ['type=*', 'filter_invalid'],
    ['order=up', 'filter_invalid'],
    ['limit=0', 'filter_invalid'],
    ['limit=101', 'filter_invalid'],
    ['from=yesterday', 'filter_invalid'],
    ['transaction_id=biz_1', 'filter_invalid'],
    ['order=asc&order=desc', 'filter_invalid'],
    ['cursor=txn_00000000000000000000000000', 'cursor_invalid'],
    ['cursor=evt_00000000000000000000000000_2', 'cursor_invalid'],
    ['cursor=evt_00000000000000000000000000', 'cursor_invalid'],
  ])
    assertRefused(await service.get(`/events/v1?${query}`), 422, code!);
  const many = 'type=transaction.*&type=refund.completed,webhook_endpoint.disabled';
  assert.equal((await service.get(`/events/v1?${many}`)).status, 200);
});

test('the streams of a key and of a process are limited, and other requests of the key still work', async () => {
  await quiet();
  const held = [await streamed(), await streamed(), await streamed()];
  assertRefused(await service.get(STREAM), 429, 'rate_limited');
  const others = [await streamed(business.liveKey), await streamed(business.liveKey)];
  assertRefused(await service.get(STREAM, { key: business.liveKey }), 429, 'rate_limited');
  const id = await accept();
  await until('every stream of the mode has it', () => held.every(({ received }) => received.length === 1));
  assert.equal(held[0]!.received[0]!.id, `evt_${id.slice(4)}_1`);
  assert.deepEqual(
    others.map(({ received }) => received),
    [[], []],
  );
  await until('the metrics know', async () => (await openStreams()) === 5);
  await closeAll();
  assert.equal((await streamed()).status, 200, 'a closed stream no longer counts');
  await closeAll();
});

test('the time limits of ordinary responses do not end a stream, and the stream sends heartbeats', async () => {
  const limits = ['WRITE_TIMEOUT_MS', 'REQUEST_TIMEOUT_MS', 'HEADERS_TIMEOUT_MS'];
  const [id, stream] = await longEnough(300, async (limitMs) => {
    const at = await startTestService(Object.fromEntries(limits.map((name) => [name, String(limitMs)])));
    const opened = await streamed(at.business.testKey, at).catch(() => undefined);
    // The stream must outlive limits that are very short. On a slow machine the stream may not start, or the service may not
    // write to it in time.
    if (opened?.status !== 200) return undefined;
    let isOver = false;
    void opened.over.then(() => {
      isOver = true;
    });
    // At most three heartbeats are sent within one limit. A normal response may take up to ten times the write timeout and the
    // request timeout.
    await until('more than twelve limits are over', () => isOver || opened.comments.length > 12 * 3);
    const accepted = isOver ? undefined : await accept(at).catch(() => undefined);
    if (accepted === undefined) return undefined;
    await until('the event is there', () => isOver || opened.received.length === 1);
    return isOver ? undefined : ([accepted, opened] as const);
  });
  assert.equal(stream.received[0]!.id, `evt_${id.slice(4)}_1`);
  stream.close();
});

test('threat 70: a revoked key ends only its own streams, in every process', async () => {
  const second = await startTestService({}, service.databaseUrl, business);
  const rolled = await service.addBusiness('rolled');
  await quiet();
  const [mine, there, others] = [
    await streamed(rolled.testKey),
    await streamed(rolled.testKey, second),
    await streamed(),
  ];
  const { rows } = await service.foundation.database.query<{ id: string }>({
    text: `select id from api_keys where business_id = $1 and mode = 'test'`,
    values: [rolled.businessId],
  });
  await revokeKey(service.foundation, rows[0]!.id);
  assert.deepEqual(await Promise.all([mine.over, there.over]), ['key_revoked', 'key_revoked']);
  const id = await accept();
  await until('the other stream goes on', () => others.received.length === 1);
  assert.equal(others.received[0]!.data.data.transaction.transaction_id, id);
  await closeAll();
});

test('the stream of a client that does not read is ended, and its memory use is limited', async () => {
  const at = await startTestService({ WRITE_TIMEOUT_MS: '600000' });
  const socket = net.connect(Number(new URL(at.baseUrl).port), '127.0.0.1');
  socket.write(`GET ${STREAM} HTTP/1.1\r\nhost: x\r\nsvc-sec-key: ${at.business.testKey}\r\n\r\n`);
  await once(socket, 'data');
  socket.pause();
  const reading = await openStream(`${at.baseUrl}${STREAM}`, { key: at.business.testKey });
  await fillLog(at, 12_000);
  await until('the one that reads has all', () => reading.received.length >= 12_000);
  await until('the other one is ended', async () => {
    const { text } = await at.get('/metrics', { key: null });
    return /^sliproad_event_streams 1$/m.test(text);
  });
  reading.close();
  socket.destroy();
});

/** Adds many more lines than the buffers of the system can hold: 120 lines for each of some transactions. */
async function fillLog(at: TestService, lines: number): Promise<void> {
  const ids = await Promise.all(Array.from({ length: lines / 120 }, () => accept(at)));
  for (let from = 0; from < ids.length; from += 50)
    await at.foundation.database.query({
      text: `insert into timeline (transaction_id, version, at, from_state, to_state, actor, reason, business_id, mode)
        select id, v, now(), 'awaiting_payment', 'awaiting_payment', 'settlement', 'paid_in_part', business_id, mode
        from transactions, generate_series(100, 219) v where id = any ($1)`,
      values: [ids.slice(from, from + 50)],
    });
}

test('streams wait with an event while an open database transaction may still add an earlier one, and then send each event once', async () => {
  const [slow, quick] = [await accept(), await accept()];
  await quiet();
  const opened = [
    await streamed(),
    await streamed(business.testKey, service, `/transactions/v1/${slow}/events`),
  ];
  const client = new pg.Client({ connectionString: service.databaseUrl });
  afterFile(() => client.end());
  await client.connect();
  await client.query('begin');
  await client.query(
    `insert into timeline (transaction_id, version, at, from_state, to_state, actor, reason, business_id, mode)
      values ($1, 2, now(), 'awaiting_payment', 'cancelled', 'settlement', 'cancelled_by_business', $2, 'test')`,
    [slow, business.businessId],
  );
  assert.equal((await service.post(`/transactions/v1/${quick}/cancel`, undefined)).status, 200);
  await until('the acceptance is there', () => opened[1]!.received.length > 0);
  // A stream that starts now also joins the running read. Whenever a stream joins, the hub reads the log once more.
  opened.push(await streamed());
  assert.deepEqual(
    opened.map(({ received }) => received.length),
    [0, 1, 0],
    'the acceptance alone',
  );
  await client.query('commit');
  const ids = [`evt_${slow.slice(4)}_2`, `evt_${quick.slice(4)}_2`];
  await until('all have it', () => opened[0]!.received.length === 2 && opened[2]!.received.length === 2);
  for (const stream of [opened[0]!, opened[2]!])
    assert.deepEqual(
      stream.received.map(({ id }) => id),
      ids,
    );
  assert.deepEqual(
    opened[1]!.received.map(({ id }) => id),
    [`evt_${slow.slice(4)}_1`, ids[0]],
  );
  await closeAll();
});

test('a service that stops ends its streams at once and accepts no new ones', async () => {
  const at = await startTestService();
  const stream = await streamed(at.business.testKey, at);
  at.service.beginDraining();
  assert.equal(await stream.over, 'draining');
  assertRefused(await at.get(STREAM), 503, 'unavailable');
  await inTime('the service is closed', at.service.close());
});
