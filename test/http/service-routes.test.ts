// Tests the routes about the service itself: liveness, readiness, metrics, the home page and the API reference, and their
// responses while the service drains.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../support/service.ts';
import { assertRefused, parseRawAnswer, rawExchange } from './helpers.ts';

const service = await startTestService();

test('health and ready do not require a key', async () => {
  for (const [path, message] of [
    ['/health', 'Alive.'],
    ['/ready', 'Ready.'],
  ] as const) {
    const answer = await service.get(path, { key: null });
    assert.deepEqual([answer.status, answer.body], [200, { status: 'success', message }]);
  }
});

test('metrics are open on a loopback address, and label requests by route, never by path', async () => {
  await service.get('/transactions/v1/txn_someone');
  await service.get('/secret-path');
  const answer = await service.get('/metrics', { key: null });
  assert.equal(answer.status, 200);
  assert.match(answer.text, /sliproad_http_requests_total\{[^}]*route="\/transactions\/v1\/:transaction_id"/);
  assert.match(answer.text, /^sliproad_catalogue_current 1$/m);
  assert.match(answer.text, /^sliproad_movements_paused 0$/m);
  assert.ok(!answer.text.includes('txn_someone') && !answer.text.includes('secret-path'));
});

test('metrics with a configured token return 404 without it', async () => {
  const token = 'a-token-of-some-length';
  const guarded = await startTestService({ METRICS_TOKEN: token });
  const ask = (authorization?: string) =>
    guarded.get('/metrics', { key: null, headers: authorization === undefined ? {} : { authorization } });
  assert.equal((await ask(`Bearer ${token}`)).status, 200);
  for (const wrong of [
    undefined,
    '',
    token,
    `Bearer ${token}x`,
    `bearer ${token}`,
    `Basic ${token}`,
    'Bearer é',
  ]) {
    assertRefused(await ask(wrong), 404, 'not_found', []);
  }
  assert.ok(!guarded.logged().includes(token));
});

test('metrics are closed on a public address and behind a proxy, unless a token is configured', async () => {
  for (const settings of [{ HOST: '0.0.0.0' }, { TRUST_PROXY: '1' }]) {
    const open = await startTestService(settings as Record<string, string>);
    assertRefused(await open.get('/metrics', { key: null }), 404, 'not_found', []);
  }
});

test('the home page loads no files, runs no scripts and shows no key', async () => {
  const answer = await service.get('/', { key: null });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
  const policy = answer.headers.get('content-security-policy') ?? '';
  assert.match(policy, /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/=]+'/);
  assert.ok(!policy.includes('unsafe'));
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
  assert.ok(!/<script|src=|https?:\/\/(?!127\.0\.0\.1)|sk_(test|live)_/.test(answer.text));
});

test('the reference is served by this service, with its own content security policy', async () => {
  for (const path of ['/docs', '/docs/static/swagger-ui-bundle.js']) {
    const answer = await service.get(path, { key: null });
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('content-security-policy') ?? '', /default-src 'self'/);
  }
  for (const path of ['/docs/static/..%2f..%2fpackage.json', '/docs/static/%2e%2e/%2e%2e/package.json']) {
    const answer = await service.get(path, { key: null });
    assert.equal(answer.status, 404);
  }
});

test('while draining, every response closes its connection, and the service is not ready', async () => {
  const leaving = await startTestService();
  assert.notEqual((await leaving.get('/health')).headers.get('connection'), 'close');
  leaving.service.beginDraining();
  const vendors = await leaving.get('/transactions/v1/vendors');
  assert.deepEqual([vendors.status, vendors.headers.get('connection')], [200, 'close']);
  const ready = await leaving.get('/ready', { key: null });
  assertRefused(ready, 503, 'unavailable', []);
  assert.equal(ready.body.message, 'The service is shutting down.');
  const raw = await rawExchange(leaving.baseUrl, 'GET /nothing HTTP/1.1\r\nhost: x\r\n\r\n');
  assertRefused(parseRawAnswer(raw), 404, 'not_found', []);
});
