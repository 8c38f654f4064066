// Tests the webhook sender: its requests, TLS, its connections per endpoint, unknown host names, and how it stops.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { makeCertificate } from '../../../test/support/certificate.ts';
import { limitMs, longEnough, until } from '../../../test/support/patience.ts';
import {
  onRequest,
  openNameServer,
  openReceiver,
  type Receiver,
} from '../../../test/support/webhooks/receivers.ts';
import type { WebhookOutcome, WebhookSender } from '../../ports/webhooks.ts';
import { makeResolveHost } from './address-rules.ts';
import { makeWebhookSender } from './sender.ts';
import { judgeWebhookAddress, type SenderSettings } from './sender-rules.ts';
import { CONNECTIONS_PER_ENDPOINT } from './undici-sender.ts';

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

function openSender(changes: Partial<SenderSettings> = {}): WebhookSender & AsyncDisposable {
  const sender = makeWebhookSender({
    allowsLoopback: true,
    allowedSubnets: [],
    timeoutMs: limitMs('answer'),
    ...changes,
  });
  return { ...sender, [Symbol.asyncDispose]: () => sender.close() };
}

function request(endpointId: string, port: number, url = `http://127.0.0.1:${port}/hook?a=1`) {
  return {
    endpointId,
    url,
    mode: 'test',
    headers: { 'webhook-id': 'evt_1', 'content-type': 'application/json' },
    body: '{"₦":1}',
  } as const;
}

const openHappy = (): Promise<Receiver> =>
  openReceiver((socket) => onRequest(socket, () => socket.write(OK)));
const openSilent = (): Promise<Receiver> => openReceiver((socket) => socket.resume());
const problemOf = (outcome: WebhookOutcome) => (outcome.kind === 'failed' ? outcome.problem : outcome.kind);

test('the request is a POST with the given headers and body, and does not request compression', async () => {
  const seen: string[] = [];
  await using receiver = await openReceiver((socket) =>
    onRequest(socket, (text) => {
      seen.push(text);
      socket.write('HTTP/1.1 429 Slow\r\nretry-after: 7\r\ncontent-length: 4\r\n\r\nslow');
    }),
  );
  await using sender = openSender();
  const { durationMs, ...outcome } = await sender.send(request('whe_1', receiver.port));
  assert.deepEqual(outcome, { kind: 'answered', status: 429, retryAfterMs: 7_000, answer: 'slow' });
  assert.ok(Number.isSafeInteger(durationMs) && durationMs >= 0);
  assert.equal(
    seen[0],
    `POST /hook?a=1 HTTP/1.1\r\nhost: 127.0.0.1:${receiver.port}\r\nconnection: keep-alive\r\nwebhook-id: evt_1\r\n` +
      'content-type: application/json\r\ncontent-length: 9\r\n\r\n{"₦":1}',
  );
});

test('connections are reused, each endpoint has a maximum number of them, and further requests wait', async () => {
  await using receiver = await openHappy();
  await using sender = openSender();
  const outcomes = await Promise.all(
    Array.from({ length: 60 }, () => sender.send(request('whe_1', receiver.port))),
  );
  assert.ok(outcomes.every(({ kind }) => kind === 'answered'));
  assert.equal(receiver.connections(), CONNECTIONS_PER_ENDPOINT);
});

test('threat 74: an endpoint that hangs does not delay other endpoints', async () => {
  await using silent = await openSilent();
  await using happy = await openHappy();
  await using sender = openSender({ connectionsPerEndpoint: 2 });
  const stop = new AbortController();
  const hung = Array.from({ length: 20 }, () => sender.send(request('whe_slow', silent.port), stop.signal));
  await until('two connections are open', () => silent.open() === 2);
  for (let sent = 0; sent < 20; sent++)
    assert.equal((await sender.send(request(`whe_${sent}`, happy.port))).kind, 'answered');
  stop.abort();
  assert.deepEqual(new Set((await Promise.all(hung)).map(problemOf)), new Set(['connection']));
});

test('the connections of the least recently used endpoints are closed', async () => {
  await using receiver = await openHappy();
  await using sender = openSender({ endpointsKept: 2 });
  const send = (id: string) => sender.send(request(id, receiver.port));
  for (const id of ['whe_1', 'whe_2', 'whe_1', 'whe_3']) await send(id);
  await until('two connections are open', () => receiver.open() === 2);
  await send('whe_1');
  assert.equal(receiver.connections(), 3, 'whe_1 was used more recently than whe_2, so it kept its own');
  await send('whe_2');
  assert.equal(receiver.connections(), 4);
});

test('idle connections and the connections of a removed endpoint are closed', async () => {
  await using receiver = await openHappy();
  await using sender = openSender();
  await sender.send(request('whe_1', receiver.port));
  sender.forget('whe_1');
  sender.forget('whe_unknown');
  await until('no connection is open', () => receiver.open() === 0);
  await sender.send(request('whe_1', receiver.port));
  assert.equal(receiver.open(), 1);
  await until('no connection is open', () => receiver.open() === 0);
});

test('a new URL of an endpoint takes effect at once', async () => {
  await using before = await openHappy();
  await using after = await openHappy();
  await using sender = openSender();
  for (const { port } of [before, after]) await sender.send(request('whe_1', port));
  assert.equal(after.connections(), 1);
  const live = await sender.send({ ...request('whe_1', after.port), mode: 'live' });
  assert.equal(live.kind, 'refused', 'the same URL is judged anew in another mode');
});

