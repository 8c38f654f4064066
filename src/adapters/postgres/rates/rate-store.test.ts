// Tests rate decisions, desk prices and history in the database. Only one process at a time decides about a rate book, and a
// decision is stored completely or not at all.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countOf, openTestDatabase } from '../../../../test/http/store-fixtures.ts';
import { freshDatabase } from '../../../../test/support/database.ts';
import { decisionOf, deskPrices, MORNING } from '../../../../test/support/rates/prices.ts';
import type { HistoryInterval } from '../../../domain/rates/rates.ts';
import { makeDeskWrites } from './desk-prices.ts';
import { makeRateStore } from './rate-store.ts';

const url = await freshDatabase();
const [one, two] = [openTestDatabase(url), openTestDatabase(url)];
const [store, other] = [makeRateStore(one), makeRateStore(two)];
const deskWrites = makeDeskWrites(one);
const doing = { actor: 'per_one', atMs: MORNING };
const MINUTE = 60_000;

const historyOf = async (interval: HistoryInterval) => {
  const question = { product: 'otc_buy', currency: 'USD', interval, fromMs: 0, toMs: MORNING * 2 } as const;
  return (await store.readHistory('live', question)).map(({ atMs, firstE4, lastE4, lowE4, highE4 }) =>
    [new Date(atMs).toISOString().slice(11, 16), firstE4, lastE4, lowE4, highE4].join(' '),
  );
};

test('a decision is stored unchanged, with the values in force and their history', async () => {
  const made = decisionOf(MORNING, 13_615_000n);
  assert.deepEqual(await store.decide('live', 'otc_buy', () => made), made);
  assert.deepEqual(await store.findDecision(made.id), made);
  assert.deepEqual(await store.listDecisions('live', 'otc_buy', 5), [made]);
  assert.deepEqual(await store.listDecisions('test', 'otc_buy', 5), []);
  assert.equal(await store.findDecision('rat_none'), undefined);
  for (const interval of ['1m', '1h', '1d'] as const) assert.equal((await historyOf(interval)).length, 1);
  await store.decide('live', 'otc_buy', ({ last, lastAccepted }) => {
    assert.deepEqual(last, made);
    assert.deepEqual(lastAccepted.KES, made.values[8]!.accepted);
    return null;
  });
  assert.equal(await countOf(one, 'rate_decisions'), 1);
});

test('two processes never decide one book at once, and the other books are not locked', async () => {
  let inside = '';
  await store.decide('live', 'otc_buy', () => null); // This opens a connection in both pools.
  const decided = one.transaction(async (client) => {
    const lock = `select pg_advisory_xact_lock(hashtextextended('sliproad rates live otc_buy', 0))`;
    await client.query(lock);
    assert.equal(await other.decide('live', 'otc_buy', () => assert.fail('it decided')), 'busy');
    inside = String(await other.decide('live', 'usdc_ngnc', () => null));
  });
  await decided;
  assert.equal(inside, 'null');
  assert.equal(await other.decide('live', 'otc_buy', () => null), null);
});

test('a decision that fails halfway stores nothing', async () => {
  const before = await countOf(one, 'rate_decisions');
  const wrong = decisionOf(MORNING, -1n);
  await assert.rejects(
    store.decide('live', 'otc_buy', () => wrong),
    { code: '23514' },
  );
  assert.equal(await countOf(one, 'rate_decisions'), before);
  assert.equal(await store.findDecision(wrong.id), undefined);
});

test('history has the first, last, lowest and highest value of each minute, hour and day', async () => {
  for (const [afterMs, valueE4] of [
    [5_000, 13_700_000n],
    [10_000, 13_500_000n],
    [MINUTE, 13_600_000n],
  ] as const)
    await store.decide('live', 'otc_buy', () => decisionOf(MORNING + afterMs, valueE4));
  assert.deepEqual(await historyOf('1m'), [
    '09:30 13615000 13500000 13500000 13700000',
    '09:31 13600000 13600000 13600000 13600000',
  ]);
  assert.deepEqual(await historyOf('1h'), ['09:00 13615000 13600000 13500000 13700000']);
  assert.deepEqual(await historyOf('1d'), ['00:00 13615000 13600000 13500000 13700000']);
});

test('threat 60: the history has a point for each minute while the value is valid, and no point after that', async () => {
  await store.keepHistory(MORNING + 3 * MINUTE);
  await store.keepHistory(MORNING + 3 * MINUTE);
  const minutes = await historyOf('1m');
  assert.deepEqual(minutes.slice(2), ['09:33 13600000 13600000 13600000 13600000']);
  await store.keepHistory(MORNING + 61 * MINUTE);
  assert.deepEqual(await historyOf('1m'), minutes);
  const gap = decisionOf(MORNING + 4 * MINUTE, null);
  await store.decide('live', 'otc_buy', () => gap);
  await store.keepHistory(MORNING + 5 * MINUTE);
  assert.deepEqual(await historyOf('1m'), minutes);
  assert.deepEqual((await store.findDecision(gap.id))?.values[0]?.candidates[0]?.valueE4, 10n ** 30n);
});

