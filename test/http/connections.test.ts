// Threat 77, for each connection: how many requests may be in progress, how many connections may be open, and how the service
// drops a client that does not receive its responses.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { MOST_PIPELINED } from '../../src/http/admission/connections.ts';
import { makeCertificate } from '../support/certificate.ts';
import { makeHome } from '../support/home.ts';
import { limitMs, longEnough } from '../support/patience.ts';
import { buyBody, startTestService, type TestService } from '../support/service.ts';
import { sharedTestService } from '../support/sharing/shared-service.ts';
import { assertRefused, countRows, eventually, ONRAMP, parseRawAnswer, rawExchange } from './helpers.ts';

const HEALTH = 'GET /health HTTP/1.1\r\nhost: x\r\n\r\n';
const BUNDLE = 'GET /docs/static/swagger-ui-bundle.js HTTP/1.1\r\nhost: x\r\n\r\n';
/** If the expected event never happens, this timeout makes the test fail with its own message. */
const OPTIONS = { timeout: limitMs('file') };

/** The service must not close an idle connection while the test counts connections. */
const PATIENT = { HEADERS_TIMEOUT_MS: '600000', REQUEST_TIMEOUT_MS: '600000', WRITE_TIMEOUT_MS: '600000' };

const service = await sharedTestService();
const hasty = await startTestService({ WRITE_TIMEOUT_MS: '100' });

async function open(t: TestContext, baseUrl: string): Promise<Socket> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  t.after(() => socket.destroy());
  await once(socket, 'connect');
  return socket;
}

async function isServed(socket: Socket): Promise<boolean> {
  socket.write(HEALTH);
  const [data] = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
  return Buffer.isBuffer(data) && data.toString().startsWith('HTTP/1.1 200 OK');
}

const connectionsOf = ({ service }: TestService) =>
  new Promise<number>((resolve) =>
    service.servers.main.server.getConnections((_error, count) => resolve(count)),
  );

test('threat 77: the number of requests in progress on one connection is limited; one more is refused and closes the connection', async (t) => {
  const socket = await open(t, service.baseUrl);
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  for (let round = 1; round <= 3; round++) {
    socket.write(HEALTH.repeat(MOST_PIPELINED));
    await eventually(() => text.match(/ 200 OK/g)?.length === round * MOST_PIPELINED, 'all are answered');
  }
  const flood = await rawExchange(service.baseUrl, HEALTH.repeat(MOST_PIPELINED + 500));
  const statuses = [...flood.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => match[1]);
  assert.deepEqual(statuses, [...Array(MOST_PIPELINED).fill('200'), '429']);
  const last = parseRawAnswer(flood.slice(flood.lastIndexOf('HTTP/1.1')));
  assertRefused(last, 429, 'rate_limited', []);
  assert.equal(last.headers.get('retry-after'), '1');
  assert.equal(last.headers.get('connection'), 'close');
});

