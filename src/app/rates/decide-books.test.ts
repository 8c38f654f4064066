// Tests how rate books are decided from the database, with rate sources and the desk, in both modes. The service stores a
// decision only if something changed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from '../../../test/http/store-fixtures.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { deskPrices, MORNING, setDeskPrices } from '../../../test/support/rates/prices.ts';
import { makeDeskWrites } from '../../adapters/postgres/rates/desk-prices.ts';
import { makeRateStore } from '../../adapters/postgres/rates/rate-store.ts';
import { SAMPLE_RATES } from '../../adapters/simulation/samples.ts';
import { makeSystemEntropy } from '../../adapters/system.ts';
import { CURRENCIES, parseRate } from '../../domain/rates/rates.ts';
import { DESK } from '../../domain/rates/reading.ts';
import type { RatePlan, RateSource } from '../../ports/rates.ts';
import { decideBooks } from './decide-books.ts';

const database = openTestDatabase(await freshDatabase());
const rateStore = makeRateStore(database);
const deskWrites = makeDeskWrites(database);
let nowMs = MORNING;
const clock = { now: () => nowMs };
const AGE_MS = 60_000;
const source = (name: string): RateSource => ({
  ...{ name, kind: 'test', everyMs: 1_000, timeoutMs: 1_000, ageLimitMs: AGE_MS },
  read: () => assert.fail('it is not read here'),
});
const ratePlan: RatePlan = {
  sources: [source('a'), source('b')],
  planOf: (mode, product) =>
    mode === 'live' && product === 'usdc_ngnc'
      ? { product, sources: ['a', 'b', DESK], minimum: 2 }
      : { product, sources: [DESK], minimum: 1 },
};
const decide = () => decideBooks({ rateStore, ratePlan, clock, entropy: makeSystemEntropy() });
const usdOf = async (mode: 'live' | 'test', product: 'otc_buy' | 'usdc_ngnc') => {
  const [last] = await rateStore.listDecisions(mode, product, 1);
  const { valueE4, validUntilMs, gap } = last!.values[0]!;
  return [valueE4, validUntilMs, gap];
};
const report = async (name: string, factor: (valueE4: bigint) => bigint = (valueE4) => valueE4) => {
  await rateStore.leaseSources([name], nowMs, 1);
  const rates = CURRENCIES.map((currency) => ({
    ...{ currency, asOfMs: nowMs, valueE4: factor(parseRate(SAMPLE_RATES[currency])!) },
  }));
  await rateStore.saveReading(name, rates, nowMs, nowMs + 1_000);
};

test('a product is priced from the sources of its plan, and from the desk if the plan names it', async () => {
  await decide();
  assert.deepEqual(await usdOf('live', 'usdc_ngnc'), [null, null, 'no_source']);
  await setDeskPrices(
    { deskWrites, clock },
    {
      ...{ mode: 'live', product: 'otc_buy', values: SAMPLE_RATES, validForMs: 5_000 },
    },
  );
  await report('a');
  await decide();
  assert.deepEqual(await usdOf('live', 'otc_buy'), [13_615_000n, MORNING + 5_000, null]);
  assert.deepEqual(await usdOf('live', 'usdc_ngnc'), [null, null, 'too_few_sources']);
  assert.deepEqual(await usdOf('test', 'otc_buy'), [null, null, 'no_source']);
  await report('b');
  await decide();
  assert.deepEqual(await usdOf('live', 'usdc_ngnc'), [13_615_000n, MORNING + AGE_MS, null]);
});

test('an unchanged decision is not stored again', async () => {
  const count = async () => (await rateStore.listDecisions('live', 'usdc_ngnc', 100)).length;
  const before = await count();
  nowMs += 1_000;
  await decide();
  await decide();
  assert.equal(await count(), before);
});

test('threat 61: a source that reports a value a hundred times too high changes nothing, and the decision names it', async () => {
  nowMs += 1_000;
  await report('b', (valueE4) => valueE4 * 100n);
  await decide();
  assert.deepEqual((await usdOf('live', 'usdc_ngnc')).slice(0, 1), [null]);
  const [last] = await rateStore.listDecisions('live', 'usdc_ngnc', 1);
  const verdicts = last!.values[0]!.candidates.map(({ source: name, verdict }) => `${name} ${verdict}`);
  assert.deepEqual(verdicts, ['a used', 'b out_of_bounds']);
  await report('b');
  await decide();
  assert.equal((await usdOf('live', 'usdc_ngnc'))[0], 13_615_000n);
});

test('threat 60: an expired value counts as missing, and a new price restores it', async () => {
  nowMs = MORNING + 5_000;
  await decide();
  assert.deepEqual(await usdOf('live', 'otc_buy'), [null, null, 'too_few_sources']);
  await setDeskPrices(
    { deskWrites, clock },
    {
      ...{ mode: 'live', product: 'otc_buy', values: SAMPLE_RATES, validForMs: 5_000 },
    },
  );
  await decide();
  assert.equal((await usdOf('live', 'otc_buy'))[0], 13_615_000n);
  nowMs = MORNING + 2 * AGE_MS;
  await decide();
  assert.equal((await usdOf('live', 'usdc_ngnc'))[0], null);
});

test('an override of the desk applies even if the desk is not a source of the product; a normal desk price does not', async () => {
  const outside: RatePlan = {
    ...ratePlan,
    planOf: (_, product) => ({ product, sources: ['a', 'b'], minimum: 2 }),
  };
  const set = async (override: boolean) => {
    nowMs += 1_000;
    const given = { mode: 'live', product: 'usdc_ngnc', values: { USD: '1400' }, validForMs: 5_000 } as const;
    const prices = deskPrices(given, nowMs).map((price) => ({ ...price, override }));
    await deskWrites.addDeskPrices(prices, { actor: 'per_one', atMs: nowMs });
    await decideBooks({ rateStore, ratePlan: outside, clock, entropy: makeSystemEntropy() });
    return (await usdOf('live', 'usdc_ngnc'))[0];
  };
  assert.equal(await set(false), null);
  assert.equal(await set(true), 14_000_000n);
});