test('minutes are kept for 14 days, hours for 400 days, and days permanently', async () => {
  const days = (count: number) => MORNING + count * 86_400_000;
  await store.keepHistory(days(15));
  assert.deepEqual([await historyOf('1m'), (await historyOf('1h')).length], [[], 1]);
  await store.keepHistory(days(401));
  assert.deepEqual([await historyOf('1h'), (await historyOf('1d')).length], [[], 1]);
});

test('the database refuses a live price without an expiry and a sample price in live mode', async () => {
  const given = { mode: 'live', product: 'otc_buy', values: { USD: '1361.5' }, validForMs: 1_000 } as const;
  const [price] = deskPrices(given, MORNING);
  const rules = [
    [{ ...price!, sample: true }, 'desk_prices_live'],
    [{ ...price!, validUntilMs: null }, 'desk_prices_live'],
    [{ ...price!, approvedBy: null }, 'desk_prices_two_people'],
    [{ ...price!, approvedBy: price!.setBy }, 'desk_prices_other_person'],
  ] as const;
  for (const [wrong, constraint] of rules)
    await assert.rejects(deskWrites.addDeskPrices([wrong], doing), { constraint });
  assert.deepEqual(await store.currentDeskPrices('live', 'otc_buy'), []);
});

test('the newest price of a currency is the current one, and earlier prices are never changed', async () => {
  const set = (values: Record<string, string>, atMs: number) =>
    deskWrites.addDeskPrices(
      deskPrices({ mode: 'test', product: 'otc_buy', values, validForMs: null }, atMs),
      { ...doing, atMs },
    );
  await set({ USD: '1361.5', KES: '10.5' }, MORNING);
  await set({ USD: '1362' }, MORNING + 1);
  const current = await store.currentDeskPrices('test', 'otc_buy');
  assert.deepEqual(
    current.map(({ currency, valueE4, asOfMs }) => [currency, valueE4, asOfMs]),
    [
      ['KES', 105_000n, MORNING],
      ['USD', 13_620_000n, MORNING + 1],
    ],
  );
  await store.decide('test', 'otc_buy', ({ desk }) => {
    assert.deepEqual(desk, current);
    return null;
  });
  const all = await store.listDeskPrices('test', 'otc_buy', MORNING);
  assert.deepEqual(
    all.map(({ valueE4 }) => valueE4),
    [13_620_000n, 105_000n, 13_615_000n],
  );
  assert.equal((await store.listDeskPrices('test', 'otc_buy', MORNING + 1)).length, 1);
  for (const table of ['desk_prices', 'spreads'])
    await assert.rejects(one.query({ text: `delete from ${table}` }), /append-only/);
});

test('spreads are listed in the order they were added', async () => {
  const rule = { mode: 'test', product: 'otc_buy', currency: null, tier: null, setBy: 'per_one' } as const;
  const rules = [
    { ...rule, spreadBps: 100, fromMs: MORNING + 1 },
    { ...rule, spreadBps: 0, tier: 'gold', currency: 'USD', fromMs: MORNING },
  ] as const;
  for (const each of rules) await deskWrites.addSpread(each, doing);
  assert.deepEqual(await store.listSpreads('test'), rules);
  assert.deepEqual(await store.listSpreads('live'), []);
});

test('a decision is kept for 90 days, and longer while it is in force or explains a quote that was used', async () => {
  await assert.rejects(one.query({ text: 'delete from rate_decisions' }), { code: '23001' });
  const add = (id: string, days: number) =>
    one.query({
      text: `insert into rate_decisions (id, mode, product, at, explanation)
        values ($1, 'live', 'usdc_ngnc', now() - $2 * interval '1 day', '{}')`,
      values: [id, days],
    });
  for (const [id, days] of [
    ['rat_young', 89],
    ['rat_old', 91],
    ['rat_in_force', 91],
    ['rat_of_a_used_quote', 91],
    ['rat_of_an_unused_quote', 91],
  ] as const)
    await add(id, days);
  await one.query({
    text: `update rate_books set decision_id = 'rat_in_force' where mode = 'test' and product = 'usdc_ngnc'`,
  });
  for (const used of [true, false])
    await one.query({
      text: `insert into quotes (id, business_id, mode, side, amount_minor, currency, naira_minor, fee_minor, rate_e4, sources,
          decision_id, created_at, expires_at, transaction_id)
        values ($1, 'biz_1', 'live', 'buy', 100, 'USD', 100, 0, 10000, '[]', $2, now(), now() + interval '1 minute', $3)`,
      values: [`quo_${used}`, used ? 'rat_of_a_used_quote' : 'rat_of_an_unused_quote', used ? 'txn_1' : null],
    });
  await store.keepHistory(MORNING);
  const { rows } = await one.query<{ id: string }>({
    text: `select id from rate_decisions where id ~ '^rat_(young|old|in_force|of_)' order by id`,
  });
  assert.deepEqual(
    rows.map(({ id }) => id),
    ['rat_in_force', 'rat_of_a_used_quote', 'rat_young'],
  );
});
