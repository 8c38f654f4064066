// Tests the common error body and the order of checks. Every error has the same shape and a request id, and shows no detail of
// the implementation.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buyBody, startTestService } from '../support/service.ts';
import { sharedTestService } from '../support/sharing/shared-service.ts';
import { assertRefused, ONRAMP, send } from './helpers.ts';

const service = await sharedTestService();
const { business } = service;
const json = { 'content-type': 'application/json' };

test('every response has a unique request id, for success and for errors', async () => {
  const answers = await Promise.all([
    ...Array.from({ length: 30 }, () => service.get('/transactions/v1/vendors')),
    ...Array.from({ length: 30 }, () => service.get('/nothing')),
    ...Array.from({ length: 30 }, () => service.get(`${service.otcBaseUrl}/otc/buy`, { key: null })),
    service.get('/health'),
    service.get('/'),
    service.get('/openapi.json'),
    send(service, 'HEAD', '/health'),
    send(service, 'OPTIONS', '/health'),
  ]);
  const ids = answers.map(({ headers }) => headers.get('request-id'));
  for (const id of ids) assert.match(id ?? '', /^req_[0-9a-z]{14,}$/);
  assert.equal(new Set(ids).size, answers.length);
});

test('a request id from the client is ignored', async () => {
  const headers = { 'request-id': 'req_forged', 'x-request-id': 'req_forged' };
  const answer = await service.get('/health', { headers });
  assert.notEqual(answer.headers.get('request-id'), 'req_forged');
  assert.ok(!service.logged().includes('req_forged'));
});

test('checks run in this order: path and method, key, body, structure, business, values', async () => {
  const long = Buffer.from('x'.repeat(70_000));
  const stranger = { ...buyBody(business), business_id: 'biz_x' };
  const steps: readonly [string, string, string | null, object | string | Uint8Array, number, string][] = [
    ['POST', '/nothing', null, '{', 404, 'not_found'],
    ['POST', '/health', null, long, 405, 'method_not_allowed'],
    ['PUT', ONRAMP, null, '{', 405, 'method_not_allowed'],
    ['POST', ONRAMP, null, '{', 401, 'unauthorized'],
    ['POST', ONRAMP, business.testKey, long, 413, 'body_too_large'],
    ['POST', ONRAMP, business.testKey, '{', 400, 'invalid_json'],
    ['POST', ONRAMP, business.testKey, { ...stranger, amount: '1' }, 400, 'amount_not_a_number'],
    ['POST', ONRAMP, business.testKey, { ...stranger, amount: 1 }, 403, 'business_mismatch'],
    ['POST', ONRAMP, business.testKey, buyBody(business, { amount: 1 }), 422, 'amount_below_minimum'],
  ];
  for (const [method, path, key, body, status, code] of steps) {
    const bytes =
      body instanceof Uint8Array ? long : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    assertRefused(await send(service, method, path, { key, headers: json, body: bytes }), status, code);
  }
});

test('a fixed path is not read as a transaction id: a wrong method on it gets 405, not an error about the id', async () => {
  for (const path of [ONRAMP, '/transactions/v1/offramp']) {
    const answer = await service.get(path);
    assertRefused(answer, 405, 'method_not_allowed', []);
    assert.equal(answer.headers.get('allow'), 'POST');
  }
});

test('an invalid Idempotency-Key is refused after the structure of the body is checked', async () => {
  const headers = { 'idempotency-key': 'a b' };
  assertRefused(await service.post(ONRAMP, {}, { headers }), 400, 'required');
  assertRefused(await service.post(ONRAMP, buyBody(business), { headers }), 422, 'idempotency_key_invalid');
});

test('an internal error returns 500 with the common body, is logged with its id, and shows no details', async () => {
  const other = await startTestService();
  const { database } = other.foundation;
  await database.query({ text: 'alter table transaction_states rename column exception to exception_gone' });
  const answer = await other.get('/transactions/v1');
  assertRefused(answer, 500, 'internal_error', []);
  assert.equal(
    answer.body.message,
    'The service failed. The failure is logged under request_id: send that id to the operator.',
  );
  const line = other
    .logged()
    .split('\n')
    .find((each) => each.includes('"level":50') && each.includes(answer.body.request_id));
  assert.match(line ?? '', /exception/);
  await database.query({ text: 'alter table transaction_states rename column exception_gone to exception' });
  assert.equal((await other.get('/transactions/v1')).status, 200);
});

test('each response writes one log line with its id, path, status and key id, and with no other data of the request', async () => {
  const reference = 'logged-once';
  const body = buyBody(business, { reference, account_name: 'Ngozi Unlogged' });
  const answer = await service.post(`${ONRAMP}?q=query-unlogged`, body);
  const id = answer.headers.get('request-id')!;
  const lines = service
    .logged()
    .split('\n')
    .filter((line) => line.includes(id));
  assert.equal(lines.length, 1);
  const line = JSON.parse(lines[0]!);
  assert.deepEqual([line.method, line.path, line.status], ['POST', ONRAMP, 200]);
  assert.match(line.key_id, /^key_/);
  assert.ok(!service.logged().includes('Unlogged') && !service.logged().includes('query-unlogged'));
});

test('HEAD returns the same as GET without a body', async () => {
  const path = '/transactions/v1/vendors';
  const [get, head] = [await send(service, 'GET', path), await send(service, 'HEAD', path)];
  assert.deepEqual([head.status, head.text], [200, '']);
  assert.equal(head.headers.get('etag'), get.headers.get('etag'));
  const missing = await send(service, 'HEAD', '/nothing');
  assert.deepEqual([missing.status, missing.text], [404, '']);
});
