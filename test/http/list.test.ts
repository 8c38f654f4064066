// Tests how a business reads transactions: one by its id, or pages of them. The pages show the newest first, without gaps or
// repeats while new transactions arrive.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buyBody, sellBody } from '../support/service.ts';
import { sharedTestService } from '../support/sharing/shared-service.ts';
import { assertRefused, OFFRAMP, ONRAMP } from './helpers.ts';

const service = await sharedTestService();
const { business } = service;

interface Listed {
  readonly transaction_id: string;
  readonly type: string;
  readonly state: string;
  readonly created_at: string;
}

const submit = async (path: string, body: object): Promise<Listed> => {
  const answer = await service.post(path, body);
  assert.equal(answer.status, 200);
  return answer.body.transaction;
};
const list = async (query: Record<string, string>, key = business.testKey) => {
  const answer = await service.get(`/transactions/v1?${new URLSearchParams(query)}`, { key });
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(Object.keys(answer.body), ['status', 'message', 'transactions', 'next_cursor']);
  return answer.body as { transactions: Listed[]; next_cursor: string | null };
};
const idsOf = (transactions: readonly Listed[]) => transactions.map(({ transaction_id }) => transaction_id);

test('reading a transaction, in a list or by its id, returns the same fields as its creation', async () => {
  const own = await service.addBusiness('list-one');
  assert.deepEqual((await list({}, own.testKey)).transactions, []);
  const answer = await service.post(OFFRAMP, sellBody(own), { key: own.testKey });
  const { transaction } = answer.body;
  const listed = await list({}, own.testKey);
  assert.deepEqual(listed.transactions, [transaction]);
  assert.equal(listed.next_cursor, null);
  const read = await service.get(`/transactions/v1/${transaction.transaction_id}`, { key: own.testKey });
  assert.deepEqual(read.body, { status: 'success', message: 'Transaction found.', transaction });
});

test('malformed ids get the same response as unknown ids', async () => {
  for (const id of ['x', 'txn_', `TXN_${'0'.repeat(26)}`, `txn_${'u'.repeat(26)}`, 'a'.repeat(90)]) {
    assertRefused(await service.get(`/transactions/v1/${id}`), 404, 'transaction_not_found', []);
  }
  assertRefused(await service.get(`/transactions/v1/${'a'.repeat(500)}`), 404, 'not_found', []);
  for (const id of ['%zz', '%F0%9F%98%80']) {
    assertRefused(await service.get(`/transactions/v1/${id}`), 404, 'not_found', []);
  }
});

test('the filters by type, state and reference work alone and together', async () => {
  const buy = await submit(ONRAMP, buyBody(business, { reference: 'filter-buy' }));
  const waiting = await submit(ONRAMP, buyBody(business, { network: undefined, wallet_address: undefined }));
  const sell = await submit(OFFRAMP, sellBody(business, { reference: 'filter-sell' }));
  for (const type of ['Buy', 'buy', 'buy_ramp']) {
    assert.deepEqual(idsOf((await list({ type })).transactions), idsOf([waiting, buy]), type);
  }
  assert.deepEqual(idsOf((await list({ type: 'Sell' })).transactions), idsOf([sell]));
  assert.deepEqual(idsOf((await list({ state: 'awaiting_wallet' })).transactions), idsOf([waiting]));
  assert.deepEqual(
    idsOf((await list({ state: 'awaiting_deposit', type: 'Sell' })).transactions),
    idsOf([sell]),
  );
  assert.deepEqual((await list({ state: 'awaiting_deposit', type: 'Buy' })).transactions, []);
  assert.deepEqual((await list({ state: 'completed' })).transactions, []);
  assert.deepEqual(idsOf((await list({ reference: 'filter-sell' })).transactions), idsOf([sell]));
  assert.deepEqual((await list({ reference: 'filter-sell', type: 'Buy' })).transactions, []);
  assert.deepEqual((await list({ reference: 'filter-sell', state: 'cancelled' })).transactions, []);
  assert.deepEqual((await list({ reference: 'filter-nothing' })).transactions, []);
  assert.deepEqual(idsOf((await list({})).transactions), idsOf([sell, waiting, buy]));
});

