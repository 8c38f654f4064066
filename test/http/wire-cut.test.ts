// Threats 30 and 86 with a database connection that the test can cut. While the database cannot be reached, requests get 503,
// and no request is stored in part. If only the database's response is lost, there is one transaction.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import pg from 'pg';
import { freshDatabase, testCluster } from '../support/database.ts';
import { databaseTimeoutMs, longEnough } from '../support/patience.ts';
import { buyBody, startTestService } from '../support/service.ts';
import { afterFile } from '../support/sharing/file-group.ts';
import { assertRefused, eventually, ONRAMP, send } from './helpers.ts';

async function openWire() {
  const { host, port } = testCluster();
  const open = new Set<Socket>();
  /** The connection that sends the text `losesAnswerTo` gets no further response; other connections do. */
  const wire = { cut: false, losesAnswerTo: '' };
  const server = createServer((client) => {
    if (wire.cut) return client.destroy();
    let quiet = false;
    const upstream = connect(`${host}/.s.PGSQL.${port}`);
    client.on('data', (data) => {
      if (wire.losesAnswerTo !== '' && data.includes(wire.losesAnswerTo)) {
        quiet = true;
        wire.losesAnswerTo = '';
      }
      upstream.write(data);
    });
    upstream.on('data', (data) => (quiet ? undefined : client.write(data)));
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    return undefined;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterFile(() => server.close());
  return Object.assign(wire, {
    port: (server.address() as AddressInfo).port,
    cutNow: () => {
      wire.cut = true;
      for (const socket of open) socket.destroy();
    },
  });
}

const direct = await freshDatabase();
const name = new URL(direct).pathname.slice(1);
const wire = await openWire();
const wired = `postgres://${testCluster().user}@127.0.0.1:${wire.port}/${name}`;
const service = await startTestService({}, wired);
const { business } = service;

/** This request got its response, but was probably not yet in the request log when the database became unreachable. */
let justBefore = '';

/** The count uses a direct connection, which the test does not cut. */
async function rowsWith(reference: string): Promise<number> {
  const client = new pg.Client({ connectionString: direct });
  await client.connect();
  const { rows } = await client.query('select count(*)::int from transactions where reference = $1', [
    reference,
  ]);
  await client.end();
  return rows[0].count;
}

test('threat 30: if the response of the database is lost, the request still returns 200 with the one stored transaction', async () => {
  let tries = 0;
  const [reference, answer, again] = await longEnough(2_000, async (timeoutMs) => {
    const DATABASE_TIMEOUT_MS = String(Math.min(timeoutMs, databaseTimeoutMs()));
    const hasty = await startTestService({ DATABASE_TIMEOUT_MS }, wired, business).catch(() => undefined);
    if (hasty === undefined) return undefined;
    const lost = `answer-lost-${++tries}`;
    const post = (changes = {}) => hasty.post(ONRAMP, buyBody(business, changes));
    // If the timeout is too short even without a lost response, the result proves nothing.
    if ((await post()).status !== 200) return undefined;
    wire.losesAnswerTo = lost;
    const found = await post({ reference: lost });
    assert.equal(wire.losesAnswerTo, '', 'an answer was lost');
    // The response came too late. The test repeats this with a longer timeout, and fails if no timeout is long enough.
    if (found.status === 503) return undefined;
    const repeated = await post({ reference: lost });
    await hasty.service.close();
    return [lost, found, repeated] as const;
  });
  assert.deepEqual([answer.status, answer.headers.get('idempotent-replayed')], [200, null]);
  assert.equal(await rowsWith(reference), 1);
  assert.deepEqual(again.body.transaction, answer.body.transaction);
});

test('threat 86: while the database is unreachable, every request that needs it gets 503, and nothing is stored', async () => {
  const { transaction } = (await service.post(ONRAMP, buyBody(business, { reference: 'before' }))).body;
  justBefore = (await service.post(ONRAMP, {})).body.request_id;
  wire.cutNow();
  const body = buyBody(business, { reference: 'while-away' });
  for (const ask of [
    () => service.post(ONRAMP, body),
    () => service.post(ONRAMP, body, { headers: { 'idempotency-key': 'while-away' } }),
    () => service.get(`/transactions/v1/${transaction.transaction_id}`),
    () => service.get('/transactions/v1'),
    () => service.post(`/transactions/v1/${transaction.transaction_id}/cancel`, {}),
    () => service.get('/ready', { key: null }),
  ]) {
    const answer = await ask();
    assertRefused(answer, 503, 'unavailable', []);
    assert.equal(answer.headers.get('retry-after'), '2');
    assert.ok(!/ECONN|postgres|127\.0\.0\.1/.test(answer.text));
  }
  // The service does not trust keys from memory, because these may have been revoked in the meantime.
  const vendors = () => service.get('/transactions/v1/vendors');
  await eventually(async () => (await vendors()).status === 503, 'the catalogue is out of date');
  assertRefused(await service.get('/transactions/v1/vendors', { key: null }), 401, 'unauthorized', []);
  assert.equal((await send(service, 'GET', '/health', { key: null })).status, 200);
  assert.equal(await rowsWith('while-away'), 0);
});

test('threat 86: when the database is reachable again, the service works without a restart and without duplicates', async () => {
  wire.cut = false;
  const body = buyBody(business, { reference: 'while-away' });
  const headers = { 'idempotency-key': 'while-away' };
  await eventually(async () => (await service.post(ONRAMP, body, { headers })).status === 200, 'it is back');
  assert.equal((await service.post(ONRAMP, body, { headers })).headers.get('idempotent-replayed'), 'true');
  assert.equal(await rowsWith('while-away'), 1);
  await eventually(async () => (await service.get('/ready', { key: null })).status === 200, 'it is ready');
  const { body: list } = await service.get('/transactions/v1');
  const before = list.transactions.find((each: { reference: string }) => each.reference === 'before');
  assert.equal(before.state, 'awaiting_payment');
});

test('a request that was handled before the database became unreachable is in the request log later', async () => {
  const read = () => service.get(`/requests/v1/${justBefore}`);
  await eventually(async () => (await read()).status === 200, `${justBefore} is written`);
  const { request } = (await read()).body;
  assert.deepEqual([request.status, request.code], [400, 'required']);
});
