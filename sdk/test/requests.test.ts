// Tests the requests that the client sends, and its retries. The client repeats only requests that are safe to repeat.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { longEnough, until } from '../../test/support/patience.ts';
import {
  SliproadApiError,
  SliproadArgumentError,
  SliproadConnectionError,
  SliproadTimeoutError,
} from '../src/index.ts';
import {
  ACCEPTED,
  BUY,
  breakOff,
  clientOf,
  json,
  quickTimers,
  refuse,
  SECRET_KEY,
  startPlaying,
} from './support/playing-server.ts';

const server = await startPlaying();
const sliproad = clientOf(server);
const DONE = json(200, {
  status: 'success',
  message: 'Done.',
  endpoint: {},
  delivery: {},
  transaction: {},
  queued: 3,
  next_cursor: null,
  bank_credit: {},
});

test('a buy is sent with the business, the vendor and a new idempotency key', async () => {
  server.play(ACCEPTED);
  await sliproad.buy({ ...BUY, reference: 'order-1' }, { scenario: 'paid' });
  await sliproad.sell({
    amount: 25000.5,
    account_name: 'A',
    account_number: '0123456785',
    bank_name: 'GTBank',
  });
  const [buy, sell] = server.seen;
  assert.equal(buy!.url, '/transactions/v1/onramp');
  assert.deepEqual(JSON.parse(buy!.body), {
    business_id: 'biz_1',
    link_tag: 'acme',
    type: 'buy_ramp',
    vendor_name: 'Sandbox Vendor One',
    vendor_bank: 'Providus Bank',
    vendor_number: '9900000011',
    amount: 15000,
    account_number: '0123456785',
    bank_name: 'GTBank',
    reference: 'order-1',
  });
  assert.deepEqual([buy!.headers['svc-sec-key'], buy!.headers['svc-scenario']], [SECRET_KEY, 'paid']);
  assert.match(String(buy!.headers['idempotency-key']), /^[0-9a-f-]{36}$/);
  assert.notEqual(sell!.headers['idempotency-key'], buy!.headers['idempotency-key']);
  assert.equal(JSON.parse(sell!.body).type, 'sell_ramp');
});

test('after a lost response, the same request is sent again with the same idempotency key', async () => {
  for (const lost of [breakOff, refuse(502, 'x'), json(503, {}), json(504, {})]) {
    server.play(lost, lost, ACCEPTED);
    assert.equal((await sliproad.buy(BUY)).transaction_id, 'txn_1');
    const keys = server.seen.map(({ headers }) => headers['idempotency-key']);
    assert.equal(server.seen.length, 3);
    assert.equal(new Set(keys).size, 1);
    assert.equal(new Set(server.seen.map(({ body }) => body)).size, 1);
  }
});

test('after the third lost response an error is thrown, and maxRetries 0 disables retries', async () => {
  server.play(breakOff);
  await assert.rejects(
    sliproad.buy(BUY),
    (error) => error instanceof SliproadConnectionError && error.code === 'connection_failed',
  );
  assert.equal(server.seen.length, 3);
  server.play(breakOff);
  await assert.rejects(clientOf(server, { maxRetries: 0 }).vendors(), SliproadConnectionError);
  assert.equal(server.seen.length, 1);
});

test('a refused request is never repeated', async () => {
  for (const status of [400, 401, 403, 404, 409, 413, 422, 500]) {
    server.play(refuse(status, 'state_conflict'));
    await assert.rejects(
      sliproad.buy(BUY),
      (error) => error instanceof SliproadApiError && error.status === status,
    );
    assert.equal(server.seen.length, 1);
  }
});

