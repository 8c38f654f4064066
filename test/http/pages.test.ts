// Tests the public pages. They are complete, served from memory, and compressed for clients that accept gzip. Clients that
// already have them get 304, and every other path below them is 404.
import assert from 'node:assert/strict';
import http from 'node:http';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { sharedTestService } from '../support/sharing/shared-service.ts';
import { assertRefused, parseRawAnswer, rawExchange } from './helpers.ts';

const service = await sharedTestService();
const BUNDLE = '/docs/static/swagger-ui-bundle.js';
const LARGE = ['/', '/openapi.json', '/docs/postman.json', BUNDLE, '/docs/static/swagger-ui.css'];
const SMALL = [
  '/docs',
  '/docs/',
  '/docs/static/swagger-initializer.js',
  '/docs/static/index.css',
  '/docs/static/favicon-32x32.png',
];

interface Raw {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

/** This does not use fetch, because fetch decompresses the body. */
function get(path: string, headers: http.OutgoingHttpHeaders = {}, method = 'GET'): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const request = http.request(`${service.baseUrl}${path}`, { headers, method }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    request.on('error', reject).end();
  });
}

test('each page is complete, has its length and its ETag, and returns 304 to a client that already has it', async () => {
  for (const path of [...LARGE, ...SMALL]) {
    const page = await get(path);
    assert.equal(page.status, 200, path);
    assert.equal(Number(page.headers['content-length']), page.body.length, path);
    assert.equal(page.headers['content-encoding'], undefined);
    assert.match(page.headers['cache-control'] ?? '', /^(no-cache|public, max-age=3600)$/);
    const { etag } = page.headers;
    assert.match(etag ?? '', /^"[\w-]{22}"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await get(path, { 'if-none-match': known });
      assert.deepEqual([again.status, again.body.length, again.headers.etag], [304, 0, etag], path);
    }
    assert.equal((await get(path, { 'if-none-match': '"other"' })).status, 200);
    const head = await get(path, {}, 'HEAD');
    assert.deepEqual(
      [head.status, head.headers['content-length'], head.body.length],
      [200, String(page.body.length), 0],
    );
  }
});

test('a large page is compressed only for a client that accepts gzip', async () => {
  for (const path of LARGE) {
    const plain = await get(path);
    assert.equal(plain.headers.vary, 'accept-encoding', path);
    for (const accept of ['gzip', 'br, gzip;q=0.5', 'deflate,GZIP', '*']) {
      const small = await get(path, { 'accept-encoding': accept });
      assert.equal(small.headers['content-encoding'], 'gzip', accept);
      assert.equal(Number(small.headers['content-length']), small.body.length);
      assert.ok(gunzipSync(small.body).equals(plain.body), path);
      assert.notEqual(small.headers.etag, plain.headers.etag);
      const again = await get(path, { 'accept-encoding': accept, 'if-none-match': small.headers.etag });
      assert.equal(again.status, 304);
    }
    for (const accept of ['br', 'gzip;q=0', 'gzip; q=0.0', 'gzipped', 'identity']) {
      const large = await get(path, { 'accept-encoding': accept });
      assert.equal(large.headers['content-encoding'], undefined, accept);
    }
  }
});

test('the API reference uses only files that are served, and loads the API document', async () => {
  const html = (await get('/docs')).body.toString();
  const named = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!);
  assert.ok(named.length >= 5);
  for (const path of named) assert.equal((await get(path)).status, 200, path);
  assert.match(
    (await get('/docs/static/swagger-initializer.js')).body.toString(),
    /fetch\('\/openapi\.json'\)/,
  );
  assert.match((await get(BUNDLE)).body.toString(), /SwaggerUIBundle/);
});

test('any other path below the reference gets an ordinary 404, not an internal error', async () => {
  const before = service.logged().length;
  for (const path of [
    '/docs/static/',
    '/docs/static/nothing.js',
    '/docs/static/%2e%2e/%2e%2e/package.json',
    '/docs/static/..%2f..%2fpackage.json',
    '/docs/static/..\\..\\package.json',
    '/docs/static/../../package.json',
    '/docs/static/index.css%00.html',
    '/docs/static/index.css%zz',
    '/docs/static//index.css',
    '/docs/static/package.json',
    '/docs/json',
    '/docs/yaml',
  ]) {
    const text = await rawExchange(
      service.baseUrl,
      `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`,
    );
    assertRefused(parseRawAnswer(text), 404, 'not_found', []);
  }
  assert.doesNotMatch(service.logged().slice(before), /"level":(40|50)|"err"/);
});
