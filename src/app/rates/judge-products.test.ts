// Tests that the newest decision about a product counts, because the rate board in memory may be older.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BoardBook, BoardSnapshot } from '../../domain/rates/board.ts';
import { CURRENCIES, parseRate, type RateProduct } from '../../domain/rates/rates.ts';
import { DESK } from '../../domain/rates/reading.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { RateStore } from '../../ports/rates.ts';
import { type JudgeProductsDeps, judgeProducts } from './judge-products.ts';

const value = { valueE4: parseRate('1400')!, validUntilMs: null, sources: [] };
const book: BoardBook = {
  ...{ decisionId: 'dec_1', changedAtMs: 0, gaps: {} },
  values: Object.fromEntries(CURRENCIES.map((currency) => [currency, value])),
};
const spread = { product: 'otc_buy', currency: null, tier: null, spreadBps: 10, fromMs: 0 } as const;
const empty: BoardSnapshot = {
  generation: 1,
  books: { test: {}, live: {} },
  spreads: { test: [], live: [] },
};
const filled: BoardSnapshot = {
  ...{ generation: 2, books: { test: {}, live: { otc_buy: book } }, spreads: { test: [], live: [spread] } },
};

async function judged({ inMemory, stored }: { inMemory: BoardSnapshot; stored: BoardSnapshot }) {
  const listDecisions = (async (mode: Mode, product: RateProduct) => {
    const accepted = stored.books[mode][product]?.values.USD ?? null;
    return [{ values: [{ accepted }] }];
  }) as unknown as RateStore['listDecisions'];
  const deps: JudgeProductsDeps = {
    rateStore: { listDecisions },
    rateBoard: {
      ...{
        current: () => inMemory,
        refresh: async () => stored,
        onChange: () => undefined,
        close: async () => undefined,
      },
    } as unknown as JudgeProductsDeps['rateBoard'],
    ratePlan: { sources: [], planOf: (_, product) => ({ product, minimum: 1, sources: [DESK] }) },
    clock: { now: () => 1_000 },
  };
  const all = await judgeProducts(deps);
  return all.find(({ mode, product }) => mode === 'live' && product === 'otc_buy')!;
}

test('if no decision was ever made for a product, its rates are missing, but this is not an alarm', async () => {
  const { missing, isExpected } = await judged({ inMemory: empty, stored: empty });
  assert.deepEqual([missing.length, isExpected], [CURRENCIES.length, false]);
});

test('no rate is missing if the board does not show the first decision yet', async () => {
  const { missing, isExpected } = await judged({ inMemory: empty, stored: filled });
  assert.deepEqual([missing, isExpected], [[], true]);
});

test('expired rates are missing, although rates were expected', async () => {
  const ended = { ...value, validUntilMs: 999 };
  const values = Object.fromEntries(CURRENCIES.map((currency) => [currency, ended]));
  const stored = { ...filled, books: { test: {}, live: { otc_buy: { ...book, values } } } };
  const { missing, isExpected } = await judged({ inMemory: stored, stored });
  assert.deepEqual([missing.length, isExpected], [CURRENCIES.length, true]);
});
