// Tests both rate endpoints: the flat JSON object of the interface, cache validators, and no quote without valid rates.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SAMPLE_RATES as SAMPLE } from '../../src/adapters/simulation/samples.ts';
import type { Currency, RateProduct } from '../../src/domain/rates/rates.ts';
import { setDeskPrices } from '../support/rates/prices.ts';
import { startTestService } from '../support/service.ts';
import { assertRefused, eventually } from './helpers.ts';

const service = await startTestService();
const { business } = service;
const PATHS: Record<RateProduct, string> = {
  otc_buy: `${service.otcBaseUrl}/otc/buy`,
  usdc_ngnc: '/rates/v1/usdc-ngnc',
};
const CODES = ['USD', 'GBP', 'EUR', 'TRY', 'CNY', 'CHF', 'CAD', 'AED', 'KES'];
const ask = (product: RateProduct, key = business.testKey, headers: Record<string, string> = {}) =>
  service.get(PATHS[product], { key, headers });

const set = (
  mode: 'live' | 'test',
  product: RateProduct,
  values: Readonly<Partial<Record<Currency, string>>>,
  more: { spreadBps?: number; validForMs: number | null },
) => setDeskPrices(service.foundation, { mode, product, values, ...more });

test('the response is a flat object with nine uppercase codes, each with a number', async () => {
  for (const product of ['otc_buy', 'usdc_ngnc'] as const) {
    const answer = await ask(product);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
    assert.deepEqual(Object.keys(answer.body), CODES);
    for (const code of CODES) {
      assert.equal(typeof answer.body[code], 'number');
      assert.match(String(answer.body[code]), /^[0-9]+(\.[0-9]{1,4})?$/);
    }
  }
});

test('the spread makes the rates of both products less favourable for the customer', async () => {
  const [otc, usdc] = [(await ask('otc_buy')).body, (await ask('usdc_ngnc')).body];
  for (const code of CODES) {
    const base = Number(SAMPLE[code as 'USD']);
    assert.ok(otc[code] > base && usdc[code] < base, code);
  }
  assert.deepEqual([otc.USD, usdc.USD], [1375.115, 1354.6925]);
});

test('threat 60: live rates are not quoted before an operator has set them', async () => {
  for (const product of ['otc_buy', 'usdc_ngnc'] as const) {
    const before = await ask(product, business.liveKey);
    assertRefused(before, 503, 'rates_unavailable', []);
    assert.equal(before.headers.get('retry-after'), '60');
    await set('live', product, SAMPLE, { spreadBps: 0, validForMs: 3_600_000 });
    await eventually(async () => (await ask(product, business.liveKey)).status === 200, 'live rates');
    const { body } = await ask(product, business.liveKey);
    assert.deepEqual(body, Object.fromEntries(CODES.map((c) => [c, Number(SAMPLE[c as 'USD'])])));
  }
});

