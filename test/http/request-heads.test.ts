// Tests requests that a proxy and the service could interpret differently, or that the service does not support. Examples are
// compressed or encoded bodies, several hosts, CONNECT, and percent signs in the path. Each request gets one clear refusal, and
// the service stores nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { buyBody } from '../support/service.ts';
import { sharedTestService } from '../support/sharing/shared-service.ts';
import { assertRefused, ONRAMP, parseRawAnswer, rawExchange, send, storingNothing } from './helpers.ts';

const service = await sharedTestService();
const { business } = service;
const json = { 'content-type': 'application/json' };
const key = `svc-sec-key: ${business.testKey}`;
const CLOSE = 'connection: close';
const head = (line: string, ...headers: string[]) => [line, ...headers, '', ''].join('\r\n');

async function rawRefused(bytes: string | readonly string[], status: number, code: string): Promise<void> {
  for (const base of [service.baseUrl, service.otcBaseUrl]) {
    const text = await storingNothing(service, () => rawExchange(base, bytes));
    const answer = parseRawAnswer(text);
    assertRefused(answer, status, code, []);
    assert.equal(answer.headers.get('connection'), 'close', String(bytes));
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.equal(text.match(/HTTP\/1\.1 /g)?.length, 1);
  }
}

test('a compressed body gets 415, whatever its content is', async () => {
  const body = Buffer.from(JSON.stringify(buyBody(business)));
  for (const [coding, bytes] of [
    ['gzip', gzipSync(body)],
    ['gzip', body],
    ['br', body],
    ['identity, gzip', body],
    ['nonsense', body],
  ] as const) {
    const headers = { ...json, 'content-encoding': coding };
    const answer = await storingNothing(service, () =>
      send(service, 'POST', ONRAMP, { headers, body: new Uint8Array(bytes) }),
    );
    assertRefused(answer, 415, 'unsupported_media_type', []);
  }
  const headers = { ...json, 'content-encoding': 'Identity' };
  assert.equal((await send(service, 'POST', ONRAMP, { headers, body: new Uint8Array(body) })).status, 200);
});

test('a transfer coding other than chunked gets 400 and closes the connection', async () => {
  const chunked = '2\r\n{}\r\n0\r\n\r\n';
  for (const codings of [
    ['transfer-encoding: gzip, chunked'],
    ['transfer-encoding: chunked, chunked'],
    ['transfer-encoding: gzip', 'transfer-encoding: chunked'],
    ['transfer-encoding: identity, chunked'],
  ]) {
    const bytes = head(
      `POST ${ONRAMP} HTTP/1.1`,
      'host: x',
      key,
      'content-type: application/json',
      ...codings,
    );
    await rawRefused([bytes, chunked], 400, 'malformed_request');
  }
  const old = head(`POST ${ONRAMP} HTTP/1.0`, 'host: x', key, 'transfer-encoding: chunked');
  await rawRefused([old, chunked], 400, 'malformed_request');
  const fine = head(`POST ${ONRAMP} HTTP/1.1`, 'host: x', key, CLOSE, 'transfer-encoding: Chunked');
  const text = await rawExchange(service.baseUrl, [fine, chunked]);
  assertRefused(parseRawAnswer(text), 415, 'unsupported_media_type', []);
});

test('a missing, repeated or malformed Host header gets 400; HTTP/1.0 needs no Host header', async () => {
  for (const headers of [
    [],
    ['host: a', 'host: b'],
    ['host: a', 'Host: a'],
    ['host: a b'],
    ['host: a, b'],
    ['host: a/b'],
    ['host: user@a'],
  ]) {
    await rawRefused(head('GET /health HTTP/1.1', ...headers), 400, 'malformed_request');
  }
  for (const bytes of [
    head('GET /health HTTP/1.0'),
    head('GET /health HTTP/1.1', 'host: [::1]:4000', CLOSE),
    head('GET /health HTTP/1.1', 'host:', CLOSE),
  ]) {
    assert.match(await rawExchange(service.baseUrl, bytes), /^HTTP\/1\.1 200 OK\r\n/);
  }
});

test('threat 77: hundreds of small headers are refused', async () => {
  const many = Array.from({ length: 300 }, () => 'a:');
  await rawRefused(head('GET /health HTTP/1.1', 'host: x', ...many), 400, 'malformed_request');
});

