// Every rate server must be able to produce every transport fault, switch faults while it runs, and end all connections when it
// is closed.
import assert from 'node:assert/strict';
import { get, type IncomingMessage } from 'node:http';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { startAmountQuote } from './amount-quote.ts';
import { startCentralBank } from './central-bank.ts';
import { startExchangeTicker } from './exchange-ticker.ts';
import type { RateServer } from './server.ts';
import { startWorldTable } from './world-table.ts';

const TIMING = { slowMs: 150, dripMs: 5 };
const SERVERS = [
  {
    name: 'central bank',
    path: '/api/GetAllExchangeRates',
    start: () => startCentralBank({ ...TIMING, browsersOnly: false, historyDays: 2 }),
  },
  { name: 'world table', path: '/v6/latest/USD', start: () => startWorldTable(TIMING) },
  {
    name: 'exchange ticker',
    path: '/api/v1/markets/tickers/usdtngn',
    start: () => startExchangeTicker({ ...TIMING, atMs: 1_781_341_200_000 }),
  },
  { name: 'amount quote', path: '/v1/rates/USDC/100/NGN', start: () => startAmountQuote(TIMING) },
];

interface Taken {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly bytes: Buffer;
  readonly headersMs: number;
  readonly pieces: number;
  readonly error: string | null;
}

/** Reads the raw response. The function follows no redirect and decompresses nothing. */
function take(url: string, mostBytes = Number.POSITIVE_INFINITY): Promise<Taken> {
  const startMs = performance.now();
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': 'gzip' }, agent: false }, (message) => {
      const chunks: Buffer[] = [];
      const headersMs = performance.now() - startMs;
      const end = (error: string | null) =>
        resolve({
          status: message.statusCode ?? 0,
          headers: message.headers,
          bytes: Buffer.concat(chunks),
          headersMs,
          pieces: chunks.length,
          error,
        });
      message.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        if (chunks.reduce((sum, { length }) => sum + length, 0) > mostBytes) message.destroy();
      });
      message.on('close', () => end(message.complete ? null : 'not whole'));
      message.on('error', () => undefined);
    }).on('error', reject);
  });
}

for (const { name, path, start } of SERVERS)
  describe(name, () => {
    test('a fault can change, truncate and compress responses', async () => {
      await using server: RateServer<never> = await start();
      const usual = await take(server.url + path);
      assert.equal(usual.status, 200);
      assert.match(String(usual.headers['content-type']), /^application\/json/);
      const text = usual.bytes.toString();
      JSON.parse(text);

      server.fail('empty');
      assert.equal((await take(server.url + path)).bytes.length, 0);
      server.fail('not_json');
      const page = await take(server.url + path);
      assert.equal(page.status, 200);
      assert.throws(() => JSON.parse(page.bytes.toString()));
      server.fail('truncated');
      const cut = await take(server.url + path);
      assert.equal(cut.error, null);
      assert.equal(cut.bytes.toString(), text.slice(0, Math.floor(text.length / 2)));
      server.fail('reset');
      const broken = await take(server.url + path).catch(() => null);
      assert.ok(broken === null || (broken.error === 'not whole' && broken.bytes.length < text.length));
      server.fail('gzip');
      const packed = await take(server.url + path);
      assert.equal(packed.headers['content-encoding'], 'gzip');
      assert.equal(gunzipSync(packed.bytes).toString(), text);
      const plain = await fetch(server.url + path, { headers: { 'accept-encoding': 'identity' } });
      assert.equal(plain.headers.get('content-encoding'), null);
      assert.equal(await plain.text(), text);
      server.fail('huge');
      assert.equal((await take(server.url + path, 3_000_000)).error, 'not whole');

      server.fail('none');
      assert.equal((await take(server.url + path)).bytes.toString(), text);
      assert.ok(server.requests.every(({ method, url }) => method === 'GET' && url === path));
    });

    test('a fault can return other statuses', async () => {
      await using server: RateServer<never> = await start();
      server.fail('status', { status: 429, retryAfter: '30' });
      const busy = await take(server.url + path);
      assert.deepEqual([busy.status, busy.headers['retry-after']], [429, '30']);
      for (const status of [403, 502] as const) {
        server.fail('status', { status });
        const page = await take(server.url + path);
        assert.equal(page.status, status);
        assert.match(page.bytes.toString(), /^<!DOCTYPE html>/);
      }
      server.fail('status', { status: 500 });
      assert.equal((await take(server.url + path)).status, 500);

      server.fail('redirect');
      const moved = await take(server.url + path);
      assert.deepEqual([moved.status, moved.headers.location], [302, `/moved${path}`]);
      const followed = await fetch(server.url + path);
      assert.equal(followed.status, 200);
      await followed.json();
      assert.equal(server.requests.at(-1)?.url, `/moved${path}`);
      server.fail('redirect', { location: 'http://169.254.169.254/latest' });
      assert.equal((await take(server.url + path)).headers.location, 'http://169.254.169.254/latest');
      assert.equal((await fetch(server.url + path, { method: 'POST' })).status, 405);
    });

    test('a fault can delay responses, and a client that disconnects uses no resources', async () => {
      const server: RateServer<never> = await start();
      const usual = await take(server.url + path);
      server.fail('slow_headers');
      const slow = await take(server.url + path);
      assert.ok(slow.headersMs >= TIMING.slowMs - 5, `${slow.headersMs} ms`);
      assert.deepEqual(slow.bytes, usual.bytes);
      server.fail('drip');
      const dripped = await take(server.url + path, 20);
      assert.equal(dripped.headers['content-length'], String(usual.bytes.length));
      assert.ok(dripped.pieces > 5, `${dripped.pieces} pieces`);
      server.fail('slow_headers');
      const pending = fetch(server.url + path);
      await Promise.all([assert.rejects(pending), settle().then(() => server.close())]);
      await server.close();
      await assert.rejects(fetch(server.url + path));
    });
  });

const settle = () => new Promise((resolve) => setTimeout(resolve, 50));
