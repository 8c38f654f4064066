// Tests that the result "not found" counts only in the format of Horizon, and that messages never contain a URL with a key.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { connectHorizon } from './horizon.ts';

const NOT_FOUND = {
  type: 'https://stellar.org/horizon-errors/not_found',
  title: 'Resource Missing',
  status: 404,
};
const ANSWERS: Record<string, readonly [number, string]> = {
  '/key/there': [200, '{"id":"x"}'],
  '/key/bare': [200, '{"id":"x"}'],
  '/key/twice': [200, '{}'],
  '/key/odd': [200, '{}'],
  '/key/zero': [200, '{}'],
  '/key/long': [200, '{}'],
  '/key/missing': [404, JSON.stringify(NOT_FOUND)],
  '/key/proxy': [404, '<html>404 page not found</html>'],
  '/key/other': [404, '{"error":"no route"}'],
  '/key/broken': [200, 'not json'],
  '/key/list': [200, '[]'],
  '/key/gone': [410, '{"title":"Data Requested Is Before Recorded History"}'],
  '/key/moved': [302, '{}'],
};
const LEDGERS: Record<string, string | string[]> = {
  '/key/there': '57',
  '/key/missing': '57',
  '/key/twice': ['57', '58'],
  '/key/odd': '0x39',
  '/key/zero': '0',
  '/key/long': '57000000000',
};
const seen: (string | undefined)[] = [];
const caching: (string | undefined)[] = [];
const server = createServer((request, response) => {
  seen.push(request.headers.authorization);
  caching.push(request.headers['cache-control']);
  const [status, body] = ANSWERS[request.url!] ?? [500, '{}'];
  const ledger = LEDGERS[request.url!];
  response
    .writeHead(status, { location: '/key/there', ...(ledger && { 'Latest-Ledger': ledger }) })
    .end(body);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
after(() => {
  server.close();
  server.closeAllConnections();
});
const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
const horizon = connectHorizon(`http://user:secret@${host}/key/`);

test('status 200 returns the body, a 404 of Horizon returns undefined, and every other response throws an error', async () => {
  assert.deepEqual(await horizon.get('/there'), { id: 'x' });
  assert.equal(await horizon.get('/missing'), undefined);
  for (const path of ['/proxy', '/other', '/broken', '/list', '/gone', '/moved', '/none'])
    await assert.rejects(horizon.get(path), path);
  await assert.rejects(horizon.need('/missing'), /does not have \/missing/);
});

test('threat 42: the ledger of a response is read from its header, and an invalid header gives null', async () => {
  assert.deepEqual(await horizon.state('/there'), { body: { id: 'x' }, ledger: 57 });
  assert.deepEqual(await horizon.state('/bare'), { body: { id: 'x' }, ledger: null });
  assert.equal(await horizon.state('/missing'), undefined);
  assert.equal(caching.at(-1), 'no-cache', 'a cache that keeps to the rules repeats nothing');
  for (const path of ['/twice', '/odd', '/zero', '/long'])
    assert.deepEqual(await horizon.state(path), { body: {}, ledger: null }, path);
});

test('credentials are sent in a header and appear in no error message', async () => {
  await horizon.get('/there');
  assert.equal(seen.at(-1), `Basic ${Buffer.from('user:secret').toString('base64')}`);
  const closed = connectHorizon('http://user:secret@127.0.0.1:1/key');
  const works = [
    () => horizon.get('/proxy'),
    () => closed.get('/there'),
    () => closed.post('/x', { tx: 'bytes' }),
  ];
  for (const work of works)
    await assert.rejects(work(), ({ message }: Error) => {
      assert.doesNotMatch(message, /secret|key/);
      return /127\.0\.0\.1/.test(message);
    });
});

test('a form is posted, and the response is returned with any status', async () => {
  assert.deepEqual(await horizon.post('/other', { tx: 'bytes' }), {
    status: 404,
    body: { error: 'no route' },
  });
});
