// Tests that a secret key never appears in the service's output, even at the most detailed log level, wherever a caller puts
// the key.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { startProcess } from '../support/process.ts';
import { buyBody, type TestBusiness } from '../support/service.ts';

test('threat 70: no secret key is logged at LOG_LEVEL=trace, wherever callers put it', async (t) => {
  const service = await startProcess(t, { settings: { LOG_LEVEL: 'trace' } });
  const business = service.business();
  for (const key of [business.liveKey, business.testKey]) {
    for (const [url, options] of misplaced(service.baseUrl, business, key)) {
      const answer = await fetch(url, options);
      assert.doesNotMatch(await answer.text(), /internal_error/, url);
    }
    await sendRaw(service.home.port, `GET /health HTTP/1.1\r\nsvc-sec-key ${key}\r\n\r\n`);
    await sendRaw(service.home.port, `${key} / HTTP/1.1\r\n\r\n`);
  }
  await service.stop();

  const output = service.stdout() + service.stderr();
  assert.match(output, /"msg":"answered"/);
  const linesWith = (text: string) => output.split('\n').filter((line) => line.includes(text));
  assert.deepEqual(linesWith(business.liveKey), [], 'the live key');
  const shown = linesWith(business.testKey);
  assert.equal(shown.length, 1, `the test key is shown once: ${shown.join('\n')}`);
  assert.match(shown[0]!, /^ {2}curl -s \S+ -H "svc-sec-key: sk_test_/);
  const databaseLog = readFileSync(path.join(service.home.dataDir, 'postgres.log'), 'utf8');
  assert.doesNotMatch(databaseLog, /sk_(live|test)_/, "the database's own log");
});

type Call = [url: string, options: RequestInit];

function misplaced(baseUrl: string, business: TestBusiness, key: string): Call[] {
  const header = { 'svc-sec-key': key };
  const json = { ...header, 'content-type': 'application/json' };
  const onramp = `${baseUrl}/transactions/v1/onramp`;
  const post = (body: unknown, headers: Record<string, string> = json): Call => [
    onramp,
    { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) },
  ];
  return [
    [`${baseUrl}/transactions/v1/vendors`, { headers: header }],
    [`${baseUrl}/transactions/v1/${key}`, { headers: header }],
    [`${baseUrl}/transactions/v1/vendors`, { headers: { 'svc-sec-key': `${key.slice(0, -1)}!` } }],
    [`${baseUrl}/transactions/v1/vendors`, { headers: { authorization: `Bearer ${key}`, cookie: key } }],
    [`${baseUrl}/transactions/v1/vendors?svc-sec-key=${key}`, {}],
    [`${baseUrl}/transactions/v1?reference=${key}&cursor=${key}`, { headers: header }],
    [`${baseUrl}/nowhere?key=${key}`, { headers: header }],
    post(buyBody(business, { reference: `ref-${key.slice(-8)}`, svc_sec_key: key, account_name: 'Ada' })),
    post(buyBody(business, { business_id: key, link_tag: key })),
    post({ [key]: key }),
    post(`{"svc-sec-key": "${key}"`),
    post(`svc-sec-key=${key}`, { ...header, 'content-type': 'application/x-www-form-urlencoded' }),
    post({}, { ...json, 'idempotency-key': key, referer: `http://x/?${key}`, 'user-agent': key }),
  ];
}

async function sendRaw(port: number, bytes: string): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.end(bytes);
  socket.resume();
  await once(socket, 'close');
}