test('CONNECT gets 405, and the connection is closed', async () => {
  for (const target of ['example.com:443', '/health']) {
    await rawRefused(head(`CONNECT ${target} HTTP/1.1`, 'host: x'), 405, 'method_not_allowed');
  }
  const answer = parseRawAnswer(await rawExchange(service.baseUrl, head('CONNECT a:1 HTTP/1.1', 'host: x')));
  assert.equal(answer.headers.get('allow'), 'GET, HEAD, POST, PUT');
});

test('CONNECT after another request does not replace the response to that request', async () => {
  const text = await rawExchange(
    service.baseUrl,
    head('GET /ready HTTP/1.1', 'host: x') + head('CONNECT a:1 HTTP/1.1', 'host: x'),
  );
  assert.match(text, /^HTTP\/1\.1 200 OK\r\n/);
});

test('a path with percent signs gets 404, on every route', async () => {
  const id = (await service.post(ONRAMP, buyBody(business))).body.transaction.transaction_id;
  const body = Buffer.from(JSON.stringify(buyBody(business)));
  const paths: readonly [string, string][] = [
    ['GET', '/transactions/v1/onr%61mp'],
    ['POST', '/transactions/v1/onr%61mp'],
    ['PUT', '/transactions/v1/onr%61mp'],
    ['GET', `/transactions/v1/%74${id.slice(1)}`],
    ['GET', `/transactions/v1/${id}/timelin%65`],
    ['POST', `/transactions/v1/${id}/c%61ncel`],
    ['GET', '/transactions%2fv1'],
    ['GET', '/transactions/v1/vendor%73'],
    ['GET', '/rates/v1/usdc%2Dngnc'],
    ['POST', '/sandbox/v1/bank%2dcredits'],
    ['GET', '/he%61lth'],
    ['GET', '/%6detrics'],
    ['GET', '/openapi%2ejson'],
    ['GET', '/transactions/v1/%00'],
    ['GET', '/transactions/v1/%zz'],
  ];
  for (const [method, path] of paths) {
    const answer = await storingNothing(service, () =>
      send(service, method, path, { headers: json, ...(method !== 'GET' && { body: new Uint8Array(body) }) }),
    );
    assertRefused(answer, 404, 'not_found', []);
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff', path);
    assert.equal(answer.headers.get('cache-control'), 'no-store', path);
  }
  assert.equal((await service.get('/transactions/v1?reference=a%2Db')).status, 200);
});

test('threat 77: endless chunk extensions close the connection', async () => {
  const bytes = [
    head(
      `POST ${ONRAMP} HTTP/1.1`,
      'host: x',
      key,
      'content-type: application/json',
      'transfer-encoding: chunked',
    ),
    `2;a=${'b'.repeat(20_000)}\r\n{}\r\n`,
  ];
  const text = await storingNothing(service, () => rawExchange(service.baseUrl, bytes));
  assertRefused(parseRawAnswer(text), 413, 'body_too_large', []);
});

test('every response has a content type and is not cacheable, unless its route allows it', async () => {
  const { transaction } = (await service.post(ONRAMP, buyBody(business))).body;
  for (const [path, caching] of [
    ['/transactions/v1', 'no-store'],
    [`/transactions/v1/${transaction.transaction_id}`, 'no-store'],
    [`/transactions/v1/${transaction.transaction_id}/timeline`, 'no-store'],
    ['/transactions/v1/txn_none', 'no-store'],
    ['/transactions/v1/vendors', 'private, no-cache'],
    ['/rates/v1/usdc-ngnc', 'private, no-cache'],
    [`${service.otcBaseUrl}/otc/buy`, 'private, no-cache'],
    ['/health', 'no-store'],
    ['/metrics', 'no-store'],
    ['/nothing', 'no-store'],
    ['/', 'no-cache'],
    ['/openapi.json', 'no-cache'],
  ] as const) {
    const { headers } = await service.get(path);
    assert.equal(headers.get('x-content-type-options'), 'nosniff', path);
    assert.equal(headers.get('cache-control'), caching, path);
  }
});

test('HTTP/1.0 clients may keep their connection open, and each of their requests gets a response', async () => {
  const keep = head('GET /health HTTP/1.0', 'connection: keep-alive');
  const text = await rawExchange(service.baseUrl, keep + keep + head('GET /health HTTP/1.0'));
  assert.equal(text.match(/HTTP\/1\.1 200 OK/g)?.length, 3);
});
