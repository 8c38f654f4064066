// Tests quotes over HTTP. A quote is valid for one transaction and only for its own business and mode. It stays valid when fees
// change and after a restart.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { untilReadable } from '../support/horizon.ts';
import { type Answer, buyBody, sellBody, startTestService } from '../support/service.ts';
import { WALLETS } from '../support/wallets.ts';
import { assertRefused, eventually, OFFRAMP, ONRAMP, storingNothing } from './helpers.ts';

const service = await startTestService();
const { business, foundation } = service;
const QUOTES = '/quotes/v1';
const quote = (body: object, options = {}) => service.post(QUOTES, body, options);
const made = async (body: object): Promise<Answer['body']> => {
  const answer = await quote(body);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.quote;
};
const buy = (changes: object, options = {}) =>
  service.post(ONRAMP, buyBody(business, { ...changes }), options);
const sell = (changes: object) => service.post(OFFRAMP, sellBody(business, { ...changes }));
const stateOf = async (id: string) => (await service.get(`${QUOTES}/${id}`)).body.quote.state;
const wallet = { network: 'Polygon', wallet_address: WALLETS.Polygon!(5) };

test('a quote in naira has the rate 1 and no source; its transaction shows which quote it used', async () => {
  const { quote_id: id, ...given } = await made({ side: 'buy', amount: 20_000.5, network: 'polygon' });
  assert.match(id, /^quo_/);
  const { created_at: at, expires_at: until, ...facts } = given;
  assert.equal(Date.parse(until) - Date.parse(at), 600_000);
  assert.deepEqual(facts, {
    ...{ side: 'buy', amount: 20_000.5, currency: 'NGN', network: 'Polygon', naira_amount: 20_000.5 },
    ...{ fees: [{ name: 'service_fee', amount: 0 }], net_amount: 20_000.5, rate: 1, sources: [] },
    ...{ decision_id: null, state: 'open', transaction_id: null, mode: 'test' },
  });
  const bought = await buy({ amount: 20_000.5, quote_id: id, ...wallet });
  assert.equal(bought.status, 200, bought.text);
  const { transaction_id: transactionId, quote_id: used } = bought.body.transaction;
  assert.equal(used, id);
  const { quote: now } = (await service.get(`${QUOTES}/${id}`)).body;
  assert.deepEqual([now.state, now.transaction_id], ['used', transactionId]);
  await untilReadable(foundation.database);
  const { events } = (await service.get('/events/v1')).body;
  assert.ok(events.some((event: Answer['body']) => event.data.transaction?.quote_id === id));
});

test('a quote in another currency is the amount at the OTC rate, rounded up to the kobo, with its sources', async () => {
  const { USD } = (await service.get(`${service.otcBaseUrl}/otc/buy`)).body;
  const quoted = await made({ side: 'buy', amount: 33.33, currency: 'usd' });
  assert.equal(quoted.rate, USD);
  const exact = 3_333n * BigInt(Math.round(USD * 10_000));
  assert.equal(quoted.naira_amount, Number((exact + 9_999n) / 10_000n) / 100);
  assert.ok(quoted.sources.length > 0 && quoted.decision_id.startsWith('rat_'));
  const bought = await buy({ amount: quoted.naira_amount, quote_id: quoted.quote_id });
  assert.equal(bought.body.transaction?.amount, quoted.naira_amount, bought.text);
});

test('threat 60: without a current rate there is no quote, except in naira, which needs no rate', async () => {
  const live = { key: business.liveKey };
  const refused = await quote({ side: 'buy', amount: 100, currency: 'USD' }, live);
  assertRefused(refused, 503, 'rates_unavailable', []);
  assert.match(refused.body.message, /USD/);
  assert.equal((await quote({ side: 'buy', amount: 15_000 }, live)).status, 200);
});

test('a request that differs from the quote is refused and does not use the quote', async () => {
  const id = (await made({ side: 'buy', amount: 15_000, network: 'Polygon' })).quote_id;
  const elsewhere = { network: 'Stellar', wallet_address: WALLETS.Stellar!(5) };
  const none = { network: undefined, wallet_address: undefined };
  await storingNothing(service, async () => {
    for (const [changes, fields] of [
      [{ amount: 15_000.01, ...wallet }, ['amount: quote_mismatch']],
      [{ amount: 15_000, ...elsewhere }, ['network: quote_mismatch']],
      [{ amount: 15_000, ...none }, ['network: quote_mismatch']],
      [{ amount: 16_000, ...elsewhere }, ['amount: quote_mismatch', 'network: quote_mismatch']],
    ] as const)
      assertRefused(await buy({ ...changes, quote_id: id }), 422, 'quote_mismatch', fields);
    const sold = await sell({ amount: 15_000, ...wallet, quote_id: id });
    assertRefused(sold, 422, 'quote_mismatch', ['type: quote_mismatch']);
    const wrong = await buy({ amount: 15_000, ...wallet, quote_id: id, vendor_number: '0000000000' });
    assertRefused(wrong, 422, 'vendor_unknown');
  });
  assert.equal(await stateOf(id), 'open');
  assert.equal((await buy({ amount: 15_000, ...wallet, quote_id: id })).status, 200);
  const free = (await made({ side: 'sell', amount: 2_000 })).quote_id;
  assert.equal((await sell({ amount: 2_000, ...elsewhere, quote_id: free })).status, 200);
});

