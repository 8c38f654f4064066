// Tests what every rate source reports for the documented responses of its API, and for responses with a wrong price, time or
// field. A source reports the unchanged number or no number, but never a guessed number.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CURRENCIES } from '../../../src/domain/rates/rates.ts';
import { SourceFailure } from '../../../src/ports/rates.ts';
import { FULL_HISTORY_DAYS } from '../../support/rate-servers/central-bank.ts';
import type { FaultKind } from '../../support/rate-servers/faults.ts';
import { NOW, type Played, SOURCES } from './playing.ts';

const PRICE_FAULTS = ['zero', 'negative', 'times_ten', 'times_hundred'] as const;
const HOUR_MS = 3_600_000;

/**
 * Threat 61: the rate source reports wrong prices unchanged, because the rate book can only reject and show prices that a
 * source reports.
 */
async function reportsWrongPrices({ server, valueIn }: Played, usualE4: bigint): Promise<void> {
  assert.equal(await valueIn('USD'), usualE4);
  const expected = { zero: 0n, negative: -usualE4, times_ten: 10n * usualE4, times_hundred: 100n * usualE4 };
  for (const fault of PRICE_FAULTS) {
    server.fail(fault);
    assert.equal(await valueIn('USD'), expected[fault], fault);
  }
}

async function isUnreadable(played: Played, fault: FaultKind, field?: string): Promise<void> {
  played.server.fail(fault, field === undefined ? {} : { field });
  await assert.rejects(
    played.read(),
    (error) => error instanceof SourceFailure && error.code === 'unreadable',
    `${fault} ${field}`,
  );
}

describe('central bank', () => {
  const play = SOURCES['central bank'];
  const day = (date: string) => Date.parse(`${date}T00:00:00+01:00`);

  test('reports the central rate of the newest day, in any order of the table', () =>
    play(async ({ server, read }) => {
      for (const order of ['newest_first', 'oldest_first', 'mixed'] as const) {
        server.set({ order });
        const rates = await read();
        assert.deepEqual(
          Object.fromEntries(rates.map(({ currency, valueE4 }) => [currency, valueE4])),
          {
            USD: 13_615_000n,
            GBP: 18_265_000n,
            EUR: 15_763_000n,
            CNY: 2_009_300n,
            CHF: 17_126_000n,
            AED: 3_706_900n,
          },
          order,
        );
        assert.ok(rates.every(({ asOfMs }) => asOfMs === day('2026-06-12')));
      }
      assert.ok(server.requests.every(({ status }) => status === 200));
    }));

  test('irregular rows are interpreted correctly: a different name, a correction and a missing rate', () =>
    play(async ({ server, read, valueIn }) => {
      const rowsOf = async (currency: string) => {
        const rates = await read();
        return rates.find((each) => each.currency === currency)!;
      };
      server.set({
        labels: {
          'US DOLLAR': 'US DOLLAR ',
          'SWISS FRANC': 'SWISS FRANC\t',
          'POUNDS STERLING': 'POUND STERLING',
        },
      });
      assert.equal(await valueIn('USD'), 13_615_000n);
      assert.equal(await valueIn('CHF'), 17_126_000n);
      assert.equal(await valueIn('GBP'), 18_265_000n);
      const newest = { currency: 'US DOLLAR', ratedate: '2026-06-12' };
      server.set({ rowsBefore: [{ ...newest, id: 99_999, centralrate: '1400.0000' }] });
      assert.equal(await valueIn('USD'), 14_000_000n);
      server.set({ rowsBefore: [], rowsAfter: [{ ...newest, id: 1, centralrate: '1300.0000' }] });
      assert.equal(await valueIn('USD'), 13_615_000n);
      server.set({ rowsAfter: [], currencies: ['US DOLLAR'] });
      assert.equal((await read()).length, 1);
      server.set({ currencies: ['US DOLLAR', 'EURO'] });
      server.fail('missing', { currencies: ['EURO'] });
      assert.equal((await rowsOf('EUR')).asOfMs, day('2026-06-11'));
      assert.equal((await rowsOf('USD')).asOfMs, day('2026-06-12'));
    }));

  test('reports wrong prices as they are', () => play((played) => reportsWrongPrices(played, 13_615_000n)));

  test('old dates are reported as old, and days that have not begun are skipped', () =>
    play(async ({ server, read }) => {
      server.fail('stale');
      assert.equal((await read())[0]!.asOfMs, day('2026-05-29'));
      server.fail('future');
      // The date three days ahead is a Monday. The entry before it in the table is for Friday, which is today.
      assert.equal((await read())[0]!.asOfMs, day('2026-06-12'));
    }));

  test('if the newest day has no usable rates, the previous day is used', () =>
    play(async ({ server, read }) => {
      for (const fault of ['missing', 'null', 'string_as_number'] as const) {
        server.fail(fault);
        assert.ok(
          (await read()).every(({ asOfMs }) => asOfMs === day('2026-06-11')),
          fault,
        );
      }
      for (const field of ['ratedate', 'currency']) {
        server.fail('null', { field });
        assert.ok(
          (await read()).every(({ asOfMs }) => asOfMs === day('2026-06-11')),
          field,
        );
      }
      server.fail('number_as_string');
      assert.ok((await read()).every(({ asOfMs }) => asOfMs === day('2026-06-12')));
    }));

  test('a table without a known currency is unreadable', () =>
    play(async (played) => {
      played.server.set({ currencies: ['YEN', 'SDR'] });
      await isUnreadable(played, 'gzip');
    }));

  test('the whole history is smaller than the default byte limit', () =>
    play(
      async ({ server, read }) => {
        server.set({ historyDays: FULL_HISTORY_DAYS });
        server.fail('gzip');
        const rates = await read();
        assert.equal(rates.length, 6);
        assert.ok(rates.every(({ asOfMs }) => asOfMs === day('2026-06-12')));
      },
      { max_bytes: undefined, timeout: '2m' },
    ));
});

