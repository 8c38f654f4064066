// Tests endpoints that respond slowly, endlessly, wrongly or not at all. Each attempt ends within its time limit with an
// outcome that describes the problem.
import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { limitMs } from '../../../test/support/patience.ts';
import { onRequest, openReceiver } from '../../../test/support/webhooks/receivers.ts';
import type { WebhookOutcome } from '../../ports/webhooks.ts';
import { makeWebhookSender } from './sender.ts';

const SHORT_MS = 200;
const REQUEST = {
  endpointId: 'whe_1',
  mode: 'test',
  headers: { 'webhook-id': 'evt_1' },
  body: '{"a":1}',
} as const;

/** Sends two requests, to test that a connection with a bad response is not used for the next request. */
async function outcomeOf(
  serve: (socket: Socket) => void,
  timeoutMs = limitMs('answer'),
): Promise<WebhookOutcome> {
  await using receiver = await openReceiver(serve);
  const sender = makeWebhookSender({ allowsLoopback: true, allowedSubnets: [], timeoutMs });
  const url = `http://127.0.0.1:${receiver.port}/hook`;
  const first = await sender.send({ ...REQUEST, url });
  const second = await sender.send({ ...REQUEST, url });
  await sender.close();
  const { durationMs: _one, ...one } = first;
  const { durationMs: _two, ...two } = second;
  assert.deepEqual(two, one);
  return first;
}

const after = (answer: (socket: Socket) => void) => (socket: Socket) =>
  onRequest(socket, () => answer(socket));
const text = (answer: string | Buffer) => after((socket) => socket.write(answer));
function every(ms: number, socket: Socket, write: () => void): void {
  const timer = setInterval(write, ms);
  socket.on('close', () => clearInterval(timer));
}

