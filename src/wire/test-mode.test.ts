// Tests the start of a service. Test mode gets its labelled sample rates at once, live mode gets no rates, and the service logs
// this.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setDeskPrices } from '../../test/support/rates/prices.ts';
import { startTestService } from '../../test/support/service.ts';
import { SAMPLE_RATES } from '../adapters/simulation/samples.ts';
import { describeRates } from '../app/rates/show-sources.ts';
import { RATE_PRODUCTS } from '../domain/rates/rates.ts';

const { service, foundation, databaseUrl, logged } = await startTestService();
const { rateStore } = foundation;

test('threat 60: sample prices exist in test mode only, labelled and without expiry; live mode has no price and no spread', async () => {
  for (const product of RATE_PRODUCTS) {
    const prices = await rateStore.currentDeskPrices('test', product);
    assert.equal(prices.length, 9);
    assert.ok(prices.every(({ sample, validUntilMs }) => sample && validUntilMs === null));
    assert.deepEqual(await rateStore.currentDeskPrices('live', product), []);
    const [live] = await rateStore.listDecisions('live', product, 1);
    assert.ok(live!.values.every(({ valueE4, accepted }) => valueE4 === null && accepted === null));
  }
  const spreads = await rateStore.listSpreads('test');
  assert.deepEqual(
    spreads.map(({ product, spreadBps }) => [product, spreadBps]),
    [
      ['otc_buy', 100],
      ['usdc_ngnc', 50],
    ],
  );
  assert.deepEqual(await rateStore.listSpreads('live'), []);
});

test('at start, the log says which rates each mode serves', async () => {
  const none = {
    live: 'no rates until the desk sets them',
    test: 'sample rates, which are not market prices',
  };
  assert.deepEqual(service.rates, none);
  assert.match(
    logged(),
    /"live":"no rates until the desk sets them","test":"sample rates, which are not market/,
  );
  const prices = { product: 'otc_buy', values: SAMPLE_RATES, validForMs: 3_600_000 } as const;
  await setDeskPrices(foundation, { ...prices, mode: 'live' });
  assert.deepEqual(await describeRates(foundation), { ...none, live: 'prices of the desk' });
});

test('a second start does not change prices that people have set', async () => {
  const own = { mode: 'test', product: 'otc_buy', values: { USD: '1400' }, validForMs: 3_600_000 } as const;
  await setDeskPrices(foundation, { ...own, spreadBps: 7 });
  await startTestService({}, databaseUrl, (await startTestService()).business);
  const prices = await rateStore.currentDeskPrices('test', 'otc_buy');
  assert.equal(prices.find(({ currency }) => currency === 'USD')!.valueE4, 14_000_000n);
  assert.equal((await rateStore.listSpreads('test')).length, 3);
});
