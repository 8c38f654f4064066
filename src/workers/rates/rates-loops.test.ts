// Tests the rate loops on a real database. The service decides a price as soon as its notification arrives, and a value expires
// on time. A product that loses its rates is reported once and recovers automatically.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { eventually } from '../../../test/http/helpers.ts';
import { openTestDatabase } from '../../../test/http/store-fixtures.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { limitMs } from '../../../test/support/patience.ts';
import { setDeskPrices } from '../../../test/support/rates/prices.ts';
import { waitUntilCurrent } from '../../adapters/postgres/connection/kept-snapshot.ts';
import { openRateBoard } from '../../adapters/postgres/rates/board.ts';
import { makeDeskWrites } from '../../adapters/postgres/rates/desk-prices.ts';
import { makeRateStore } from '../../adapters/postgres/rates/rate-store.ts';
import { SAMPLE_RATES } from '../../adapters/simulation/samples.ts';
import { makeSystemEntropy, startDatabaseClock } from '../../adapters/system.ts';
import { listRateAttention } from '../../app/operations/attention-items.ts';
import { CURRENCIES, parseRate } from '../../domain/rates/rates.ts';
import { DESK } from '../../domain/rates/reading.ts';
import type { Series } from '../../ports/instruments.ts';
import { type RatePlan, type RateSource, SourceFailure } from '../../ports/rates.ts';
import { startDecidingRates } from './decide-rates.ts';
import { startReadingSources } from './read-sources.ts';
import { startRateWatch } from './watch-rates.ts';

const url = await freshDatabase();
const database = openTestDatabase(url);
const clock = await startDatabaseClock(database, () => undefined);
after(() => clock.close());
const rateStore = makeRateStore(database);
const deskWrites = makeDeskWrites(database);
const onError = (error: Error) => assert.fail(error);

let market: 'answers' | 'silent' = 'answers';
const source: RateSource = {
  ...{ name: 'market', kind: 'test', everyMs: 50, timeoutMs: 1_000, ageLimitMs: 700 },
  read: async () => {
    if (market === 'silent') throw new SourceFailure('unreachable', 'connection refused');
    return CURRENCIES.map((currency) => ({
      ...{ currency, valueE4: parseRate(SAMPLE_RATES[currency])!, asOfMs: clock.now() },
    }));
  },
};
const ratePlan: RatePlan = {
  sources: [source],
  planOf: (mode, product) => ({
    ...{ product, minimum: 1 },
    sources: mode === 'live' && product === 'usdc_ngnc' ? ['market'] : [DESK],
  }),
};
const rateBoard = openRateBoard(database, { connectionString: url }, () => undefined);
after(() => rateBoard.close());
await waitUntilCurrent(rateBoard, limitMs('condition'));

const gauges = new Map<string, readonly Series<string>[]>();
const instruments = {
  gauge: (name: string) => (series: readonly Series<string>[]) => gauges.set(name, series),
  totals: () => () => undefined,
  counter: () => () => undefined,
};
const said: string[] = [];
const say = (message: string, detail: object) => said.push(`${message} ${JSON.stringify(detail)}`);
const deciding = startDecidingRates({
  rateStore,
  ratePlan,
  rateBoard,
  clock,
  entropy: makeSystemEntropy(),
  onError,
});
rateBoard.onChange(({ table, book }) => table !== 'rate_books' && deciding.wake(book));
const watching = startRateWatch(
  { rateStore, ratePlan, rateBoard, clock, instruments, onLost: say, onRegained: say, onError },
  30,
);
const reading = startReadingSources({
  rateStore,
  sources: [source],
  clock,
  onFailure: () => undefined,
  onError,
});

const bookOf = (product: 'otc_buy' | 'usdc_ngnc') => rateBoard.current()?.books.live[product];
const gaugeOf = (name: string, labels: Readonly<Record<string, string>>) =>
  gauges.get(name)?.find((each) => Object.entries(labels).every(([key, value]) => each.labels[key] === value))
    ?.value;
const set = (validForMs: number) =>
  setDeskPrices(
    { deskWrites, clock },
    {
      ...{ mode: 'live', product: 'otc_buy', values: SAMPLE_RATES, validForMs, spreadBps: 10 },
    },
  );
const OTC = { mode: 'live', product: 'otc_buy' };

test('a new desk price is decided as soon as its notification arrives', async () => {
  await eventually(() => bookOf('otc_buy')?.gaps.USD === 'no_source', 'there was no price');
  await set(3_600_000);
  await eventually(() => bookOf('otc_buy')?.values.KES?.valueE4 === 105_000n, 'the price is served');
  await eventually(() => gaugeOf('sliproad_rates_served', OTC) === 1, 'the metric says so');
  assert.ok(!said.some((line) => line.includes('otc_buy')), 'what was never set up is no loss');
});

test('threat 60: a value expires on time; its end is reported once, and so is the next value', async () => {
  await set(400);
  await eventually(() => bookOf('otc_buy')?.gaps.KES === 'too_few_sources', 'it was decided at its end');
  const ofOtc = () => said.filter((line) => line.includes('otc_buy'));
  await eventually(() => ofOtc().length === 1, 'the loss is reported');
  assert.match(ofOtc()[0]!, /^rates are not served .*There is no current rate for USD, GBP/);
  assert.equal(gaugeOf('sliproad_rates_served', OTC), 0);
  const [line] = await listRateAttention({ rateStore, rateBoard, ratePlan, clock }, 'live');
  assert.deepEqual([line!.kind, line!.severity], ['rates', 'critical']);
  assert.match(line!.title, /^otc_buy has no rates/);
  await set(3_600_000);
  await eventually(() => ofOtc().length === 2, 'it is served again');
  assert.match(ofOtc()[1]!, /^rates are served again/);
});

test('threat 61: the circuit of a failing source opens, its values expire, and it recovers automatically', async () => {
  const spread = { mode: 'live', product: 'usdc_ngnc', currency: null, tier: null, spreadBps: 0 } as const;
  const doing = { actor: 'per_one', atMs: clock.now() };
  await deskWrites.addSpread({ ...spread, fromMs: doing.atMs, setBy: 'per_one' }, doing);
  const served = () => gaugeOf('sliproad_rates_served', { product: 'usdc_ngnc', mode: 'live' });
  await eventually(() => served() === 1, 'the source is read and served');
  assert.equal(gaugeOf('sliproad_rate_source_up', { source: 'market' }), 1);
  assert.ok(gaugeOf('sliproad_rate_source_age_seconds', { source: 'market' })! < 60);
  market = 'silent';
  await eventually(async () => (await rateStore.listSources())[0]!.openUntilMs !== null, 'its circuit opens');
  await eventually(() => served() === 0, 'its values end');
  assert.equal(gaugeOf('sliproad_rate_source_up', { source: 'market' }), 0);
  const lines = await listRateAttention({ rateStore, rateBoard, ratePlan, clock }, 'live');
  assert.deepEqual(
    lines.map(({ kind }) => kind),
    ['rates', 'rate_source'],
  );
  assert.match(lines[1]!.title, /^The rate source market failed [3-9] times in a row$/);
  assert.deepEqual(await listRateAttention({ rateStore, rateBoard, ratePlan, clock }, 'test'), []);
  market = 'answers';
  // Ends the pause of the rate source, because a minute is too long for a test.
  const text = `update rate_sources set open_until = now(), next_read_at = now()`;
  await database.query({ text });
  await eventually(() => served() === 1, 'it is read and served again');
});

test('each loop stops on request', async () => {
  await Promise.all([deciding, watching, reading].map((loop) => loop.stop()));
});