test('the time filters include both ends', async () => {
  const own = await service.addBusiness('list-times');
  const made: Listed[] = [];
  while (made.length < 3 || made.at(-1)!.created_at === made[0]!.created_at) {
    const answer = await service.post(ONRAMP, buyBody(own), { key: own.testKey });
    made.push(answer.body.transaction);
  }
  for (const bound of new Set(made.map(({ created_at }) => created_at))) {
    const lagos = `${new Date(Date.parse(bound) + 3_600_000).toISOString().slice(0, -1)}+01:00`;
    for (const text of [bound, lagos]) {
      const from = await list({ created_from: text }, own.testKey);
      const expectedFrom = made.filter(({ created_at }) => created_at >= bound);
      assert.deepEqual(idsOf(from.transactions).sort(), idsOf(expectedFrom).sort());
      const to = await list({ created_to: text }, own.testKey);
      const expectedTo = made.filter(({ created_at }) => created_at <= bound);
      assert.deepEqual(idsOf(to.transactions).sort(), idsOf(expectedTo).sort());
    }
  }
  const day = made[0]!.created_at.slice(0, 10);
  assert.equal((await list({ created_from: day }, own.testKey)).transactions.length, made.length);
  assert.deepEqual((await list({ created_to: '2001-01-01' }, own.testKey)).transactions, []);
  assert.deepEqual((await list({ created_from: '9999-12-31T23:59:59Z' }, own.testKey)).transactions, []);
});

test('the pages contain every transaction once, in order, while new transactions arrive', async () => {
  const own = await service.addBusiness('list-pages');
  const as = { key: own.testKey };
  const expected: string[] = [];
  for (let i = 0; i < 23; i++) {
    const [path, body] = i % 3 === 0 ? [OFFRAMP, sellBody(own)] : [ONRAMP, buyBody(own)];
    const answer = await service.post(path as string, body, as);
    expected.unshift(answer.body.transaction.transaction_id);
  }
  expected.sort().reverse();
  for (const limit of ['1', '7', '23', '24', '100']) {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await list({ limit, ...(cursor !== null && { cursor }) }, own.testKey);
      assert.ok(page.transactions.length <= Number(limit));
      seen.push(...idsOf(page.transactions));
      cursor = page.next_cursor;
      if (limit === '7') await service.post(ONRAMP, buyBody(own), as);
    } while (cursor !== null);
    const fresh = seen.filter((id) => !expected.includes(id));
    assert.deepEqual(
      seen.filter((id) => expected.includes(id)),
      expected,
      `limit ${limit}`,
    );
    assert.equal(new Set(seen).size, seen.length);
    if (limit === '7') assert.deepEqual(fresh, []);
    expected.unshift(
      ...idsOf((await list({ limit: '100' }, own.testKey)).transactions).filter(
        (id) => !expected.includes(id),
      ),
    );
  }
  const first = await list({}, own.testKey);
  assert.equal(first.transactions.length, 25);
  const sells = await list({ type: 'Sell', limit: '3' }, own.testKey);
  const rest = await list({ type: 'Sell', limit: '100', cursor: sells.next_cursor! }, own.testKey);
  assert.equal(sells.transactions.length + rest.transactions.length, 8);
});

test('the error about an invalid filter names the filter', async () => {
  for (const [name, values, code] of [
    ['type', ['', 'Swap', 'Buy,Sell'], 'filter_invalid'],
    ['state', ['', 'done', 'Cancelled', '__proto__'], 'filter_invalid'],
    ['reference', ['', 'a b', 'x'.repeat(65), '\u0000'], 'reference_invalid'],
    [
      'created_from',
      ['', 'yesterday', '2026-13-01', '2026-02-30', '1763112600', '2026-11-14T09:30:00'],
      'filter_invalid',
    ],
    [
      'created_to',
      ['2026-11-14 09:30', '2026-11-14T25:00:00Z', 'Nov 14 2026', '+002026-01-01'],
      'filter_invalid',
    ],
    ['limit', ['', '0', '-1', '101', '1.5', '1e1', 'ten', ' 5', '0x10', '9'.repeat(30)], 'filter_invalid'],
    ['cursor', ['', 'x', Buffer.from('txn_1').toString('base64url'), '\u0000', 'ä'], 'cursor_invalid'],
  ] as const) {
    for (const value of values) {
      const answer = await service.get(`/transactions/v1?${new URLSearchParams({ [name]: value })}`);
      assertRefused(answer, 422, code, [`${name}: ${code}`]);
    }
    const twice = await service.get(`/transactions/v1?${name}=a&${name}=b`);
    assertRefused(twice, 422, 'filter_invalid', [`${name}: filter_invalid`]);
  }
  const several = await service.get('/transactions/v1?limit=0&type=x&state=y');
  assertRefused(several, 422, 'filter_invalid', [
    'type: filter_invalid',
    'state: filter_invalid',
    'limit: filter_invalid',
  ]);
  assertRefused(await service.get('/transactions/v1?unknown=1&__proto__=2'), 422, 'filter_invalid', [
    'unknown: filter_invalid',
    '__proto__: filter_invalid',
  ]);
  for (const body of ['0', 'z']) {
    const cursor = Buffer.from(`txn_${body.repeat(26)}`).toString('base64url');
    assert.equal((await service.get(`/transactions/v1?cursor=${cursor}`)).status, 200);
  }
});
