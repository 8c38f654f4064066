// Tests the rates in memory. Every process is notified of a new rate book, and reports when it cannot receive notifications.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../../../test/http/helpers.ts';
import { openTestDatabase } from '../../../../test/http/store-fixtures.ts';
import { freshDatabase } from '../../../../test/support/database.ts';
import { inTime, limitMs } from '../../../../test/support/patience.ts';
import { decisionOf, deskPrices, MORNING } from '../../../../test/support/rates/prices.ts';
import { afterFile } from '../../../../test/support/sharing/file-group.ts';
import type { Database } from '../connection/database.ts';
import { waitUntilCurrent } from '../connection/kept-snapshot.ts';
import { openRateBoard } from './board.ts';
import { makeDeskWrites } from './desk-prices.ts';
import { makeRateStore } from './rate-store.ts';

const url = await freshDatabase();
const database = openTestDatabase(url);
const store = makeRateStore(database);
const connection = { connectionString: url };

async function open(of: Database = database) {
  const board = openRateBoard(of, connection, () => undefined);
  afterFile(() => board.close());
  await waitUntilCurrent(board, limitMs('condition'));
  return board;
}
const decide = (atMs: number, valueE4: bigint) =>
  store.decide('live', 'otc_buy', () => decisionOf(atMs, valueE4));

test('every process serves a new book, with the sources of each value, and a new spread', async () => {
  const boards = [await open(), await open()];
  assert.deepEqual(boards[0]!.current()?.books, { live: {}, test: {} });
  const heard: string[] = [];
  boards[0]!.onChange(({ table, book }) => heard.push([table, book?.mode, book?.product].join(' ').trim()));
  await decide(MORNING, 13_615_000n);
  for (const board of boards) {
    const book = () => board.current()?.books.live.otc_buy;
    await eventually(() => book() !== undefined, 'the new book is heard of');
    assert.deepEqual(book()!.values.KES, {
      ...{ valueE4: 13_615_000n, validUntilMs: MORNING + 3_600_000 },
      sources: [{ name: 'desk', valueE4: 13_615_000n, asOfMs: MORNING }],
    });
    assert.equal(book()!.changedAtMs, MORNING);
  }
  assert.equal(heard[0], 'rate_books', 'who listens has heard of it by the time it is served');
  const rule = { mode: 'live', product: 'otc_buy', currency: null, tier: null, spreadBps: 5 } as const;
  const spread = { ...rule, fromMs: MORNING, setBy: 'per_one' };
  await makeDeskWrites(database).addSpread(spread, { actor: 'per_one', atMs: MORNING });
  for (const board of boards)
    await eventually(() => board.current()?.spreads.live.length === 1, 'the spread is heard of');
  const prices = { mode: 'test', product: 'otc_buy', values: { USD: '1361.5' }, validForMs: null } as const;
  await makeDeskWrites(database).addDeskPrices(deskPrices(prices, MORNING), {
    actor: 'per_one',
    atMs: MORNING,
  });
  await eventually(() => heard.some((each) => each.startsWith('desk_prices')), 'the price is heard of');
  assert.deepEqual([...new Set(heard)], ['rate_books', 'spreads', 'desk_prices test otc_buy']);
});

test('if only the validity of a book is extended, the book has not changed, but its generation differs', async () => {
  const board = await open();
  const before = await board.refresh();
  await decide(MORNING + 5_000, 13_615_000n);
  const longer = await board.refresh();
  assert.notEqual(before.generation, longer.generation);
  assert.equal(longer.books.live.otc_buy!.changedAtMs, MORNING);
  assert.equal(longer.books.live.otc_buy!.values.USD!.validUntilMs, MORNING + 3_605_000);
  await decide(MORNING + 6_000, 13_616_000n);
  assert.equal((await board.refresh()).books.live.otc_buy!.changedAtMs, MORNING + 6_000);
});

test('threat 60: while a newer book is being read, the last one is served for at most one second', async () => {
  let release: () => void = () => undefined;
  let held: Promise<void> | undefined;
  const slow: Database = {
    ...database,
    query: async (query) => {
      await held;
      return database.query(query);
    },
  };
  const board = await open(slow);
  const before = board.current();
  held = new Promise((resolve) => {
    release = resolve;
  });
  const heard = new Promise<void>((resolve) => board.onChange(() => resolve()));
  await decide(MORNING + 7_000, 13_700_000n);
  await inTime('the change', heard);
  assert.equal(board.current(), before);
  await eventually(() => board.current() === undefined, 'it is no longer served');
  release();
  await eventually(
    () => board.current()?.books.live.otc_buy?.values.USD?.valueE4 === 13_700_000n,
    'the new one is served',
  );
});

test('threat 60: without a listening connection nothing is served from memory until the connection is restored', async () => {
  const board = await open();
  const listeners = `pg_stat_activity where application_name = 'sliproad-listen' and datname = current_database()`;
  await database.query({ text: `select pg_terminate_backend(pid) from ${listeners}` });
  await eventually(() => board.current() === undefined, 'its end is noticed');
  await decide(MORNING + 8_000, 13_800_000n);
  assert.equal((await board.refresh()).books.live.otc_buy!.values.USD!.valueE4, 13_800_000n);
  await eventually(() => board.current() !== undefined, 'it listens again');
});
