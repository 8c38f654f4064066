// Tests how a quote is made from given rates and stored in a real PostgreSQL.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BUSINESS, databaseWithKeys, KEY, NOW } from '../../../test/http/store-fixtures.ts';
import { WIDE } from '../../../test/support/rates/quotes.ts';
import { makePostgresQuotes } from '../../adapters/postgres/quotes/quote-store.ts';
import { feeSchedule } from '../../domain/catalogue/fees.ts';
import type { BoardSnapshot } from '../../domain/rates/board.ts';
import type { RateBoard } from '../../ports/rates.ts';
import { makeQuote, type QuoteDeps, type QuoteSubmission } from './make-quote.ts';

const { database } = await databaseWithKeys();
const quotes = makePostgresQuotes(database);
const UNTIL = NOW + 60_000;
const RULE = { product: 'otc_buy', currency: null, spreadBps: 100, fromMs: 0 } as const;
const USD = {
  valueE4: 15_000_000n,
  validUntilMs: UNTIL,
  sources: [{ name: 'desk', valueE4: 15_000_000n, asOfMs: NOW }],
};
const BOARD: BoardSnapshot = {
  generation: 1,
  books: {
    live: {},
    test: { otc_buy: { decisionId: 'rat_1', changedAtMs: NOW, values: { USD }, gaps: {} } },
  },
  spreads: {
    live: [],
    test: [
      { ...RULE, tier: null },
      { ...RULE, tier: 'gold', spreadBps: 0 },
    ],
  },
};

function depsAt(atMs: number, board: BoardSnapshot = BOARD): QuoteDeps {
  const served: RateBoard = { current: () => board, refresh: async () => board };
  return {
    ...{ quotes, board: served, networks: { spell: () => undefined } as never },
    clock: { now: () => atMs },
    entropy: { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)) },
    bounds: {
      buy: { minMinor: 1_500_000n, maxMinor: 10n ** 11n },
      sell: { minMinor: 100_000n, maxMinor: 10n ** 11n },
    },
    validForMs: 600_000,
    limits: WIDE,
  };
}

function asking(changes: Partial<QuoteSubmission> = {}, tier = 'standard'): QuoteSubmission {
  const fees = { live: feeSchedule([]), test: feeSchedule([]) };
  return {
    caller: { key: { id: KEY, mode: 'test', business: { id: BUSINESS, tier } }, catalogue: { fees } },
    ...{ body: { side: 'buy', currency: 'USD' }, amountText: '100', idempotencyKey: null },
    ...changes,
  };
}

test('the rate includes the spread of the business, and the quote names the decision of the rate', async () => {
  for (const [tier, rateE4] of [
    ['standard', 15_150_000n],
    ['gold', 15_000_000n],
  ] as const) {
    const made = await makeQuote(depsAt(NOW), asking({}, tier));
    assert.ok(made.ok);
    const { quote } = made.value;
    assert.deepEqual([quote.rateE4, quote.nairaMinor, quote.decisionId], [rateE4, rateE4, 'rat_1']);
    assert.deepEqual(quote.sources, USD.sources);
  }
});

test('threat 60: an expired rate is not quoted, from the exact moment of its expiry', async () => {
  assert.ok((await makeQuote(depsAt(UNTIL - 1), asking())).ok);
  const refused = await makeQuote(depsAt(UNTIL), asking());
  assert.ok(!refused.ok && refused.error.code === 'rates_unavailable');
  const other = await makeQuote(depsAt(NOW), asking({ body: { side: 'buy', currency: 'EUR' } }));
  assert.ok(!other.ok && other.error.code === 'rates_unavailable');
});

test('a repeated request with the same Idempotency-Key gets the same response after the rate has expired', async () => {
  const first = await makeQuote(depsAt(NOW), asking({ idempotencyKey: 'gone' }));
  const again = await makeQuote(depsAt(UNTIL), asking({ idempotencyKey: 'gone', amountText: '100.00' }));
  assert.ok(first.ok && again.ok);
  assert.deepEqual(again.value.quote, first.value.quote);
  assert.deepEqual([first.value.replayed, again.value.replayed], [false, true]);
  const changed = await makeQuote(depsAt(UNTIL), asking({ idempotencyKey: 'gone', amountText: '101' }));
  assert.ok(!changed.ok && changed.error.code === 'rates_unavailable');
});

test('an amount outside the bounds of the transaction is refused, with its naira value', async () => {
  const small = await makeQuote(depsAt(NOW), asking({ amountText: '1' }));
  assert.ok(!small.ok && small.error.code === 'amount_below_minimum');
  assert.match(small.error.message, /worth ₦1,515\.00/);
  const large = await makeQuote(depsAt(NOW), asking({ amountText: '9999999999999.99' }));
  assert.ok(!large.ok && large.error.code === 'amount_above_maximum');
});