describe('world table', () => {
  const play = SOURCES['world table'];
  const updated = Date.parse('2026-06-12T00:02:31Z');

  test('reports all nine currencies as naira per unit, with the time of the table', () =>
    play(async ({ read }) => {
      const rates = await read();
      assert.deepEqual(
        rates.map(({ currency }) => currency),
        [...CURRENCIES],
      );
      assert.ok(rates.every(({ asOfMs }) => asOfMs === updated));
      const value = Object.fromEntries(rates.map(({ currency, valueE4 }) => [currency, valueE4]));
      assert.deepEqual(
        [value.USD, value.GBP, value.TRY, value.KES],
        [13_615_000n, 18_264_993n, 294_600n, 105_000n],
      );
    }));

  test('reports wrong prices as they are', () => play((played) => reportsWrongPrices(played, 13_615_000n)));

  test('a currency that is not listed, or has no units, is omitted', () =>
    play(async ({ server, read, valueIn }) => {
      server.set({ currencies: ['USD', 'NGN', 'EUR'] });
      assert.deepEqual(
        (await read()).map(({ currency }) => currency),
        ['USD', 'EUR'],
      );
      server.fail('zero', { currencies: ['EUR'] });
      assert.deepEqual([await valueIn('EUR'), await valueIn('USD')], [undefined, 13_615_000n]);
    }));

  test('old and future times are reported unchanged; a missing time is unreadable', () =>
    play(async (played) => {
      played.server.fail('stale');
      assert.equal((await played.read())[0]!.asOfMs, updated - 72 * HOUR_MS);
      played.server.fail('future');
      assert.equal((await played.read())[0]!.asOfMs, NOW + 24 * HOUR_MS);
      await isUnreadable(played, 'missing', 'time_last_update_unix');
      await isUnreadable(played, 'null', 'rates');
      await isUnreadable(played, 'missing', 'base_code');
    }));

  test('a table without naira is unreadable; a naira value as a string is accepted', () =>
    play(async (played) => {
      await isUnreadable(played, 'missing');
      await isUnreadable(played, 'null');
      played.server.fail('number_as_string');
      assert.equal(await played.valueIn('USD'), 13_615_000n);
    }));

  test('a documented error is reported as a refusal with its type', () =>
    play(async ({ server, read }) => {
      server.set({ error: 'no-data-available' });
      await assert.rejects(read(), {
        code: 'refused',
        message: 'The source answers with an error: no-data-available.',
      });
    }));
});