test('threat 77: each pipelined buy either gets a response or is not processed', async () => {
  const buys = Array.from({ length: MOST_PIPELINED + 20 }, (_, i) => {
    const body = JSON.stringify(buyBody(service.business, { reference: `pipelined-${i}` }));
    return (
      `POST ${ONRAMP} HTTP/1.1\r\nhost: x\r\nsvc-sec-key: ${service.business.testKey}\r\n` +
      `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
    );
  });
  const text = await rawExchange(service.baseUrl, buys.join(''));
  const accepted = text.match(/HTTP\/1\.1 200 OK/g)?.length;
  assert.equal(accepted, MOST_PIPELINED);
  assert.equal(text.match(/HTTP\/1\.1 429 /g)?.length, 1);
  assert.equal(await countRows(service, 'transactions'), accepted);
});

test('threat 77: connections per address are limited, and closing one makes room for a new one', async (t) => {
  const service = await startTestService({ ...PATIENT, MAX_CONNECTIONS_PER_ADDRESS: '5' });
  const sockets: Socket[] = [];
  for (let i = 0; i < 5; i++) {
    // Both ports share the limit.
    const socket = await open(t, i === 0 ? service.otcBaseUrl : service.baseUrl);
    sockets.push(socket);
    if (i > 0) assert.equal(await isServed(socket), true);
  }
  assert.equal(await isServed(await open(t, service.baseUrl)), false);
  assert.equal(await isServed(await open(t, service.baseUrl)), false);
  sockets[1]!.destroy();
  await eventually(async () => isServed(await open(t, service.baseUrl)), 'there is room again');
});

test('threat 77: connections per process are limited, and refused connections are counted', async (t) => {
  const service = await startTestService({ ...PATIENT, MAX_CONNECTIONS: '10' });
  const sockets = await Promise.all(Array.from({ length: 10 }, () => open(t, service.baseUrl)));
  for (const socket of sockets) assert.equal(await isServed(socket), true);
  assert.equal(await isServed(await open(t, service.baseUrl)), false);
  sockets[0]!.write('GET /metrics HTTP/1.1\r\nhost: localhost\r\n\r\n');
  let text = '';
  sockets[0]!.on('data', (chunk: Buffer) => {
    text += chunk;
  });
  await eventually(() => /^sliproad_http_connections_refused_total 1$/m.test(text), 'it is counted');
  assert.match(text, /^sliproad_http_connections 10$/m);
  assert.match(text, /^sliproad_http_unanswered_requests 1$/m);
});

test('the limit per address does not apply to a proxy, because many clients use it', async (t) => {
  for (const TRUST_PROXY of ['1', '127.0.0.0/8']) {
    const service = await startTestService({ TRUST_PROXY, MAX_CONNECTIONS_PER_ADDRESS: '3' });
    for (let i = 0; i < 8; i++) assert.equal(await isServed(await open(t, service.baseUrl)), true);
  }
});

test('threat 77: a client that does not read its responses is disconnected', OPTIONS, async (t) => {
  const sockets = await Promise.all(Array.from({ length: 10 }, () => open(t, hasty.baseUrl)));
  for (const socket of sockets) socket.pause().write(BUNDLE.repeat(20));
  await eventually(async () => (await connectionsOf(hasty)) === 0, 'all are closed');
});

test(
  'threat 77: a client that sends malformed requests and does not read the responses is disconnected',
  OPTIONS,
  async (t) => {
    const service = await startTestService({
      WRITE_TIMEOUT_MS: '100',
      HEADERS_TIMEOUT_MS: '1000',
      REQUEST_TIMEOUT_MS: '1000',
    });
    const socket = await open(t, service.baseUrl);
    socket.pause().write(BUNDLE.repeat(20));
    const dripping = setInterval(() => socket.write('x'), 20);
    t.after(() => clearInterval(dripping));
    await eventually(async () => (await connectionsOf(service)) === 0, 'it is closed');
  },
);

test('threat 77: a client that reads its responses slowly gets all of them', OPTIONS, async (t) => {
  const count = 8;
  const lasting = await longEnough(500, async (timeoutMs) => {
    const service = await startTestService({ WRITE_TIMEOUT_MS: String(timeoutMs) });
    const alone = BUNDLE.replace('x\r\n', 'x\r\nconnection: close\r\n');
    const whole = (await rawExchange(service.baseUrl, alone)).length;
    const socket = await open(t, service.baseUrl);
    const slowly = receiveSlowly(socket, count * (whole - 1_000), 1.5 * timeoutMs);
    socket.write(BUNDLE.repeat(count));
    const { received, longestMs } = await slowly;
    await service.service.close();
    if (received) return true;
    // The service may drop the client if the client itself was paused.
    assert.ok(longestMs > timeoutMs / 4, `dropped after ${longestMs} ms`);
    return undefined;
  });
  assert.ok(lasting);
});

/** Reads this many bytes in equal parts over that time. Returns whether the bytes arrived, and the longest pause. */
function receiveSlowly(socket: Socket, bytes: number, overMs: number) {
  const { promise, resolve } = Promise.withResolvers<{ received: boolean; longestMs: number }>();
  const startedAtMs = performance.now();
  let [lastAtMs, longestMs, received] = [startedAtMs, 0, 0];
  socket.on('close', () => resolve({ received: received > bytes, longestMs }));
  socket.on('data', (chunk: Buffer) => {
    const nowMs = performance.now();
    longestMs = Math.max(longestMs, nowMs - lastAtMs);
    lastAtMs = nowMs;
    received += chunk.length;
    if (received > bytes) return void socket.destroy();
    socket.pause();
    const aheadMs = startedAtMs + (received / bytes) * overMs - nowMs;
    setTimeout(() => socket.resume(), Math.max(0, aheadMs));
  });
  return promise;
}

test('a connection is not closed when the service is slow to respond', OPTIONS, async () => {
  const { database } = hasty.foundation;
  const slow = 'begin perform pg_sleep(0.75); return new; end';
  await database.query({ text: `create function slow() returns trigger language plpgsql as '${slow}'` });
  const trigger = 'create trigger slow before insert on transactions for each row execute function slow()';
  await database.query({ text: trigger });
  const answer = await hasty.post(ONRAMP, buyBody(hasty.business));
  assert.equal(answer.status, 200);
});

test(
  'threat 77: a connection that sends nothing, and a TLS handshake that never ends, are closed',
  OPTIONS,
  async (t) => {
    const limits = { HEADERS_TIMEOUT_MS: '500', REQUEST_TIMEOUT_MS: '600000', WRITE_TIMEOUT_MS: '600000' };
    const plain = await startTestService(limits);
    const silent = await open(t, plain.baseUrl);
    silent.resume();
    await once(silent, 'close');

    const { root } = await makeHome(t);
    const { cert, key } = makeCertificate();
    const files = { TLS_CERT: path.join(root, 'cert.pem'), TLS_KEY: path.join(root, 'key.pem') };
    writeFileSync(files.TLS_CERT, cert);
    writeFileSync(files.TLS_KEY, key, { mode: 0o600 });
    const secure = await startTestService({ ...limits, ...files });
    for (const bytes of ['', '\u0016\u0003\u0001']) {
      const socket = await open(t, secure.baseUrl);
      socket.resume().write(bytes);
      await once(socket, 'close');
    }
  },
);