test('every POST request for webhooks is repeated with the same idempotency key when its response is lost', async () => {
  const calls = [
    () => sliproad.webhooks.endpoints.recover('whe_1', { since: '2026-11-16T00:00:00Z' }),
    () =>
      sliproad.webhooks.endpoints.redeliver('whe_1', {
        from: '2026-11-16T00:00:00Z',
        to: '2026-11-17T00:00:00Z',
      }),
    () => sliproad.webhooks.endpoints.rotate('whe_1'),
    () => sliproad.webhooks.endpoints.test('whe_1'),
    () => sliproad.webhooks.deliveries.redeliver('whd_1'),
  ];
  for (const call of calls) {
    server.play(breakOff, DONE);
    await call();
    const [first, second] = server.seen.map(({ headers }) => headers['idempotency-key']);
    assert.match(String(first), /^[0-9a-f-]{36}$/);
    assert.equal(second, first);
    await call();
    assert.notEqual(server.seen[2]!.headers['idempotency-key'], first, 'another call has a key of its own');
  }
  await sliproad.webhooks.endpoints.rotate('whe_1', {}, { idempotencyKey: 'rotation-7' });
  assert.equal(server.seen.at(-1)!.headers['idempotency-key'], 'rotation-7');
});

test('an unsafe request without an idempotency key is repeated after 429, but not after a lost response', async () => {
  const call = () => sliproad.webhooks.endpoints.update('whe_1', { state: 'enabled' });
  server.play(breakOff, DONE);
  await assert.rejects(call(), SliproadConnectionError);
  assert.equal(server.seen.length, 1);
  server.play(refuse(429, 'rate_limited'), DONE);
  await call();
  assert.equal(server.seen.length, 2);
});

test('PUT and DELETE are repeated; a repeated DELETE that gets 404 counts as a success', async () => {
  server.play(breakOff, DONE);
  await sliproad.transactions.setWallet('txn_1', { network: 'Polygon', wallet_address: '0x1' });
  assert.deepEqual(
    server.seen.map(({ method, url }) => `${method} ${url}`),
    Array(2).fill('PUT /transactions/v1/txn_1/wallet'),
  );
  server.play(breakOff, refuse(404, 'not_found'));
  await sliproad.webhooks.endpoints.delete('whe_1');
  server.play(refuse(404, 'not_found'));
  await assert.rejects(sliproad.webhooks.endpoints.delete('whe_1'), { status: 404 });
});

test('a short retry-after is respected, and a long one is passed to the caller', async () => {
  const waited: number[] = [];
  const nowMs = Date.now();
  const patient = clientOf(server, { timers: { ...quickTimers(waited), now: () => nowMs } });
  server.play(refuse(429, 'rate_limited', { 'retry-after': '7' }), ACCEPTED);
  await patient.buy(BUY);
  assert.ok(waited.includes(7000));
  const inTwoSeconds = new Date(nowMs + 5000).toUTCString();
  server.play(refuse(503, 'unavailable', { 'retry-after': inTwoSeconds }), ACCEPTED);
  await patient.buy(BUY);
  assert.ok(waited.some((ms) => ms > 2000 && ms <= 5000));
  server.play(refuse(503, 'rates_unavailable', { 'retry-after': '60' }));
  await assert.rejects(patient.rates.usdc(), {
    status: 503,
    code: 'rates_unavailable',
    retryAfterMs: 60_000,
  });
  assert.equal(server.seen.length, 1);
});

test('a late or incomplete response causes a timeout error', async () => {
  const hurried = await longEnough(250, async (timeoutMs) => {
    const client = clientOf(server, { timeoutMs, maxRetries: 1, timers: undefined });
    server.play(() => undefined);
    await assert.rejects(
      client.buy(BUY),
      (error) => error instanceof SliproadTimeoutError && error.code === 'timeout',
    );
    // On a slow machine a request may time out before it arrives.
    return server.seen.length < 2 ? undefined : client;
  });
  assert.equal(server.seen.length, 2);
  server.play((_seen, response) => void response.writeHead(200).write('{"VendorList":'));
  await assert.rejects(hurried.vendors(), SliproadTimeoutError);
});

test('an abort by the caller is thrown unchanged, and also ends a wait before a retry', async () => {
  server.play(() => undefined);
  await assert.rejects(sliproad.vendors({ signal: AbortSignal.timeout(30) }), { name: 'TimeoutError' });
  const controller = new AbortController();
  server.play(refuse(429, 'rate_limited', { 'retry-after': '15' }));
  const slow = clientOf(server, {
    // The delay is so long that the waits go on until the end of this test.
    timers: { ...quickTimers(), setTimeout: (run) => setTimeout(run, 3_600_000) },
  });
  const call = slow.buy(BUY, { signal: controller.signal });
  const refused = assert.rejects(call, { message: 'changed my mind' });
  await until('it is asked once', () => server.seen.length === 1);
  controller.abort(new Error('changed my mind'));
  await refused;
  assert.equal(server.seen.length, 1);
});

