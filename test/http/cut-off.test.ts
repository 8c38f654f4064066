// Tests requests that end too early or never end. The client causes them, so the service does not log them as errors. It counts
// them in the metrics, like every response outside of a route.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { startTestService } from '../support/service.ts';
import { assertRefused, eventually, ONRAMP, parseRawAnswer, rawExchange } from './helpers.ts';

const service = await startTestService({ HEADERS_TIMEOUT_MS: '60000', REQUEST_TIMEOUT_MS: '60000' });
const POST = [
  `POST ${ONRAMP} HTTP/1.1`,
  'host: x',
  `svc-sec-key: ${service.business.testKey}`,
  'content-type: application/json',
  '',
].join('\r\n');

async function hastily<T>(work: () => Promise<T>): Promise<T> {
  const { server } = service.service.servers.main;
  const { headersTimeout, requestTimeout } = server;
  Object.assign(server, { headersTimeout: 500, requestTimeout: 500 });
  try {
    return await work();
  } finally {
    Object.assign(server, { headersTimeout, requestTimeout });
  }
}

/** Returns the number of counted responses with these labels. The labels are in the order of the metrics output. */
async function counted(labels: string): Promise<number> {
  const { text } = await service.get('/metrics', { key: null });
  const line = text.split('\n').find((each) => each.startsWith(`sliproad_http_requests_total{${labels}}`));
  return Number(line?.split(' ').at(-1) ?? 0);
}
const raw = (status: number) => counted(`method="none",route="none",status="${status}"`);

test('a client that disconnects during its body is not logged as an error', async () => {
  await service.get('/transactions/v1/vendors'); // after this request, the service knows the key
  const before = service.logged().length;
  const logged = () => service.logged().slice(before);
  for (const length of ['content-length: 400', 'transfer-encoding: chunked']) {
    const { hostname, port } = new URL(service.baseUrl);
    const socket = connect(Number(port), hostname);
    const request = once(service.service.servers.main.server, 'request');
    socket.write(`${POST}${length}\r\n\r\n5\r\n{"a":`);
    await request;
    socket.resetAndDestroy();
  }
  await eventually(
    () => logged().match(/"level":30,.*"a request was cut off"/g)?.length === 2,
    'both logged',
  );
  assert.doesNotMatch(logged(), /"level":(40|50)/);
});

test('threat 77: a body that never ends gets one 408, and it is not logged as our error', async () => {
  const before = service.logged().length;
  const text = await hastily(() => rawExchange(service.baseUrl, `${POST}content-length: 400\r\n\r\n{"a":`));
  assertRefused(parseRawAnswer(text), 408, 'request_timeout', []);
  await eventually(
    async () => (await raw(408)) + (await counted(`method="POST",route="${ONRAMP}",status="408"`)) === 1,
    'counted once',
  );
  assert.doesNotMatch(service.logged().slice(before), /"level":(40|50)|"status":500/);
});

test('responses that no route produced are counted by their status', async () => {
  const cases: readonly [string, number][] = [
    ['GARBAGE\r\n\r\n', 400],
    [`GET /health HTTP/1.1\r\nhost: x\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    ['GET /hea', 408],
    ['CONNECT a:1 HTTP/1.1\r\nhost: x\r\n\r\n', 405],
    ['GET /health HTTP/1.1\r\nhost: x\r\nexpect: miracles\r\n\r\n', 417],
    ['GET /health HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(60), 429],
  ];
  for (const [bytes, status] of cases) {
    const before = await raw(status);
    const exchange = () => rawExchange(service.baseUrl, bytes);
    const text = await (status === 408 ? hastily(exchange) : exchange());
    assert.match(text, new RegExp(`HTTP/1\\.1 ${status} `));
    assert.equal(await raw(status), before + 1, String(status));
  }
});
