// Threats 64 to 66 and 70: every invalid key gets the same 401, but 404 and 405 take precedence over it. The service does not
// accept a key outside its header, and keys expire.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { issueKey, revokeKey, rollKey } from '../../src/app/back-office/manage-keys.ts';
import { makeSecretKey } from '../../src/domain/catalogue/secret-keys.ts';
import { type Answer, buyBody, startTestService } from '../support/service.ts';
import { assertRefused, eventually, ONRAMP, rawExchange, send, storingNothing } from './helpers.ts';

const service = await startTestService({ AUTH_FAILURES_PER_MINUTE: '1000' });
const { business, foundation } = service;
const ROUTES = [
  ['POST', '/transactions/v1/onramp'],
  ['POST', '/transactions/v1/offramp'],
  ['GET', '/transactions/v1'],
  ['GET', `/transactions/v1/txn_${'0'.repeat(26)}`],
  ['PUT', `/transactions/v1/txn_${'0'.repeat(26)}/wallet`],
  ['POST', `/transactions/v1/txn_${'0'.repeat(26)}/cancel`],
  ['GET', '/transactions/v1/vendors'],
  ['GET', '/transactions/v1/list_vendors'],
  ['GET', '/transactions/v1/test-vendors'],
  ['GET', '/rates/v1/usdc-ngnc'],
  ['GET', '/rates/v1/history'],
] as const;
const withoutId = ({ body: { request_id: _id, ...rest } }: Answer) => rest;
const vendors = (key: string | null) => service.get('/transactions/v1/vendors', { key });

async function badKeys(): Promise<(string | null)[]> {
  const revoked = (await issueKey(foundation, business.businessId, 'test'))!;
  await revokeKey(foundation, revoked.id);
  const rolled = (await issueKey(foundation, business.businessId, 'test'))!;
  await rollKey(foundation, rolled.id, 0);
  await eventually(async () => (await vendors(rolled.secretKey)).status === 401, 'the rolled key ends');
  const unknown = makeSecretKey('test', crypto.getRandomValues(new Uint8Array(96)));
  const flipped = business.testKey.endsWith('0') ? '1' : '0';
  return [
    null,
    '',
    'x',
    unknown,
    revoked.secretKey,
    rolled.secretKey,
    `${business.testKey.slice(0, -1)}${flipped}`,
    business.testKey.toUpperCase(),
    business.testKey.replace('sk_test_', 'sk_live_'),
    `${business.testKey}, ${business.testKey}`,
    `Bearer ${business.testKey}`,
    'a'.repeat(4_000),
    'sk_test_é',
  ];
}

test('threat 64: missing, wrong, malformed, revoked and expired keys get the same 401 on every route', async () => {
  const keys = await badKeys();
  const expected = withoutId(await vendors(null));
  assert.deepEqual(expected, {
    status: 'error',
    message: 'Send your secret key in the header svc-sec-key. It is missing, wrong or revoked.',
    code: 'unauthorized',
    errors: [],
  });
  await storingNothing(service, async () => {
    for (const key of keys) {
      for (const [method, path] of ROUTES) {
        const answer = await send(service, method, path, { key });
        assertRefused(answer, 401, 'unauthorized', []);
        assert.deepEqual(withoutId(answer), expected);
      }
      assertRefused(await service.get(`${service.otcBaseUrl}/otc/buy`, { key }), 401, 'unauthorized', []);
    }
  });
});

test('threat 64: the key is checked before the body', async () => {
  for (const [body, headers] of [
    ['not json', { 'content-type': 'application/json' }],
    ['x', { 'content-type': 'text/plain' }],
    ['x'.repeat(100_000), { 'content-type': 'application/json' }],
  ] as const) {
    const answer = await send(service, 'POST', ONRAMP, { key: null, headers, body: Buffer.from(body) });
    assertRefused(answer, 401, 'unauthorized', []);
  }
});

