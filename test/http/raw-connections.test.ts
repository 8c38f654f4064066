// Threat 77 and malformed HTTP: such a request gets the common error body if a response is possible, and never keeps a
// connection open forever.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../support/service.ts';
import { sharedTestService } from '../support/sharing/shared-service.ts';
import { assertRefused, ONRAMP, parseRawAnswer, rawExchange, storingNothing } from './helpers.ts';

const service = await sharedTestService();
/** This service closes a connection soon if its headers do not end, but waits long for the body of a request. */
const impatient = await startTestService({ HEADERS_TIMEOUT_MS: '500', REQUEST_TIMEOUT_MS: '600000' });
const head = (line: string, ...headers: string[]) => [line, 'host: x', ...headers, '', ''].join('\r\n');
const key = `svc-sec-key: ${service.business.testKey}`;
const json = 'content-type: application/json';

async function refuses(bytes: string | readonly string[], status: number, code: string): Promise<void> {
  for (const base of [service.baseUrl, service.otcBaseUrl]) {
    const text = await storingNothing(service, () => rawExchange(base, bytes));
    const answer = parseRawAnswer(text);
    assertRefused(answer, status, code, []);
    assert.equal(answer.headers.get('connection'), 'close');
    assert.equal(
      Number(answer.headers.get('content-length')),
      Buffer.byteLength(JSON.stringify(answer.body)),
    );
  }
}

test('a malformed request line gets 400 with the common error body', async () => {
  for (const bytes of [
    'GARBAGE\r\n\r\n',
    'GET\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    'NOSUCHMETHOD / HTTP/1.1\r\nhost: x\r\n\r\n',
    'GET / HTTP/1.1 extra\r\nhost: x\r\n\r\n',
    '\u0016\u0003\u0001\u0002\u0000\u0001\u0000',
    '{"amount":15000}\r\n\r\n',
  ]) {
    await refuses(bytes, 400, 'malformed_request');
  }
});

test('malformed or contradictory headers get 400', async () => {
  for (const bytes of [
    head('GET /health HTTP/1.1', 'no colon here'),
    head('GET /health HTTP/1.1', 'bad name: x'),
    head('GET /health HTTP/1.1', 'x: a\u0000b'),
    head(`POST ${ONRAMP} HTTP/1.1`, key, json, 'content-length: 2', 'transfer-encoding: chunked'),
    head(`POST ${ONRAMP} HTTP/1.1`, key, json, 'content-length: 2', 'content-length: 3'),
    head(`POST ${ONRAMP} HTTP/1.1`, key, json, 'content-length: -1'),
    head(`POST ${ONRAMP} HTTP/1.1`, key, json, 'content-length: 2x'),
  ]) {
    await refuses(bytes, 400, 'malformed_request');
  }
});

test('headers that are too large get 431', async () => {
  await refuses(head('GET /health HTTP/1.1', `x: ${'a'.repeat(20_000)}`), 431, 'malformed_request');
  const many = Array.from({ length: 2_000 }, (_, i) => `x-${i}: ${i}`);
  await refuses(head('GET /health HTTP/1.1', ...many), 431, 'malformed_request');
  await refuses(head(`GET /${'a'.repeat(20_000)} HTTP/1.1`), 431, 'malformed_request');
});

test('threat 77: headers that never end get 408, and the connection is closed', async () => {
  const endless = ['GET /health HTTP/1.1\r\nhost: x\r\nx-slow: ', 'GET /hea', ''];
  for (const base of [impatient.baseUrl, impatient.otcBaseUrl]) {
    const texts = await Promise.all(endless.map((bytes) => rawExchange(base, bytes)));
    for (const text of texts) assertRefused(parseRawAnswer(text), 408, 'request_timeout', []);
  }
});

test('threat 77: if a body never ends, its connection is closed, and nothing is stored', async () => {
  const limits = { HEADERS_TIMEOUT_MS: '500', REQUEST_TIMEOUT_MS: '1000' };
  const hasty = await startTestService(limits, service.databaseUrl, service.business);
  const endless = [
    [head(`POST ${ONRAMP} HTTP/1.1`, key, json, 'content-length: 400'), '{"business_id":'],
    [head(`POST ${ONRAMP} HTTP/1.1`, key, json, 'transfer-encoding: chunked'), '5\r\n{"a":\r\n'],
  ];
  const texts = await storingNothing(service, () =>
    Promise.all(endless.map((bytes) => rawExchange(hasty.baseUrl, bytes))),
  );
  for (const text of texts) assertRefused(parseRawAnswer(text), 408, 'request_timeout', []);
  assert.equal((await hasty.get('/health')).status, 200);
});

test('threat 77: a hundred slow connections do not block others', async () => {
  const slow = Array.from({ length: 100 }, () =>
    rawExchange(impatient.baseUrl, 'POST /health HTTP/1.1\r\nhost: x\r\nx: '),
  );
  for (let i = 0; i < 20; i++) assert.equal((await impatient.get('/transactions/v1/vendors')).status, 200);
  for (const text of await Promise.all(slow)) assertRefused(parseRawAnswer(text), 408, 'request_timeout');
});

test('a malformed chunk gets 400, and the request is not processed', async () => {
  const bytes = [head(`POST ${ONRAMP} HTTP/1.1`, key, json, 'transfer-encoding: chunked'), 'zz\r\n{}\r\n'];
  const text = await storingNothing(service, () => rawExchange(service.baseUrl, bytes));
  assertRefused(parseRawAnswer(text), 400, 'malformed_request', []);
});

test('if a client disconnects in the middle of a request, nothing is stored', async () => {
  const { connect } = await import('node:net');
  const { hostname, port } = new URL(service.baseUrl);
  await storingNothing(service, async () => {
    await new Promise<void>((resolve) => {
      const socket = connect({ host: hostname, port: Number(port) }, () => {
        socket.write(head(`POST ${ONRAMP} HTTP/1.1`, key, json, 'content-length: 400'));
        socket.write('{"business_id":', () => socket.resetAndDestroy());
      });
      socket.on('close', () => resolve());
    });
    assert.equal((await service.get('/health')).status, 200);
  });
});

test('two requests in one write get two responses, in order', async () => {
  const text = await rawExchange(
    service.baseUrl,
    head('GET /health HTTP/1.1') + head('GET /nothing HTTP/1.1', 'connection: close'),
  );
  assert.deepEqual(
    [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => match[1]),
    ['200', '404'],
  );
});

test('an unsupported Expect header gets the common error body', async () => {
  const expecting = 'GET /health HTTP/1.1\r\nhost: x\r\nexpect: miracles\r\nconnection: close\r\n\r\n';
  assertRefused(parseRawAnswer(await rawExchange(service.baseUrl, expecting)), 417, 'malformed_request', []);
});
