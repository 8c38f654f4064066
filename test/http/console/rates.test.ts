// Tests rates and quotes in the console. The numbers for the operator and for a business agree with the API. A member creates a
// quote, and a key of the business uses it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../support/patience.ts';
import { buyBody, startTestService } from '../../support/service.ts';
import { addConsolePerson, signedIn } from './browser.ts';

const service = await startTestService({ TRUST_PROXY: 'loopback' });
const { businessId } = service.business;
const OPERATOR = '/console/v1/operator/rates';
const BUSINESS = `/console/v1/businesses/${businessId}`;
const reviewer = await addConsolePerson(service, { operator: 'reviewer' });
const operator = await signedIn(service, reviewer);
const owner = await signedIn(
  service,
  await addConsolePerson(service, { business: businessId, role: 'owner' }),
);
const viewer = await signedIn(
  service,
  await addConsolePerson(service, { business: businessId, role: 'viewer' }),
);

const bookOf = async (product: string, mode = 'test') => {
  const { body, text } = await operator.send('GET', `${OPERATOR}/${mode}`);
  assert.ok(body?.books, text);
  return body.books.find((each: { product: string }) => each.product === product);
};

test('the sample rate of test mode is served and labelled as a sample, and the source of each number is shown', async () => {
  const book = await bookOf('usdc_ngnc');
  const served = await service.get('/rates/v1/usdc-ngnc');
  assert.deepEqual([book.served, book.missing, book.plan], [true, [], { sources: ['desk'], minimum: 1 }]);
  assert.match(book.decision_id, /^rat_/);
  for (const line of book.currencies) {
    const [standard] = line.quoted;
    assert.equal(standard.tier, 'standard');
    assert.equal(Number(standard.rate), served.body[line.currency]);
    assert.deepEqual([line.sample, line.valid_until, line.value], [true, null, line.last_value]);
    assert.deepEqual(
      line.candidates.map(({ source, verdict }: { source: string; verdict: string }) => [source, verdict]),
      [['desk', 'used']],
    );
  }
});

test('live mode serves no rate until one is set, and gives the reason', async () => {
  const book = await bookOf('otc_buy', 'live');
  assert.equal(book.served, false);
  assert.equal(book.missing.length, 9);
  const { body } = await owner.send('GET', `${BUSINESS}/rates/live`);
  assert.deepEqual(
    body.products.map(({ served, rates }: { served: boolean; rates: object[] }) => [served, rates.length]),
    [
      [false, 0],
      [false, 0],
    ],
  );
  assert.equal((await operator.send('GET', `${OPERATOR}/both`)).status, 404);
  assert.equal((await operator.send('GET', `${OPERATOR}/test/none/decisions`)).status, 404);
});

test('threat 61: the preview checks a price in the same way as the submission', async () => {
  const at = `${OPERATOR}/test/otc_buy/judged`;
  const near = await operator.send('GET', `${at}?USD=1400`);
  assert.deepEqual([near.body.needs_two, near.body.why], [false, null], near.text);
  const far = await operator.send('GET', `${at}?USD=1500`);
  assert.equal(far.body.needs_two, true, far.text);
  assert.match(far.body.why, /^USD: 1500 is 10/);
  const tenfold = await operator.send('GET', `${at}?USD=13615`);
  assert.match(tenfold.body.why, /the decimal point may be misplaced/, tenfold.text);
  for (const price of ['0.0001', '99999999999', 'abc'])
    assert.equal((await operator.send('GET', `${at}?USD=${price}`)).status, 422, price);
  assert.equal((await operator.send('GET', at)).status, 422);
  const body = { prices: { USD: '1500' }, valid_for_hours: 1 };
  const set = await operator.send('PUT', `${OPERATOR}/test/otc_buy`, { body });
  assert.equal(set.body.done, false, set.text);
  const { body: shown } = await operator.send('GET', `${OPERATOR}/test`);
  const [proposal] = shown.proposals;
  assert.deepEqual([proposal.proposal_id, proposal.why], [set.body.proposal.id, far.body.why]);
});

test('a price that one person set is in the book, the desk prices and the decisions, with its end time', async () => {
  const body = { prices: { GBP: '1830.25' }, valid_for_hours: 2, override: true };
  const set = await operator.send('PUT', `${OPERATOR}/test/usdc_ngnc`, { body });
  assert.equal(set.body.done, true, set.text);
  const lineOf = async (code: string) =>
    (await bookOf('usdc_ngnc')).currencies.find(({ currency }: { currency: string }) => currency === code);
  await until('the book has the price', async () => (await lineOf('GBP')).value === '1830.2500');
  const line = await lineOf('GBP');
  assert.equal(line.sample, false);
  assert.ok(Date.parse(line.valid_until) > Date.now() + 7_000_000);
  assert.equal((await lineOf('USD')).sample, true, 'the others keep what they had');
  const { body: desk } = await operator.send('GET', `${OPERATOR}/test/usdc_ngnc/desk-prices`);
  const [newest] = desk.prices;
  assert.deepEqual(
    [newest.currency, newest.value, newest.override, newest.in_force, newest.sample, newest.set_by.actor],
    ['GBP', '1830.2500', true, true, false, reviewer.id],
  );
  assert.match(newest.set_by.name, /^Person/);
  const { body: log } = await operator.send('GET', `${OPERATOR}/test/usdc_ngnc/decisions`);
  assert.ok(log.decisions.length >= 2);
  assert.equal(log.decisions[0].decision_id, (await bookOf('usdc_ngnc')).decision_id);
});