describe('exchange ticker', () => {
  const play = SOURCES['exchange ticker'];
  const middle = 13_937_600n;

  test('reports the midpoint of bid and ask as the dollar price, with the time of the ticker', () =>
    play(async ({ server, read }) => {
      assert.deepEqual(await read(), [{ currency: 'USD', valueE4: middle, asOfMs: NOW }]);
      server.set({ atUnit: 'milliseconds', atMs: NOW - 60_000 });
      assert.equal((await read())[0]!.asOfMs, NOW - 60_000);
    }));

  test('reports wrong prices as they are', () =>
    play(async ({ server, valueIn }) => {
      assert.equal(await valueIn('USD'), middle);
      server.fail('zero');
      assert.equal(await valueIn('USD'), 0n);
      server.fail('negative');
      // Both offers are negative, so the source reports the lower offer.
      assert.equal(await valueIn('USD'), -13_953_700n);
      server.fail('times_ten');
      assert.equal(await valueIn('USD'), 10n * middle);
      server.fail('times_hundred');
      assert.equal(await valueIn('USD'), 100n * middle);
    }));

  test('old and future times are reported unchanged', () =>
    play(async ({ server, read }) => {
      server.fail('stale');
      assert.equal((await read())[0]!.asOfMs, NOW - HOUR_MS);
      server.fail('future');
      assert.equal((await read())[0]!.asOfMs, NOW + HOUR_MS);
    }));

  test('missing offers and times are unreadable; values of another type are accepted', () =>
    play(async (played) => {
      for (const field of ['data.ticker.buy', 'data.ticker.sell', 'data.at', 'data', 'status'])
        for (const fault of ['missing', 'null'] as const) await isUnreadable(played, fault, field);
      for (const fault of ['number_as_string', 'string_as_number'] as const) {
        played.server.fail(fault);
        assert.equal(await played.valueIn('USD'), middle, fault);
      }
    }));

  test('an unknown market is reported as a refusal, with status 404 and with 200', () =>
    play(async ({ server, read }) => {
      for (const unknownStatus of [404, 200] as const) {
        server.set({ markets: [], unknownStatus });
        await assert.rejects(read(), { code: 'refused' });
      }
    }));
});

describe('amount quote', () => {
  const play = SOURCES['amount quote'];

  test('reports the rate for the configured amount, with the time of the request', () =>
    play(async ({ server, read }) => {
      // The `date` header of the server comes from this machine's clock, which is later than the clock of the test.
      assert.deepEqual(await read(), [{ currency: 'USD', valueE4: 13_912_000n, asOfMs: NOW }]);
      assert.deepEqual(
        server.requests.map(({ url }) => url),
        ['/v1/rates/USDC/100/NGN'],
      );
      server.set({ dataType: 'number' });
      assert.equal((await read())[0]!.valueE4, 13_912_000n);
    }));

  test('reports wrong prices as they are', () => play((played) => reportsWrongPrices(played, 13_912_000n)));

  test('an amount that no provider accepts is reported as a refusal', () =>
    play(async ({ server, read }) => {
      server.set({ tiers: [{ from: 1_000, to: 2_000, rate: '1393.76' }] });
      await assert.rejects(read(), { code: 'refused' });
    }));

  test('a response without the number is unreadable; a JSON number is accepted', () =>
    play(async (played) => {
      await isUnreadable(played, 'missing');
      await isUnreadable(played, 'null');
      await isUnreadable(played, 'missing', 'status');
      played.server.fail('string_as_number');
      assert.equal(await played.valueIn('USD'), 13_912_000n);
    }));
});
