// Tests the reading of a bank's list of incoming payments. All pages are read, and later transactions wait for an open
// transaction.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BankList, type ListedTransaction, readCreditsFromList } from './list-reader.ts';

const DAY_MS = 86_400_000;
const NOW = 100 * DAY_MS;

const credit = (atMs: number, changes: Partial<ListedTransaction> = {}): ListedTransaction => ({
  ...{ atMs, id: String(atMs), standing: 'credit', json: null },
  ...changes,
});

function bank(all: readonly ListedTransaction[], { perPage = 2, most = 100 } = {}) {
  const asked: number[] = [];
  const list: BankList = {
    ...{ fromMs: 0, most },
    page: async (fromMs, endMs, page) => {
      asked.push(page);
      const between = all.filter(({ atMs }) => fromMs <= atMs && atMs <= endMs).toReversed();
      const transactions = between.slice(page * perPage, (page + 1) * perPage);
      assert.ok(page === 0 || transactions.length > 0, `there is no page ${page}`);
      return { transactions, rows: transactions.length, total: between.length };
    },
    compareIds: (one, other) => Number(one) - Number(other),
  };
  const read = async (position: string | null = null) => {
    const found = await readCreditsFromList(list, position, NOW);
    return { ids: found.credits.map(({ id }) => id), position: found.position };
  };
  return { asked, read };
}

test('every page is requested once, and no page after the last one, even if the last page is full', async () => {
  for (const [count, pages] of [
    [0, 1],
    [1, 1],
    [2, 1],
    [3, 2],
    [4, 2],
    [5, 3],
  ] as const) {
    const { asked, read } = bank(Array.from({ length: count }, (_, index) => credit(index + 1)));
    const { ids } = await read();
    assert.deepEqual(
      ids,
      Array.from({ length: count }, (_, index) => String(index + 1)),
    );
    assert.deepEqual(
      asked,
      Array.from({ length: pages }, (_, page) => page),
      `${count} rows`,
    );
  }
});

test('the oldest transactions are returned first, up to a maximum, and the next read continues after the last one', async () => {
  const { read } = bank([credit(5), credit(5, { id: '6' }), credit(9)], { most: 1 });
  const first = await read();
  const second = await read(first.position);
  const third = await read(second.position);
  assert.deepEqual([first.ids, second.ids, third.ids], [['5'], ['6'], ['9']]);
  assert.deepEqual(await read(third.position), { ids: [], position: third.position });
});

test('an open transaction delays the later ones for less than a day', async () => {
  const open = (ageMs: number) => credit(NOW - ageMs, { standing: 'open' });
  const before = credit(NOW - 2 * DAY_MS);
  const behind = credit(NOW - 1);
  const ids = async (ageMs: number) => (await bank([before, open(ageMs), behind]).read()).ids;
  assert.deepEqual(await ids(DAY_MS - 1), [before.id]);
  assert.deepEqual(await ids(DAY_MS), [before.id, behind.id]);
});

test('a period with more than a thousand transactions is read in parts, and no transaction is missing', async () => {
  const all = Array.from({ length: 2_500 }, (_, index) => credit(1 + Math.floor((index * NOW) / 2_501)));
  const { read } = bank(all, { perPage: 100, most: 5_000 });
  const found: string[] = [];
  for (let next = await read(); next.ids.length > 0; next = await read(next.position))
    found.push(...next.ids);
  assert.deepEqual(
    found,
    all.map(({ id }) => id),
  );
});