test('sources, spreads and history can be read; the spread of a tier is shown next to the standard spread', async () => {
  const { body: sources } = await operator.send('GET', `${OPERATOR}/test/sources`);
  assert.deepEqual(sources.sources, [], 'test mode is priced from the desk');
  const spread = { mode: 'test', product: 'otc_buy', tier: 'gold', spread_bps: 5 };
  const set = await operator.send('PUT', '/console/v1/operator/spreads', { body: spread });
  assert.equal(set.body.done, true, set.text);
  const { body } = await operator.send('GET', `${OPERATOR}/test/spreads`);
  assert.equal(body.needs_two, false);
  const gold = body.spreads.find(({ tier }: { tier: string | null }) => tier === 'gold');
  assert.deepEqual([gold.product, gold.currency, gold.spread_bps], ['otc_buy', null, 5]);
  const { quoted } = (await bookOf('otc_buy')).currencies[0];
  assert.deepEqual(
    quoted.map(({ tier }: { tier: string }) => tier),
    ['standard', 'gold'],
  );
  assert.ok(Number(quoted[1].rate) < Number(quoted[0].rate));
  const query = 'currency=USD&interval=1m';
  const values = await operator.send('GET', `${OPERATOR}/test/otc_buy/history?${query}`);
  const rates = await owner.send('GET', `${BUSINESS}/rates/test/otc_buy/history?${query}`);
  assert.equal(values.body.points.at(-1).rate, '1361.5000', values.text);
  assert.equal(rates.body.points.at(-1).rate, quoted[0].rate, rates.text);
  assert.equal((await operator.send('GET', `${OPERATOR}/test/otc_buy/history?currency=JPY`)).status, 422);
});

test('a member creates a quote, a key uses it, and the page shows the transaction', async () => {
  const headers = { 'idempotency-key': 'click-1' };
  const ask = { side: 'buy', amount: '100.00', currency: 'USD', network: 'Polygon' };
  const made = await owner.send('POST', `${BUSINESS}/quotes/test`, { body: ask, headers });
  assert.equal(made.status, 200, made.text);
  const { quote } = made.body;
  const now = await owner.send('GET', `${BUSINESS}/rates/test`);
  const [otc] = now.body.products;
  assert.equal(quote.rate, otc.rates[0].rate);
  assert.deepEqual([quote.state, quote.transaction_id, quote.sources[0].name], ['open', null, 'desk']);
  const again = await owner.send('POST', `${BUSINESS}/quotes/test`, { body: ask, headers });
  assert.deepEqual(
    [again.body.quote.quote_id, again.headers.get('idempotent-replayed')],
    [quote.quote_id, 'true'],
  );
  const bought = await service.post(
    '/transactions/v1/onramp',
    buyBody(service.business, {
      ...{ amount: Number(quote.naira_amount), quote_id: quote.quote_id, network: 'Polygon' },
    }),
  );
  assert.equal(bought.status, 200, bought.text);
  const { body } = await viewer.send('GET', `${BUSINESS}/quotes/test/${quote.quote_id}`);
  assert.deepEqual(
    [body.quote.state, body.quote.transaction_id],
    ['used', bought.body.transaction.transaction_id],
  );
  const used = await viewer.send('GET', `${BUSINESS}/quotes/test?state=used`);
  assert.deepEqual(
    used.body.quotes.map((each: { quote_id: string }) => each.quote_id),
    [quote.quote_id],
  );
  assert.deepEqual((await viewer.send('GET', `${BUSINESS}/quotes/live`)).body.quotes, []);
});

test('a viewer cannot create a quote; the error about a refused quote names the field; without a rate there is no quote', async () => {
  const ask = (mode: string, body: object, browser = owner) =>
    browser.send('POST', `${BUSINESS}/quotes/${mode}`, { body });
  assert.equal((await ask('test', { side: 'buy', amount: '100' }, viewer)).status, 403);
  const sell = await ask('test', { side: 'sell', amount: '100', currency: 'USD' });
  assert.deepEqual([sell.status, sell.body.errors[0].field], [422, 'currency'], sell.text);
  const live = await ask('live', { side: 'buy', amount: '100', currency: 'USD' });
  assert.deepEqual([live.status, live.body.code], [503, 'rates_unavailable'], live.text);
  const other = await ask('test', { side: 'buy', amount: '15000' });
  assert.deepEqual([other.body.quote.currency, other.body.quote.rate], ['NGN', '1.0000'], other.text);
});
