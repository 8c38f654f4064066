// The world table, the ticker and the quotes must behave as the README next to them says: shape, documented errors and content
// faults.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startAmountQuote } from './amount-quote.ts';
import { startExchangeTicker } from './exchange-ticker.ts';
import type { FaultKind } from './faults.ts';
import { startWorldTable } from './world-table.ts';

const NOW_MS = Date.parse('2026-06-13T09:00:00Z');
const now = () => NOW_MS;
const TICKER = '/api/v1/markets/tickers/usdtngn';

// biome-ignore lint/suspicious/noExplicitAny: a test reads documents of any shape
async function read(url: string): Promise<any> {
  const response = await fetch(url);
  return response.json();
}

async function statusAndBody(url: string): Promise<[number, unknown]> {
  const response = await fetch(url);
  return [response.status, await response.json()];
}

describe('world table', () => {
  test('has every documented field', async () => {
    await using table = await startWorldTable({ now });
    const { rates, ...rest } = await read(`${table.url}/v6/latest/USD`);
    assert.deepEqual(rest, {
      result: 'success',
      provider: 'https://www.exchangerate-api.com',
      documentation: 'https://www.exchangerate-api.com/docs/free',
      terms_of_use: 'https://www.exchangerate-api.com/terms',
      time_last_update_unix: 1781308951,
      time_last_update_utc: 'Sat, 13 Jun 2026 00:02:31 +0000',
      time_next_update_unix: 1781396541,
      time_next_update_utc: 'Sun, 14 Jun 2026 00:22:21 +0000',
      time_eol_unix: 0,
      base_code: 'USD',
    });
    assert.equal(Object.keys(rates)[0], 'USD');
    assert.equal(rates.NGN, 1361.5);
    for (const code of ['GBP', 'EUR', 'TRY', 'CNY', 'CHF', 'CAD', 'AED', 'KES'])
      assert.equal(typeof rates[code], 'number');
    const naira = await read(`${table.url}/v6/latest/ngn`);
    assert.equal(naira.base_code, 'NGN');
    assert.equal(naira.rates.USD, 0.000734);
  });

  test('a test can set rates, time and the list of currencies', async () => {
    await using table = await startWorldTable({ now, currencies: ['USD', 'NGN'] });
    table.set({ rates: { NGN: 1400.5 }, updatedMs: Date.parse('2026-06-01T00:02:31Z'), eolUnix: 1790000000 });
    const document = await read(`${table.url}/v6/latest/USD`);
    assert.deepEqual(document.rates, { USD: 1, NGN: 1400.5 });
    assert.equal(document.time_last_update_utc, 'Mon, 01 Jun 2026 00:02:31 +0000');
    assert.equal(document.time_eol_unix, 1790000000);
  });

  test('errors have status 200 and give their type; after too many requests the server returns 429 for twenty minutes', async () => {
    let clockMs = NOW_MS;
    await using table = await startWorldTable({ now: () => clockMs, requestsAllowed: 3 });
    const error = (type: string) => [200, { result: 'error', 'error-type': type }];
    assert.deepEqual(await statusAndBody(`${table.url}/v6/latest/ZZZ`), error('unsupported-code'));
    assert.deepEqual(await statusAndBody(`${table.url}/v6/latest/dollars`), error('malformed-request'));
    table.set({ error: 'no-data-available' });
    assert.deepEqual(await statusAndBody(`${table.url}/v6/latest/USD`), error('no-data-available'));
    table.set({ error: null });
    assert.equal((await fetch(`${table.url}/v6/latest/USD`)).status, 429);
    clockMs += 20 * 60_000 - 1;
    assert.equal((await fetch(`${table.url}/v6/latest/USD`)).status, 429);
    clockMs += 1;
    assert.equal((await fetch(`${table.url}/v6/latest/USD`)).status, 200);
    assert.deepEqual(
      table.requests.map(({ status }) => status),
      [200, 200, 200, 429, 429, 200],
    );
  });

  test('content faults affect only the naira rate', async () => {
    await using table = await startWorldTable({ now });
    const faulty = async (kind: FaultKind, detail = {}) => {
      table.fail(kind, detail);
      return read(`${table.url}/v6/latest/USD`);
    };
    assert.equal((await faulty('times_ten')).rates.NGN, 13_615);
    assert.equal((await faulty('times_ten')).rates.EUR, 0.863731);
    assert.equal((await faulty('swapped')).rates.NGN, 0.000734);
    assert.equal((await faulty('zero', { currencies: ['GBP'] })).rates.GBP, 0);
    assert.equal((await faulty('stale')).time_last_update_unix, 1781308951 - 3 * 86_400);
    assert.equal((await faulty('future', { byMs: 1000 })).time_last_update_unix, NOW_MS / 1000 + 1);
    assert.ok(!('NGN' in (await faulty('missing')).rates));
    assert.ok(!('rates' in (await faulty('missing', { field: 'rates' }))));
    assert.equal((await faulty('null')).rates.NGN, null);
    assert.equal((await faulty('number_as_string')).rates.NGN, '1361.5');
    assert.throws(() => table.fail('string_as_number'), /cannot play "string_as_number"/);
  });
});

