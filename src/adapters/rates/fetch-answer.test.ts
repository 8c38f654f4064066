// Tests a request to a rate source: one overall time limit, a maximum response size, and failures that explain the cause
// without showing a key.
import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createSocket, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { inTime, limitMs } from '../../../test/support/patience.ts';
import { SourceFailure, type SourceFailureCode } from '../../ports/rates.ts';
import { fetchAnswer, type SourceQuestion } from './fetch-answer.ts';

const NOW = 1_763_078_551_000;
const NEVER = new AbortController().signal;
const SECRET = 'SECRET-8271';
const LONG_MS = 2 ** 31 - 1;

async function listening(
  t: TestContext,
  server: ReturnType<typeof createServer> | ReturnType<typeof createSocket>,
) {
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  t.after(() => {
    server.close();
    if ('closeAllConnections' in server) server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/${SECRET}?key=${SECRET}`;
}

const served = (t: TestContext, listener: RequestListener) => listening(t, createServer(listener));
const rawly = (t: TestContext, answer: (socket: Socket) => void) =>
  listening(
    t,
    createSocket((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => answer(socket));
    }),
  );
const ask = (url: string, changes: Partial<SourceQuestion> = {}, stop = NEVER) =>
  fetchAnswer(
    { url, headers: { 'x-api-key': SECRET }, timeoutMs: limitMs('answer'), mostBytes: 1_000, ...changes },
    { now: () => NOW },
    stop,
  );

async function failure(asked: Promise<unknown>): Promise<{ code: SourceFailureCode; message: string }> {
  const error = await asked.then(
    () => assert.fail('it answered'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof SourceFailure, `${error}`);
  assert.ok(
    !`${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`.includes(SECRET),
    error.message,
  );
  return error;
}

test('a response contains its text, the time of the request, and the age from its headers', async (t) => {
  let seen: unknown;
  const url = await served(t, ({ headers, method }, answer) => {
    seen = [method, headers['x-api-key'], headers['user-agent'], headers.accept, headers['accept-encoding']];
    answer.writeHead(200, {
      'content-type': 'application/json',
      date: 'Thu, 13 Nov 2025 23:00:00 GMT',
      age: '40',
    });
    answer.end('\ufeff{"a":1}');
  });
  assert.deepEqual(await ask(url, { headers: { 'x-api-key': SECRET, 'user-agent': 'Sliproad/1' } }), {
    text: '{"a":1}',
    askedAtMs: NOW,
    datedMs: Date.parse('2025-11-13T23:00:00Z'),
    cachedForMs: 40_000,
  });
  assert.deepEqual(seen, ['GET', SECRET, 'Sliproad/1', 'application/json', 'gzip']);
});

test('invalid date and age headers are ignored', async (t) => {
  const url = await served(t, (_, answer) => {
    answer.sendDate = false;
    answer.writeHead(200, { age: '-5', date: 'soon' }).end('{}');
  });
  const { datedMs, cachedForMs } = await ask(url);
  assert.deepEqual([datedMs, cachedForMs], [null, 0]);
});

test('gzip is decompressed up to the size limit', async (t) => {
  const url = await served(t, ({ url: path }, answer) => {
    const body = path!.startsWith('/bomb') ? 'x'.repeat(1_001) : 'x'.repeat(1_000);
    const bytes = gzipSync(body);
    const end = path!.startsWith('/cut') ? -4 : undefined;
    answer
      .writeHead(200, { 'content-encoding': path!.startsWith('/brotli') ? 'br' : 'gzip' })
      .end(bytes.subarray(0, end));
  });
  assert.equal((await ask(url)).text.length, 1_000);
  const at = (path: string) => failure(ask(new URL(path, url).href));
  assert.match((await at('/bomb')).message, /more than 1000 bytes/);
  assert.match((await at('/cut')).message, /cannot be decompressed/);
  assert.match((await at('/brotli')).message, /compressed in a way that was not asked for/);
  assert.equal((await at('/cut')).code, 'unreadable');
});

test('a response that is too large is not read to its end, with or without a content-length', async (t) => {
  let sentBytes = 0;
  const url = await served(t, ({ url: path }, answer) => {
    if (path === '/length') return void answer.writeHead(200, { 'content-length': 1_001 }).write('x');
    const timer = setInterval(() => {
      sentBytes += 500;
      answer.write('x'.repeat(500));
    }, 1);
    answer.on('close', () => clearInterval(timer));
  });
  for (const path of ['/length', '/endless']) {
    const { code, message } = await failure(ask(new URL(path, url).href));
    assert.deepEqual([code, message], ['unreadable', 'The answer has more than 1000 bytes.']);
  }
  assert.ok(sentBytes < 1_000_000);
});

test('slow headers and bodies are stopped by the overall time limit', async (t) => {
  const url = await served(t, ({ url: path }, answer) => {
    if (path === '/silent') return;
    answer.writeHead(200);
    const timer = setInterval(() => answer.write(' '), 20);
    answer.on('close', () => clearInterval(timer));
  });
  for (const path of ['/silent', '/drip']) {
    const asked = ask(new URL(path, url).href, { timeoutMs: 300 });
    const { code, message } = await failure(inTime('the time limit', asked));
    assert.equal(code, 'unreachable');
    assert.match(message, /^127\.0\.0\.1:\d+ did not answer within 300 ms\.$/);
  }
});

test('a server that never completes its headers is also stopped by the time limit', async (t) => {
  const url = await rawly(t, (socket) => void socket.write('HTTP/1.1 200 OK\r\nx: '));
  assert.match((await failure(ask(url, { timeoutMs: 300 }))).message, /did not answer within/);
});

test('the caller can stop the request before it starts and while it waits', async (t) => {
  const url = await served(t, () => undefined);
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 50);
  const stopped = await failure(inTime('the stop', ask(url, { timeoutMs: LONG_MS }, stop.signal)));
  assert.deepEqual([stopped.code, stopped.message], ['unreachable', 'The reading was stopped.']);
  assert.equal((await failure(ask(url, {}, AbortSignal.abort()))).message, 'The reading was stopped.');
});

test('a redirect is not followed', async (t) => {
  const paths: (string | undefined)[] = [];
  const url = await served(t, ({ url: path }, answer) => {
    paths.push(path);
    answer.writeHead(302, { location: `/elsewhere-${SECRET}` }).end();
  });
  const { code, message } = await failure(ask(url));
  assert.equal(code, 'refused');
  assert.match(
    message,
    /^127\.0\.0\.1:\d+ answers with status 302, a redirect, which is not followed: correct the URL/,
  );
  assert.equal(paths.length, 1);
});

test('a status other than 200 is a refusal, whatever the body is', async (t) => {
  const url = await served(t, ({ url: path }, answer) => {
    answer.writeHead(Number(path!.slice(1)), { 'content-type': 'text/html' }).end(`<html>${SECRET}</html>`);
  });
  for (const status of [201, 204, 400, 401, 403, 404, 429, 500, 503]) {
    const { code, message } = await failure(ask(new URL(`/${status}`, url).href));
    assert.equal(code, 'refused', `${status}`);
    assert.match(
      message,
      new RegExp(`^127\\.0\\.0\\.1:\\d+ answers with status ${status}(: it is asked too often)?\\.$`),
    );
  }
});

test('a web page or XML with status 200 is not JSON', async (t) => {
  const url = await served(t, ({ url: path }, answer) => {
    answer.writeHead(200, { 'content-type': path!.slice(1) }).end('<html></html>');
  });
  for (const type of ['text/html;charset=utf-8', 'Application/XML', 'text/xml', 'application/problem+xml']) {
    const { code, message } = await failure(ask(new URL(`/${type}`, url).href));
    assert.equal(code, 'unreadable');
    assert.match(message, /answers with \S+, not with JSON/);
  }
});

test('a response that is not UTF-8 is refused', async (t) => {
  const url = await served(t, (_, answer) => void answer.writeHead(200).end(Buffer.from([0x22, 0xff, 0x22])));
  assert.equal((await failure(ask(url))).message, 'The answer is not text in UTF-8.');
});

test('a refused, reset or interrupted connection means unreachable; a response that is not HTTP means unreadable', async (t) => {
  const closed = await listening(t, createSocket());
  const reset = await rawly(t, (socket) => void socket.resetAndDestroy());
  const early = await rawly(t, (socket) => void socket.end());
  const inside = await rawly(t, (socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{'));
  const chunked = await rawly(
    t,
    (socket) => void socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n9\r\n{'),
  );
  const free = new URL(closed);
  free.port = '1';
  for (const url of [free.href, reset, early, inside, chunked]) {
    const { code, message } = await failure(ask(url));
    assert.equal(code, 'unreachable', message);
    assert.match(message, /^127\.0\.0\.1(:\d+)? cannot be reached( \([A-Z_0-9]+\))?\.$/);
  }
  const noise = await rawly(t, (socket) => void socket.end(`${SECRET} is not HTTP\r\n\r\n`));
  const long = await rawly(
    t,
    (socket) => void socket.end(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`),
  );
  for (const url of [noise, long]) assert.equal((await failure(ask(url))).code, 'unreadable');
});