test('threat 60: an expired value is not quoted, even to a client that has its etag', async () => {
  await set('live', 'otc_buy', SAMPLE, { spreadBps: 7, validForMs: 3_600_000 });
  await eventually(
    async () => (await ask('otc_buy', business.liveKey)).body.USD === 1362.4531,
    'the new book',
  );
  const { headers } = await ask('otc_buy', business.liveKey);
  await set('live', 'otc_buy', { USD: SAMPLE.USD, KES: SAMPLE.KES }, { validForMs: 300 });
  const known = { 'if-none-match': headers.get('etag')! };
  await eventually(async () => (await ask('otc_buy', business.liveKey, known)).status === 503, 'it runs out');
  const refused = await ask('otc_buy', business.liveKey);
  assertRefused(refused, 503, 'rates_unavailable', []);
  assert.match(refused.body.message, /^There is no current rate for USD, KES \([a-z ]+\)\. Try again later/);
  assertRefused(await ask('otc_buy', business.liveKey, { 'if-none-match': '*' }), 503, 'rates_unavailable');
  assert.equal((await ask('usdc_ngnc', business.liveKey)).status, 200);
  await set('live', 'otc_buy', { USD: SAMPLE.USD }, { validForMs: 3_600_000 });
  const message = async () => (await ask('otc_buy', business.liveKey)).body.message;
  await eventually(async () => /rate for KES \(/.test(await message()), 'only KES is missing');
  await set('live', 'otc_buy', { KES: SAMPLE.KES }, { validForMs: 3_600_000 });
  await eventually(async () => (await ask('otc_buy', business.liveKey)).status === 200, 'it recovers');
});

test('threat 60: without a spread there is no quote, and the spread of a tier applies only to its businesses', async () => {
  const other = await service.addBusiness('gold');
  const { database, deskWrites, clock } = service.foundation;
  await database.query({ text: `update businesses set tier = 'gold' where id = '${other.businessId}'` });
  const atMs = clock.now();
  const rule = { mode: 'test', product: 'usdc_ngnc', currency: 'USD', tier: 'gold', spreadBps: 0 } as const;
  await deskWrites.addSpread({ ...rule, fromMs: atMs, setBy: 'per_one' }, { actor: 'per_one', atMs });
  await eventually(async () => (await ask('usdc_ngnc', other.testKey)).body.USD === 1361.5, 'its own spread');
  assert.equal((await ask('usdc_ngnc', other.testKey)).body.GBP, 1817.3675);
  assert.equal((await ask('usdc_ngnc')).body.USD, 1354.6925);
});

test('new rates are quoted without a restart, separately for each product', async () => {
  const usdcBefore = (await ask('usdc_ngnc')).body;
  await set('test', 'otc_buy', { USD: '2000.0001' }, { spreadBps: 1, validForMs: null });
  await eventually(async () => (await ask('otc_buy')).body.USD === 2000.2002, 'the new rate');
  assert.equal((await ask('otc_buy')).body.KES, 10.5011);
  assert.deepEqual((await ask('usdc_ngnc')).body, usdcBefore);
});

test('an unchanged response is 304, by its etag or its date', async () => {
  const first = await ask('usdc_ngnc');
  const etag = first.headers.get('etag')!;
  const modified = first.headers.get('last-modified')!;
  assert.match(etag, /^"[A-Za-z0-9_-]{22}"$/);
  assert.equal(new Date(modified).toUTCString(), modified);
  assert.equal(first.headers.get('cache-control'), 'private, no-cache');
  const matches: Record<string, string>[] = [
    { 'if-none-match': etag },
    { 'if-none-match': `W/${etag}` },
    { 'if-none-match': `"x", ${etag}` },
    { 'if-none-match': '*' },
    { 'if-modified-since': modified },
    { 'if-modified-since': new Date(Date.parse(modified) + 60_000).toUTCString() },
  ];
  for (const headers of matches) {
    const answer = await ask('usdc_ngnc', business.testKey, headers);
    assert.deepEqual([answer.status, answer.text], [304, ''], JSON.stringify(headers));
    assert.equal(answer.headers.get('etag'), etag);
    assert.ok(answer.headers.get('request-id'));
  }
  const others: Record<string, string>[] = [
    { 'if-none-match': '"x"' },
    { 'if-none-match': '"x"', 'if-modified-since': modified },
    { 'if-modified-since': new Date(Date.parse(modified) - 60_000).toUTCString() },
    { 'if-modified-since': 'not a date' },
  ];
  for (const headers of others) {
    const answer = await ask('usdc_ngnc', business.testKey, headers);
    assert.deepEqual([answer.status, answer.text], [200, first.text], JSON.stringify(headers));
  }
  await set('test', 'usdc_ngnc', { USD: '1500' }, { validForMs: null });
  const changed = () => ask('usdc_ngnc', business.testKey, { 'if-none-match': etag });
  await eventually(async () => (await changed()).status === 200, 'the etag changes with the rates');
});

test('the OTC port serves only its one path', async () => {
  assertRefused(await service.get(`${service.otcBaseUrl}/rates/v1/usdc-ngnc`), 404, 'not_found', []);
  assertRefused(await service.get(`${service.otcBaseUrl}/`), 404, 'not_found', []);
  assertRefused(await service.get(`${service.otcBaseUrl}/health`), 404, 'not_found', []);
  const post = await service.post(PATHS.otc_buy, {});
  assertRefused(post, 405, 'method_not_allowed', []);
  // OPTIONS is allowed because the API reference page, on the other port, calls this route from a browser.
  assert.equal(post.headers.get('allow'), 'GET, HEAD, OPTIONS');
});