test('threat 64: a wrong path gets 404 and a wrong method 405, with and without a key', async () => {
  for (const key of [business.testKey, null, 'wrong']) {
    for (const path of [
      '/nothing',
      '/transactions',
      '/transactions/v2/onramp',
      '/rates/v1',
      '/otc/buy',
      '/rates/v1/x',
    ]) {
      assertRefused(await service.get(path, { key }), 404, 'not_found', []);
      assertRefused(await service.post(path, {}, { key }), 404, 'not_found', []);
    }
    for (const [method, path, allow] of [
      ['POST', '/rates/v1/usdc-ngnc', 'GET, HEAD'],
      ['DELETE', '/transactions/v1', 'GET, HEAD'],
      ['PUT', '/transactions/v1/onramp', 'POST'],
      ['PATCH', '/transactions/v1/vendors', 'GET, HEAD'],
      ['GET', '/transactions/v1/txn_1/cancel', 'POST'],
      ['POST', '/transactions/v1/txn_1/wallet', 'PUT'],
      ['OPTIONS', '/transactions/v1/txn_1/wallet', 'PUT'],
      ['DELETE', '/health', 'GET, HEAD'],
    ] as const) {
      const answer = await send(service, method, path, { key });
      assertRefused(answer, 405, 'method_not_allowed', []);
      assert.equal(answer.headers.get('allow'), allow, `${method} ${path}`);
    }
  }
  assertRefused(await service.get(`${service.otcBaseUrl}/transactions/v1/vendors`), 404, 'not_found', []);
});

test('threat 66: a key in the query or another header is ignored, and is not logged', async () => {
  const key = business.testKey;
  for (const path of [
    `/transactions/v1/vendors?svc-sec-key=${key}`,
    `/transactions/v1?svc-sec-key=${key}&key=${key}`,
    `/rates/v1/usdc-ngnc?${key}`,
  ]) {
    assertRefused(await service.get(path, { key: null }), 401, 'unauthorized', []);
  }
  for (const headers of [
    { authorization: `Bearer ${key}` },
    { 'x-api-key': key },
    { cookie: `svc-sec-key=${key}` },
  ]) {
    assertRefused(await service.get('/transactions/v1/vendors', { key: null, headers }), 401, 'unauthorized');
  }
  await service.get(`/nothing?svc-sec-key=${key}`, { key: null });
  await service.post(`/health?svc-sec-key=${key}`, { key });
  await rawExchange(
    service.baseUrl,
    `GET /%zz?svc-sec-key=${key} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`,
  );
  assert.ok(!service.logged().includes(key));
});

test('threat 66: no key, right or wrong, is ever logged', async () => {
  const wrong = makeSecretKey('live', crypto.getRandomValues(new Uint8Array(96)));
  await vendors(wrong);
  await service.post(ONRAMP, buyBody(business));
  await service.post(ONRAMP, buyBody(business, { amount: 1 }));
  const logged = service.logged();
  assert.match(logged, /"status":401/);
  for (const key of [business.testKey, business.liveKey, wrong]) assert.ok(!logged.includes(key.slice(12)));
});

test('the name of the key header is case-insensitive and can be configured', async () => {
  const path = '/transactions/v1/vendors';
  const upper = await service.get(path, { key: null, headers: { 'SVC-SEC-KEY': business.testKey } });
  assert.equal(upper.status, 200);
  const branded = await startTestService({ SECRET_KEY_HEADER: 'Brand-Key' });
  const headers = { 'brand-key': branded.business.testKey };
  assert.equal((await branded.get(path, { key: null, headers })).status, 200);
  assertRefused(await branded.get(path), 401, 'unauthorized');
});

test('threat 70: a rolled key works together with the new key until the overlap ends', async () => {
  const works = (key: string) =>
    eventually(async () => (await vendors(key)).status === 200, 'the new key is heard of');
  const old = (await issueKey(foundation, business.businessId, 'test'))!;
  await works(old.secretKey);
  const fresh = (await rollKey(foundation, old.id, 3_600_000))!;
  await works(fresh.secretKey);
  assert.equal((await vendors(old.secretKey)).status, 200);
  const newest = (await rollKey(foundation, old.id, 300))!;
  await works(newest.secretKey);
  await eventually(async () => (await vendors(old.secretKey)).status === 401, 'the overlap ends');
  const refused = await service.post(ONRAMP, buyBody(business), { key: old.secretKey });
  assertRefused(refused, 401, 'unauthorized', []);
  assert.equal(await rollKey(foundation, old.id, 1_000), undefined);
  assert.equal((await vendors(fresh.secretKey)).status, 200);
});