test('a repeated request with one quote returns the same transaction, even without a reference or a key; a different request is refused', async () => {
  const id = (await made({ side: 'buy', amount: 15_000 })).quote_id;
  const body = { amount: 15_000, quote_id: id, reference: undefined };
  const answers = await Promise.all(Array.from({ length: 50 }, () => buy(body)));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  assert.equal(new Set(answers.map((answer) => answer.body.transaction.transaction_id)).size, 1);
  assert.equal(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null).length, 1);
  const other = await buy({ ...body, account_number: '0987654321' });
  assertRefused(other, 409, 'quote_used', []);
  assert.match(other.body.message, new RegExp(answers[0]!.body.transaction.transaction_id));
  const reused = await buy({ ...body, reference: answers[0]!.body.transaction.reference });
  assertRefused(reused, 409, 'reference_reused', []);
});

test('a quote keeps its fee when fees change, and a repeated request still works when new rules would refuse it', async () => {
  const id = (await made({ side: 'buy', amount: 18_000 })).quote_id;
  const { database } = foundation;
  await database.query({
    text: `insert into fees (mode, product, flat_minor, fee_bps, effective_from, created_at)
      values ('test', 'buy', 25000, 0, now(), now())`,
  });
  const hasFee = async () => (await made({ side: 'buy', amount: 18_000 })).fees[0].amount > 0;
  await eventually(hasFee, 'the new fee is quoted');
  const later = await made({ side: 'buy', amount: 18_000 });
  assert.deepEqual([later.fees, later.net_amount], [[{ name: 'service_fee', amount: 250 }], 17_750]);
  const body = { amount: 18_000, quote_id: id, reference: undefined };
  const bought = await buy(body);
  assert.equal(bought.body.transaction.fee, 0);
  await database.query({ text: `update vendors set active = false` });
  const vendors = async () => (await service.get('/transactions/v1/vendors')).body.VendorList.length;
  await eventually(async () => (await vendors()) === 0, 'the vendors are gone');
  const again = await buy(body);
  assert.equal(again.status, 200, again.text);
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  assert.equal(again.body.transaction.transaction_id, bought.body.transaction.transaction_id);
  await database.query({ text: `update vendors set active = true` });
  await eventually(async () => (await vendors()) > 0, 'the vendors are back');
  const paid = await buy({ amount: 18_000, quote_id: later.quote_id });
  assert.equal(paid.body.transaction.fee, 250);
});

test('a quote belongs to one business and one mode', async () => {
  const id = (await made({ side: 'buy', amount: 15_000 })).quote_id;
  const other = await service.addBusiness('other');
  for (const key of [business.liveKey, other.testKey])
    assertRefused(await service.get(`${QUOTES}/${id}`, { key }), 404, 'quote_not_found');
  const body = { ...buyBody(other, {}), amount: 15_000, quote_id: id };
  const taken = await service.post(ONRAMP, body, { key: other.testKey });
  assertRefused(taken, 422, 'quote_unknown', ['quote_id: quote_unknown']);
  assert.equal(await stateOf(id), 'open');
});

test('an Idempotency-Key creates one quote', async () => {
  const headers = { 'idempotency-key': 'quote-1' };
  const body = { side: 'buy', amount: 15_000 };
  const answers = await Promise.all(Array.from({ length: 10 }, () => quote(body, { headers })));
  assert.equal(new Set(answers.map((answer) => answer.body.quote.quote_id)).size, 1);
  assertRefused(await quote({ ...body, amount: 15_001 }, { headers }), 409, 'idempotency_key_reused');
});

test('quotes are listed newest first, by page and by state', async () => {
  const all: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Answer = await service.get(`${QUOTES}?limit=2${cursor && `&cursor=${cursor}`}`);
    all.push(...page.body.quotes.map((each: Answer['body']) => each.quote_id));
    cursor = page.body.next_cursor;
  }
  assert.deepEqual(all, [...new Set(all)].sort().reverse());
  const open = (await service.get(`${QUOTES}?state=open&limit=100`)).body.quotes;
  assert.ok(open.length > 0 && open.every((each: Answer['body']) => each.state === 'open'));
  assert.ok(open.length < all.length);
  assertRefused(await service.get(`${QUOTES}?state=old`), 422, 'filter_invalid');
});

test('a quote is honoured by another process after the process that created it has stopped', async () => {
  const id = (await made({ side: 'buy', amount: 15_000 })).quote_id;
  const second = await startTestService({}, service.databaseUrl, business);
  await service.service.close();
  const bought = await second.post(ONRAMP, buyBody(business, { amount: 15_000, quote_id: id }));
  assert.equal(bought.body.transaction?.quote_id, id, bought.text);
});