describe('exchange ticker', () => {
  test('has the structure of a real response', async () => {
    await using exchange = await startExchangeTicker({ now });
    assert.deepEqual(await statusAndBody(exchange.url + TICKER), [
      200,
      {
        status: 'success',
        message: 'Successful',
        data: {
          at: NOW_MS / 1000,
          ticker: {
            buy: '1392.15',
            sell: '1395.37',
            low: '1386.0',
            high: '1399.9',
            open: '1390.0',
            last: '1393.76',
            vol: '48211.57',
          },
          market: 'usdtngn',
        },
      },
    ]);
  });

  test('a test can set prices and time; an unknown market is an error', async () => {
    await using exchange = await startExchangeTicker({ now });
    exchange.set({ prices: { buy: '1400.0' }, atMs: NOW_MS - 90_000, atUnit: 'milliseconds' });
    const { data } = await read(exchange.url + TICKER);
    assert.equal(data.ticker.buy, '1400.0');
    assert.equal(data.ticker.sell, '1395.37');
    assert.equal(data.at, NOW_MS - 90_000);
    const [status, body] = await statusAndBody(`${exchange.url}/api/v1/markets/tickers/usdtxyz`);
    const message = 'The requested resource could not be found';
    assert.equal(status, 404);
    assert.deepEqual(body, { status: 'error', message, data: { code: 'E0404', message } });
    exchange.set({ unknownStatus: 200 });
    assert.equal((await statusAndBody(`${exchange.url}/api/v1/markets/tickers/usdtxyz`))[0], 200);
  });

  test('simulates the faults of the content', async () => {
    await using exchange = await startExchangeTicker({ now });
    const faulty = async (kind: FaultKind, detail = {}) => {
      exchange.fail(kind, detail);
      return (await read(exchange.url + TICKER)).data;
    };
    assert.equal((await faulty('times_ten')).ticker.sell, '13953.7');
    assert.equal((await faulty('swapped')).ticker.last, '0.0007174836');
    assert.equal((await faulty('zero')).ticker.buy, '0.0');
    assert.equal((await faulty('negative')).ticker.buy, '-1392.15');
    assert.equal((await faulty('stale')).at, NOW_MS / 1000 - 3600);
    assert.equal((await faulty('future')).at, NOW_MS / 1000 + 3600);
    assert.deepEqual(Object.keys((await faulty('missing')).ticker), ['low', 'high', 'open', 'vol']);
    assert.ok(!('at' in (await faulty('missing', { field: 'data.at' }))));
    assert.equal((await faulty('null', { field: 'data.ticker' })).ticker, null);
    assert.equal((await faulty('string_as_number')).ticker.last, 1393.76);
    assert.equal((await faulty('number_as_string')).at, String(NOW_MS / 1000));
  });
});

describe('amount quote', () => {
  test('the rate depends on the amount', async () => {
    await using quotes = await startAmountQuote();
    const success = (data: string) => ({
      status: 'success',
      message: 'Rate fetched successfully',
      data,
    });
    assert.deepEqual(await read(`${quotes.url}/v1/rates/USDC/100/NGN`), success('1391.2'));
    assert.deepEqual(await read(`${quotes.url}/v1/rates/usdc/1000/ngn?network=base`), success('1393.76'));
    assert.deepEqual(await read(`${quotes.url}/v1/rates/USDT/30000/NGN`), {
      ...success('1394.5'),
      metadata: { orderType: 'otc', refundTimeoutMinutes: 60 },
    });
    quotes.set({ tiers: [{ from: 1, to: 2, rate: '1500' }], dataType: 'number' });
    assert.equal((await read(`${quotes.url}/v1/rates/USDC/2/NGN`)).data, 1500);
  });

  test('refuses pairs that it does not quote, with the documented error', async () => {
    await using quotes = await startAmountQuote();
    const asked = (path: string) => statusAndBody(`${quotes.url}/v1/rates/${path}`);
    const error = (status: number, message: string) => [status, { status: 'error', message, data: null }];
    const none = 'no provider available for USDC to NGN conversion with amount';
    assert.deepEqual(await asked('USDC/0.1/NGN'), error(404, `${none} 0.1 on any network`));
    assert.deepEqual(await asked('USDC/900000/NGN?network=base'), error(404, `${none} 900000 on base`));
    assert.deepEqual(await asked('USDC/ten/NGN'), error(400, 'Invalid amount'));
    assert.deepEqual(await asked('EURC/1/NGN'), error(400, 'Token EURC is not supported'));
    assert.deepEqual(
      await asked('USDC/1/NGN?network=solana'),
      error(400, 'Token USDC is not supported on network solana'),
    );
    assert.deepEqual(await asked('USDC/1/ZZZ'), error(400, 'Fiat currency ZZZ is not supported'));
    quotes.set({ tiers: [] });
    assert.deepEqual(await asked('USDC/100/NGN'), error(404, `${none} 100 on any network`));
    quotes.fail('status', { status: 500 });
    assert.deepEqual(await asked('USDC/100/NGN'), error(500, 'Failed to fetch token rate'));
  });

  test('simulates the content faults for which its response has a field', async () => {
    await using quotes = await startAmountQuote();
    const faulty = async (kind: FaultKind) => {
      quotes.fail(kind);
      return read(`${quotes.url}/v1/rates/USDC/100/NGN`);
    };
    assert.equal((await faulty('times_hundred')).data, '139120');
    assert.equal((await faulty('swapped')).data, '0.0007188039');
    assert.equal((await faulty('zero')).data, '0');
    assert.ok(!('data' in (await faulty('missing'))));
    assert.equal((await faulty('null')).data, null);
    assert.equal((await faulty('string_as_number')).data, 1391.2);
    for (const kind of ['stale', 'future', 'number_as_string'] as const) {
      assert.ok(!quotes.faults.includes(kind));
      assert.throws(() => quotes.fail(kind), /cannot play/);
    }
  });
});