test('amounts that are not numbers are refused before anything is sent', async () => {
  server.play(ACCEPTED);
  for (const amount of ['15000', Number.NaN, Number.POSITIVE_INFINITY, null, undefined, 15000n, {}]) {
    const wrong = { ...BUY, amount: amount as number };
    const refused = (error: unknown) =>
      error instanceof SliproadArgumentError &&
      error.errors[0]?.field === 'amount' &&
      /must be a number of naira/.test(error.message);
    await assert.rejects(sliproad.buy(wrong), refused);
    await assert.rejects(sliproad.sell({ ...wrong, account_name: 'A' }), refused);
    await assert.rejects(
      sliproad.sandbox.bankCredit({
        vendor_number: '1',
        amount: amount as number,
        payer_account_number: '2',
        payer_bank_name: 'GTBank',
      }),
      refused,
    );
  }
  await assert.rejects(sliproad.buy({ ...BUY, vendor: 'One' as never }), { code: 'invalid_argument' });
  await assert.rejects(sliproad.buy(BUY, { idempotencyKey: 'a b' }), { code: 'invalid_argument' });
  for (const id of ['', '..', 'a/b', 'a?b', undefined as never]) {
    await assert.rejects(sliproad.transactions.get(id), { code: 'invalid_argument' });
  }
  assert.equal(server.seen.length, 0);
});

test('a long range of deliveries is queued in several requests', async () => {
  server.play(json(200, { queued: 500, next_cursor: 'c1' }), json(200, { queued: 20, next_cursor: null }));
  const range = { from: '2026-11-16T00:00:00Z', to: '2026-11-17T00:00:00Z' };
  assert.equal(await sliproad.webhooks.endpoints.redeliver('whe_1', range), 520);
  assert.deepEqual(
    server.seen.map(({ body }) => JSON.parse(body)),
    [range, { ...range, cursor: 'c1' }],
  );
  const keys = new Set(server.seen.map(({ headers }) => headers['idempotency-key']));
  assert.equal(keys.size, 2, 'the parts are different requests');
});

test('lists are read page by page', async () => {
  const page = (items: string[], next: string | null) =>
    json(200, { transactions: items, next_cursor: next });
  server.play(page(['a', 'b'], 'c1'), page(['c'], null));
  const all: unknown[] = [];
  for await (const one of sliproad.transactions.list({ state: 'completed', limit: 2 })) all.push(one);
  assert.deepEqual(all, ['a', 'b', 'c']);
  assert.deepEqual(
    server.seen.map(({ url }) => url),
    ['/transactions/v1?state=completed&limit=2', '/transactions/v1?state=completed&limit=2&cursor=c1'],
  );
  server.play(page(['a'], 'c1'), page(['b'], null));
  const pages: unknown[] = [];
  for await (const one of sliproad.transactions.list().pages()) pages.push(one);
  assert.deepEqual(pages, [
    { items: ['a'], nextCursor: 'c1' },
    { items: ['b'], nextCursor: null },
  ]);
});

test('banks() lists banks; banks.account() looks up one account, and refuses values that would change the route', async () => {
  server.play(json(200, { banks: [], account: { account_name: 'ADA OBI' } }));
  assert.deepEqual(await sliproad.banks({ q: 'GTB' }), []);
  const { account_name } = await sliproad.banks.account('guaranty-trust-bank', '0123456785');
  assert.equal(account_name, 'ADA OBI');
  assert.deepEqual(
    server.seen.slice(-2).map(({ method, url }) => `${method} ${url}`),
    ['GET /banks/v1?q=GTB', 'GET /banks/v1/guaranty-trust-bank/accounts/0123456785'],
  );
  await assert.rejects(sliproad.banks.account('gtbank', '123'), /number must be the 10 digits/);
  await assert.rejects(sliproad.banks.account('../health', '0123456785'), /code must be the code/);
});