test('threat 74: a request that is stopped while it waits for a connection is never sent', async () => {
  const sent = await longEnough(200, async (timeoutMs) => {
    const seen: string[] = [];
    await using silent = await openReceiver((socket) =>
      onRequest(socket, (text) => {
        seen.push(/^webhook-id: (.*)\r$/m.exec(text)![1]!);
      }),
    );
    await using sender = openSender({ connectionsPerEndpoint: 1, timeoutMs });
    const send = (id: string, signal?: AbortSignal) =>
      sender.send({ ...request('whe_1', silent.port), headers: { 'webhook-id': id } }, signal);
    const stop = new AbortController();
    let isOver = false;
    const first = send('first').finally(() => {
      isOver = true;
    });
    await until('the first arrived', () => seen.length === 1 || isOver, { everyMs: 5 });
    const waiting = send('stopped', stop.signal);
    stop.abort();
    assert.equal(problemOf(await waiting), 'connection');
    assert.equal(problemOf(await first), 'timeout');
    assert.equal(problemOf(await send('last')), 'timeout');
    assert.equal(problemOf(await send('never', stop.signal)), 'connection');
    assert.ok(
      seen.every((id) => id === 'first' || id === 'last'),
      seen.join(),
    );
    return seen.length < 2 ? undefined : seen;
  });
  assert.deepEqual(sent, ['first', 'last']);
});

test('closing the sender ends running attempts, and later attempts fail without throwing', async () => {
  await using silent = await openSilent();
  const sender = openSender();
  const running = sender.send(request('whe_1', silent.port));
  const leaving = sender.send(request('whe_2', silent.port));
  await until('two connections are open', () => silent.open() === 2);
  sender.forget('whe_2');
  await sender.close();
  assert.deepEqual([await running, await leaving].map(problemOf), ['connection', 'connection']);
  assert.equal(problemOf(await sender.send(request('whe_1', silent.port))), 'connection');
  await until('no connection is open', () => silent.open() === 0);
});

test('a refused connection, a host name without an address and an invalid header are failures', async () => {
  const closed = await openHappy();
  await closed[Symbol.asyncDispose]();
  await using happy = await openHappy();
  await using names = await openNameServer(() => []);
  await using sender = openSender({ resolveHost: makeResolveHost([names.address]) });
  assert.equal(problemOf(await sender.send(request('whe_1', closed.port))), 'connection');
  const nameless = await sender.send(request('whe_2', 0, 'http://none.example/'));
  assert.deepEqual(
    { ...nameless, durationMs: 0 },
    {
      kind: 'failed',
      problem: 'dns',
      detail: 'No address was found for the host name (ENODATA).',
      durationMs: 0,
    },
  );
  const split = { ...request('whe_3', happy.port), headers: { 'webhook-id': 'a\r\nhost: b' } };
  assert.equal(problemOf(await sender.send(split)), 'protocol');
  assert.equal(happy.connections(), 0);
});

test('threat 74: if the name server does not respond, the attempt ends at the time limit', async () => {
  await using names = await openNameServer(() => null);
  await using sender = openSender({ resolveHost: makeResolveHost([names.address]), timeoutMs: 300 });
  assert.equal(problemOf(await sender.send(request('whe_1', 0, 'http://slow.example/'))), 'timeout');
});

test('the issuer and the name of a certificate are always checked, and the environment cannot disable this', async (t) => {
  const { cert, key } = makeCertificate();
  let requests = 0;
  const server = createSecureServer({ cert, key, ALPNProtocols: ['h2', 'http/1.1'] }, (message, answer) => {
    requests += 1;
    message.resume();
    answer.end(`${message.httpVersion} ${(message.socket as unknown as { servername: string }).servername}`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const resolveHost = async () => ['127.0.0.1'];
  const named = (host: string) => request('whe_1', port, `https://${host}:${port}/`);
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  t.after(() => delete process.env.NODE_TLS_REJECT_UNAUTHORIZED);
  for (const settings of [{ resolveHost }, { resolveHost, ca: cert }]) {
    await using sender = openSender(settings);
    for (let time = 0; time < 3; time++) {
      const outcome = await sender.send(named('hooks.example'));
      assert.equal(problemOf(outcome), 'tls');
      assert.match(JSON.stringify(outcome), 'ca' in settings ? /ERR_TLS_CERT_ALTNAME/ : /SELF_SIGNED/);
    }
    assert.equal(requests, 0);
  }
  await using sender = openSender({ resolveHost, ca: cert });
  const trusted = await sender.send(named('localhost'));
  assert.equal(trusted.kind === 'answered' && trusted.answer, '1.1 localhost');
  const plain = await sender.send(request('whe_2', port, `http://localhost:${port}/`));
  assert.notEqual(plain.kind === 'answered' && plain.status, 200);
  server.closeAllConnections();
});

test('an https URL of a server without TLS causes a TLS failure', async () => {
  await using receiver = await openReceiver((socket) => socket.once('data', () => socket.write(OK)));
  await using sender = openSender();
  const outcome = await sender.send(request('whe_1', 0, `https://127.0.0.1:${receiver.port}/`));
  assert.equal(problemOf(outcome), 'tls');
});

test('the check of new URLs allows loopback only in test mode', () => {
  const settings = { allowsLoopback: true, allowedSubnets: ['10.1.0.0/16'] };
  assert.equal(judgeWebhookAddress('127.0.0.1', 'test', settings), 'allowed');
  assert.equal(judgeWebhookAddress('127.0.0.1', 'live', settings), 'refused');
  assert.equal(judgeWebhookAddress('10.1.2.3', 'live', settings), 'allowed');
  assert.equal(judgeWebhookAddress('127.0.0.1', 'test', { ...settings, allowsLoopback: false }), 'refused');
});
