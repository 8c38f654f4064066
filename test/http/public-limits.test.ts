// Threats 71 and 77: limits for clients without a valid key. The refusal says when to try again; valid keys and the health
// checks are not affected.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSecretKey } from '../../src/domain/catalogue/secret-keys.ts';
import { startTestService } from '../support/service.ts';
import { assertRefused, parseRawAnswer, rawExchange } from './helpers.ts';

const wrongKey = () => makeSecretKey('test', crypto.getRandomValues(new Uint8Array(96)));
const SLOW = { PUBLIC_RATE_LIMIT_PER_SECOND: '1', PUBLIC_RATE_LIMIT_BURST: '5' };
const VENDORS = '/transactions/v1/vendors';

test('threat 77: pages, unknown addresses and requests without a key are limited per client address', async () => {
  const service = await startTestService({ ...SLOW, TRUST_PROXY: '1' });
  const paths = ['/', '/openapi.json', '/docs', '/metrics', '/nothing', '/%zz', VENDORS];
  for (const [index, path] of paths.entries()) {
    const headers = { 'x-forwarded-for': `192.0.2.${index}` };
    const answers = [];
    for (let i = 0; i < 30; i++) answers.push(await service.get(path, { key: null, headers }));
    const limited = answers.filter(({ status }) => status === 429);
    assert.ok(limited.length > 0 && answers.length - limited.length >= 5, path);
    for (const answer of limited) {
      assertRefused(answer, 429, 'rate_limited', []);
      assert.equal(answer.headers.get('retry-after'), '1');
      assert.equal(answer.headers.get('connection'), 'close');
    }
    for (let i = 0; i < 10; i++) {
      assert.equal((await service.get(VENDORS, { headers })).status, 200);
      assert.equal((await service.get('/health', { key: null, headers })).status, 200);
      assert.equal((await service.get('/ready', { key: null, headers })).status, 200);
    }
  }
  // The service does not log each refused request, because the metrics count them all.
  const lines = service.logged().split('\n');
  assert.ok(lines.some((line) => line.includes('too many from one address')));
  assert.ok(!lines.some((line) => line.includes('"status":429')));
});

test('threat 71: behind a proxy all addresses of a /64 share one count of failed authentications', async () => {
  const service = await startTestService({ TRUST_PROXY: '1' });
  const from = (address: string, key: string) =>
    service.get(VENDORS, { key, headers: { 'x-forwarded-for': address } });
  for (let i = 0; i < 60; i++) {
    assertRefused(await from(`2001:db8:0:1::${i.toString(16)}`, wrongKey()), 401, 'unauthorized', []);
  }
  assertRefused(await from('2001:db8:0:1:ffff::1', wrongKey()), 429, 'too_many_failures', []);
  assertRefused(await from('2001:db8:0:2::1', wrongKey()), 401, 'unauthorized', []);
  assert.equal((await from('2001:db8:0:1::1', service.business.testKey)).status, 200);

  for (let i = 0; i < 60; i++) {
    const address = i % 2 === 0 ? '192.0.2.1' : '::ffff:192.0.2.1';
    assertRefused(await from(address, wrongKey()), 401, 'unauthorized', []);
  }
  assertRefused(await from('::ffff:c000:201', wrongKey()), 429, 'too_many_failures', []);
});

test('threat 77: behind a proxy the limit applies to the client, not to the proxy', async () => {
  const service = await startTestService({ ...SLOW, TRUST_PROXY: '1' });
  const from = (address: string) =>
    service.get('/openapi.json', { key: null, headers: { 'x-forwarded-for': address } });
  const statuses = [];
  for (let i = 0; i < 30; i++) statuses.push((await from(`2001:db8:0:1::${i.toString(16)}`)).status);
  assert.ok(statuses.includes(429));
  assert.equal((await from('192.0.2.9')).status, 200);
});

test('metrics on a loopback address respond only to requests for its own host names', async () => {
  const service = await startTestService();
  const { port } = new URL(service.baseUrl);
  const ask = async (host: string) => {
    const text = await rawExchange(
      service.baseUrl,
      `GET /metrics HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`,
    );
    return text.startsWith('HTTP/1.1 200 ') ? undefined : parseRawAnswer(text);
  };
  for (const own of [
    'localhost',
    'LOCALHOST:80',
    `localhost:${port}`,
    `127.0.0.1:${port}`,
    '127.1.2.3',
    '[::1]:4000',
  ]) {
    assert.equal(await ask(own), undefined, own);
  }
  for (const other of [
    'rebound.example',
    `rebound.example:${port}`,
    '127.0.0.1.rebound.example',
    '10.0.0.1',
    '',
  ]) {
    assertRefused((await ask(other))!, 404, 'not_found', []);
  }
});
