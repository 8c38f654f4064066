// Tests the migration of rates on a database that is in use. The rates that operators had set become desk prices and spreads
// with the same expiry.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { openTestDatabase } from '../../../../test/http/store-fixtures.ts';
import { emptyDatabase } from '../../../../test/support/database.ts';
import { afterFile } from '../../../../test/support/sharing/file-group.ts';
import { CURRENCIES, parseRate } from '../../../domain/rates/rates.ts';
import { SAMPLE_RATES } from '../../simulation/samples.ts';
import { migrate } from '../connection/migrate.ts';
import { makeRateStore } from './rate-store.ts';

const MIGRATIONS = path.resolve(import.meta.dirname, '../../../../migrations');

function migrationsBefore(): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'sliproad-migrations-'));
  afterFile(() => rmSync(directory, { recursive: true, force: true }));
  for (const name of readdirSync(MIGRATIONS))
    if (name < '0022') cpSync(path.join(MIGRATIONS, name), path.join(directory, name));
  return directory;
}

test('earlier rates become desk prices with their expiry, spreads and last accepted values', async () => {
  const { url } = await emptyDatabase();
  const connection = { connectionString: url };
  await migrate(connection, migrationsBefore());
  const database = openTestDatabase(url);
  const text = `insert into businesses (id, name, link_tag, created_at) values ('biz_1', 'One', 'one', now());
    insert into rate_books values ('test', 'otc_buy', 100, '2026-11-01', null), ('test', 'usdc_ngnc', 50, '2026-11-02', null),
      ('live', 'otc_buy', 0, '2026-11-03', '2026-11-04'), ('live', 'usdc_ngnc', 7, '2026-11-05', null)`;
  await database.query({ text });
  for (const [mode, product, usd] of [
    ['test', 'otc_buy', null],
    ['test', 'usdc_ngnc', 14_000_000n],
    ['live', 'otc_buy', null],
    ['live', 'usdc_ngnc', 14_100_000n],
  ] as const)
    for (const currency of CURRENCIES) {
      const valueE4 = (currency === 'USD' ? usd : null) ?? parseRate(SAMPLE_RATES[currency])!;
      const values = [mode, product, currency, String(valueE4)];
      await database.query({ text: 'insert into rate_values values ($1, $2, $3, $4)', values });
    }

  const [applied] = await migrate(connection);
  assert.equal(applied, '0022_rates.sql');

  const store = makeRateStore(database);
  const usdOf = async (mode: 'live' | 'test', product: 'otc_buy' | 'usdc_ngnc') => {
    const prices = await store.currentDeskPrices(mode, product);
    assert.equal(prices.length, CURRENCIES.length);
    const { valueE4, validUntilMs, sample, confirmed } = prices.find(({ currency }) => currency === 'USD')!;
    return [valueE4, validUntilMs === null ? null : new Date(validUntilMs).toISOString(), sample, confirmed];
  };
  assert.deepEqual(await usdOf('test', 'otc_buy'), [13_615_000n, null, true, false]);
  assert.deepEqual(await usdOf('test', 'usdc_ngnc'), [14_000_000n, null, false, false]);
  assert.deepEqual(await usdOf('live', 'otc_buy'), [13_615_000n, '2026-11-04T00:00:00.000Z', false, false]);
  assert.deepEqual(await usdOf('live', 'usdc_ngnc'), [14_100_000n, '2026-11-06T00:00:00.000Z', false, false]);
  assert.deepEqual(
    (await store.listSpreads('live')).map(({ product, spreadBps, currency, tier }) => [
      ...[product, spreadBps, currency, tier],
    ]),
    [
      ['otc_buy', 0, null, null],
      ['usdc_ngnc', 7, null, null],
    ],
  );
  await store.decide('live', 'usdc_ngnc', ({ last, lastAccepted: { USD, KES } }) => {
    const atMs = Date.parse('2026-11-05T00:00:00Z');
    const dollar = { valueE4: 14_100_000n, dollarE4: null, atMs };
    assert.equal(last, null);
    assert.deepEqual(USD, { ...dollar, anchor: dollar });
    assert.equal(KES!.anchor.dollarE4, 14_100_000n);
    return null;
  });
  const { rows } = await database.query({ text: `select tier from businesses where id = 'biz_1'` });
  assert.deepEqual(rows, [{ tier: 'standard' }]);
});