const FAILURES: readonly (readonly [string, (socket: Socket) => void, string])[] = [
  ['no answer at all', after(() => undefined), 'timeout'],
  ['headers that never end', text('HTTP/1.1 200 OK\r\nx: y\r\n'), 'timeout'],
  [
    'headers byte by byte',
    after((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nx: ');
      every(50, socket, () => socket.write('y'));
    }),
    'timeout',
  ],
  [
    'a body byte by byte',
    after((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n');
      every(50, socket, () => socket.write('y'));
    }),
    'timeout',
  ],
  [
    'a chunked body that never ends',
    after((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      every(50, socket, () => socket.write('1\r\ny\r\n'));
    }),
    'timeout',
  ],
  ['huge headers', text(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`), 'answer_too_large'],
  ['many headers', text(`HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(20_000)}\r\n`), 'answer_too_large'],
  [
    'an endless series of 103 answers',
    text('HTTP/1.1 103 Early Hints\r\nx: y\r\n\r\n'.repeat(50)),
    'protocol',
  ],
  ['a connection closed at once', (socket) => socket.destroy(), 'connection'],
  ['a reset', after((socket) => socket.resetAndDestroy()), 'connection'],
  ['a connection that ends without an answer', after((socket) => socket.end()), 'connection'],
  [
    'a connection that ends inside the headers',
    after((socket) => socket.end('HTTP/1.1 200 OK\r\nx: y')),
    'connection',
  ],
  [
    'a connection that ends inside the body',
    after((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf')),
    'connection',
  ],
  [
    'a connection that ends inside a chunk',
    after((socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n9\r\nhalf')),
    'connection',
  ],
  ['another protocol', text('SSH-2.0-OpenSSH_9.6\r\n'), 'protocol'],
  ['random bytes', text(Buffer.from([0x16, 3, 1, 0, 0xff, 0, 0xfe, 10, 13, 10])), 'protocol'],
  ['a status that is not a number', text('HTTP/1.1 abc OK\r\n\r\n'), 'protocol'],
  ['HTTP/9.9', text('HTTP/9.9 200 OK\r\n\r\n'), 'protocol'],
  [
    'two different content-lengths',
    text('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nxy'),
    'connection',
  ],
  [
    'a content-length together with chunks',
    text('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'),
    'connection',
  ],
  ['a negative content-length', text('HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n'), 'protocol'],
  ['a line break inside a header', text('HTTP/1.1 200 OK\r\nx: a\rset-cookie: b\r\n\r\n'), 'protocol'],
  [
    'a zero byte inside a header',
    text('HTTP/1.1 200 OK\r\nx: a\0b\r\ncontent-length: 0\r\n\r\n'),
    'protocol',
  ],
  ['an unexpected 100 answer', text('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n'), 'protocol'],
  [
    'an upgrade to another protocol',
    text('HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    'protocol',
  ],
];

for (const [name, serve, problem] of FAILURES)
  test(`threat 74: an endpoint with "${name}" fails with the problem ${problem}`, async () => {
    const outcome = await outcomeOf(serve, problem === 'timeout' ? SHORT_MS : undefined);
    assert.equal(outcome.kind === 'failed' && outcome.problem, problem, JSON.stringify(outcome));
    assert.match(outcome.kind === 'failed' ? outcome.detail : '', /^[A-Z][^\n]{10,200}\.$/);
    assert.doesNotMatch(JSON.stringify(outcome), /127\.0\.0\.1|yyy|half|OpenSSH/);
  });

const close = 'connection: close\r\n';
const ANSWERS: readonly (readonly [string, (socket: Socket) => void, number, string | RegExp])[] = [
  ['200 with a content-length', text('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'), 200, 'ok'],
  [
    '200 in chunks',
    text('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n'),
    200,
    'ok',
  ],
  [
    '200 with a body that ends with the connection',
    after((socket) => socket.end(`HTTP/1.1 200 OK\r\n${close}\r\nok`)),
    200,
    'ok',
  ],
  ['HTTP/1.0', after((socket) => socket.end('HTTP/1.0 200 OK\r\n\r\nok')), 200, 'ok'],
  ['204', text('HTTP/1.1 204 No Content\r\n\r\n'), 204, ''],
  ['205', text('HTTP/1.1 205 Reset Content\r\ncontent-length: 0\r\n\r\n'), 205, ''],
  ['410', text('HTTP/1.1 410 Gone\r\ncontent-length: 4\r\n\r\ngone'), 410, 'gone'],
  ['500', text('HTTP/1.1 500 Oh\r\ncontent-length: 4\r\n\r\noops'), 500, 'oops'],
  ['a status without a reason text', text('HTTP/1.1 299 \r\ncontent-length: 0\r\n\r\n'), 299, ''],
  [
    '103 before 202',
    text('HTTP/1.1 103 Early\r\nx: y\r\n\r\nHTTP/1.1 202 OK\r\ncontent-length: 0\r\n\r\n'),
    202,
    '',
  ],
  [
    'bytes that are not UTF-8',
    text(
      Buffer.concat([
        Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n'),
        Buffer.from([97, 0xff, 0xc3, 0, 98]),
      ]),
    ),
    200,
    'a\ufffd\ufffd\\x00b',
  ],
  [
    'gzip that is not decompressed',
    text('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 3\r\n\r\n\x1f\x08\x00'),
    200,
    '\\x1f\\x08\\x00',
  ],
  [
    'a second answer inside the body',
    text('HTTP/1.1 200 OK\r\ncontent-length: 17\r\n\r\nHTTP/1.1 500 Oh\r\n'),
    200,
    'HTTP/1.1 500 Oh\\r\\n',
  ],
  [
    'a secret in the answer',
    text('HTTP/1.1 400 No\r\ncontent-length: 27\r\n\r\nbad whsec_c2VjcmV0c2VjcmV0!'),
    400,
    'bad [redacted]!',
  ],
  [
    '64 kB exactly',
    text(`HTTP/1.1 200 OK\r\ncontent-length: 65536\r\n\r\n${'z'.repeat(65_536)}`),
    200,
    /^z{4096}$/,
  ],
  [
    'an endless body at full speed',
    after((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      const chunk = `4000\r\n${'z'.repeat(0x4000)}\r\n`;
      const pour = () => {
        while (!socket.destroyed && socket.write(chunk));
      };
      socket.on('drain', pour);
      pour();
    }),
    200,
    /^z{4096}$/,
  ],
];

for (const [name, serve, status, answer] of ANSWERS)
  test(`threat 74: the response "${name}" is recorded with status ${status}`, async () => {
    const outcome = await outcomeOf(serve);
    assert.ok(outcome.kind === 'answered', JSON.stringify(outcome));
    assert.equal(outcome.status, status);
    if (typeof answer === 'string') assert.equal(outcome.answer, answer);
    else assert.match(outcome.answer, answer);
  });
