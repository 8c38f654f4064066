// Threat 71: the service limits the guessing of keys per address and per key prefix. A valid key has its own rate limit, and
// the two limits do not affect each other.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSecretKey } from '../../src/domain/catalogue/secret-keys.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { assertRefused } from './helpers.ts';

const wrongKey = () => makeSecretKey('test', crypto.getRandomValues(new Uint8Array(96)));
const ask = (service: TestService, key: string | null | undefined, headers: Record<string, string> = {}) =>
  service.get('/transactions/v1/vendors', { ...(key !== undefined && { key }), headers });

test('threat 71: after 60 failures in a minute further ones get 429, while a valid key still works', async () => {
  const service = await startTestService();
  for (let i = 0; i < 60; i++) assertRefused(await ask(service, wrongKey()), 401, 'unauthorized', []);
  for (const key of [wrongKey(), 'malformed', 'sk_test_']) {
    const limited = await ask(service, key);
    assertRefused(limited, 429, 'too_many_failures', []);
    assert.equal(limited.headers.get('retry-after'), '60');
  }
  assert.equal((await ask(service, undefined)).status, 200);
  assertRefused(await ask(service, null), 401, 'unauthorized', []);
  const otc = await service.get(`${service.otcBaseUrl}/otc/buy`, { key: wrongKey() });
  assertRefused(otc, 429, 'too_many_failures', []);
});

test('threat 71: an address that the client puts into a header does not bypass the limit', async () => {
  const service = await startTestService({ AUTH_FAILURES_PER_MINUTE: '5' });
  const from = (i: number) => ({ 'x-forwarded-for': `10.0.0.${i}`, 'x-real-ip': `10.0.0.${i}` });
  for (let i = 0; i < 5; i++) assertRefused(await ask(service, wrongKey(), from(i)), 401, 'unauthorized');
  assertRefused(await ask(service, wrongKey(), from(99)), 429, 'too_many_failures');
});

test('threat 71: behind a trusted proxy failures are counted per client address, and per key prefix across addresses', async () => {
  const service = await startTestService({ AUTH_FAILURES_PER_MINUTE: '5', TRUST_PROXY: '1' });
  const from = (i: number) => ({ 'x-forwarded-for': `10.9.9.9, 10.0.0.${i}` });
  for (let i = 0; i < 5; i++) assertRefused(await ask(service, wrongKey(), from(1)), 401, 'unauthorized');
  assertRefused(await ask(service, wrongKey(), from(1)), 429, 'too_many_failures');
  assertRefused(await ask(service, wrongKey(), from(2)), 401, 'unauthorized');

  const prefix = service.business.testKey.slice(0, 12);
  for (let i = 10; i < 15; i++) {
    assertRefused(await ask(service, `${prefix}${'x'.repeat(34)}`, from(i)), 401, 'unauthorized');
  }
  assertRefused(await ask(service, `${prefix}${'y'.repeat(34)}`, from(20)), 429, 'too_many_failures');
  assert.equal((await ask(service, undefined, from(1))).status, 200);
});

test('a key that exceeds its rate limit gets 429, and other keys are not affected', async () => {
  const service = await startTestService({ RATE_LIMIT_PER_SECOND: '1', RATE_LIMIT_BURST: '5' });
  const answers = await Promise.all(Array.from({ length: 60 }, () => ask(service, undefined)));
  const limited = answers.filter(({ status }) => status === 429);
  assert.ok(answers.filter(({ status }) => status === 200).length >= 5);
  assert.ok(limited.length > 0);
  for (const answer of limited) {
    assertRefused(answer, 429, 'rate_limited', []);
    assert.equal(answer.headers.get('retry-after'), '1');
  }
  const other = await service.addBusiness('not-so-fast');
  assert.equal((await ask(service, other.testKey)).status, 200);
  assert.equal((await ask(service, service.business.liveKey)).status, 200);
});
