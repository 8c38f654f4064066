// Tests that the search finds a transaction by every value that people may have. It searches only the person's business and
// mode, and uses indexes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptedBuys, attempt, deposit, movement } from '../../../../test/http/settlement-fixtures.ts';
import { acceptance, databaseWithKeys, NOW, SCOPE, sell } from '../../../../test/http/store-fixtures.ts';
import { commitAll } from '../../../../test/support/database.ts';
import { findTransactions } from '../../../app/activity/find-transactions.ts';
import { makeId } from '../../../domain/values/ids.ts';
import type { DescribedNetworks } from '../../../ports/networks/network.ts';
import { acceptBatch } from '../accept/accept-batch.ts';
import type { Database } from '../connection/database.ts';
import { makePostgresStore } from '../store.ts';
import { makeTransactionSearch } from './search.ts';

const { database } = await databaseWithKeys();
const networks = {
  names: ['Stellar', 'Polygon'],
  spell: (text: string) => ['Stellar', 'Polygon'].find((name) => name.toLowerCase() === text.toLowerCase()),
  find: () => undefined,
  disabled: () => [],
  enabled: () => [
    { checkAddress: (text: string) => ({ ok: true, address: text.replace('0xabc', '0xABC') }) } as never,
  ],
} satisfies DescribedNetworks;
const deps = {
  store: makePostgresStore(database),
  search: makeTransactionSearch(database),
  networks,
};
const reader = { key: { business: { id: SCOPE.businessId }, mode: SCOPE.mode } };

async function found(query: Record<string, string>, who: Parameters<typeof findTransactions>[1] = reader) {
  const result = await findTransactions(deps, who, query);
  assert.ok(result.ok);
  return result.value.transactions.map(({ id }) => id);
}

const idAt = (atMs: number) => makeId('txn', atMs, crypto.getRandomValues(new Uint8Array(10)));

test('a search by id, reference, account, wallet, hash or amount finds the transaction, but never one of another business', async () => {
  const [sent] = await acceptedBuys(database, 1);
  const wanted = acceptance({
    id: idAt(NOW + 1),
    createdAtMs: NOW + 1,
    accountNumber: '0011223344',
    amountMinor: 1_234_567n,
    wallet: { network: 'Polygon', address: '0xABCdef' },
  });
  const sold = { ...acceptance(), transaction: sell({ id: idAt(NOW + 2), createdAtMs: NOW + 2 }) };
  await acceptBatch(database, [wanted, sold]);
  const send = movement({ transactionId: sent!.id });
  const [seen, carried] = [deposit({ transactionId: sold.transaction.id }), attempt(send)];
  await commitAll(deps.store, [
    { atMs: NOW, newDeposits: [seen], newMovements: [send], attempts: [carried] },
  ]);
  const { id, reference } = wanted.transaction;
  const names: readonly (readonly [string, string])[] = [
    ...[id, reference, '0011223344', '0xabcdef', '₦12,345.67', '12345.67'].map((text) => [text, id] as const),
    [seen.txHash, sold.transaction.id],
    [sold.transaction.deposits[0]!.address, sold.transaction.id],
    [carried.reference, sent!.id],
  ];
  for (const [text, expected] of names) {
    assert.deepEqual(await found({ search: text }), [expected], text);
    for (const who of [
      { key: { business: { id: 'biz_other' }, mode: 'test' as const } },
      { key: { business: { id: SCOPE.businessId }, mode: 'live' as const } },
    ])
      assert.deepEqual(await found({ search: text }, who), [], text);
  }
  assert.deepEqual(await found({ search: id, type: 'Sell' }), []);
  assert.deepEqual(await found({ amount: '12345.67', state: 'awaiting_payment' }), [id]);
  assert.deepEqual(await found({ search: '0011223344', created_from: new Date(NOW + 2).toISOString() }), []);
  assert.deepEqual(await found({ search: '0011223344', created_to: new Date(NOW + 1).toISOString() }), [id]);
});

test('a filter by network finds each transaction once over all pages, including sells that wait on that network', async () => {
  const from = NOW + 10_000;
  const batch = Array.from({ length: 60 }, (_, index) => {
    const at = { id: idAt(from + index), createdAtMs: from + index };
    const network = index % 2 === 0 ? 'Stellar' : 'Polygon';
    if (index % 5 === 0) return { ...acceptance(), transaction: sell(at) };
    return acceptance({ ...at, wallet: { network, address: `${network} wallet ${index}` } });
  });
  await acceptBatch(database, batch);
  const expected = batch
    .map(({ transaction }) => transaction)
    .filter(({ type, wallet }) => type === 'sell' || wallet?.network === 'Stellar')
    .map(({ id }) => id)
    .toReversed();
  const all: string[] = [];
  let cursor: string | null = null;
  do {
    const query: Record<string, string> = {
      network: 'stellar',
      limit: '7',
      created_from: new Date(from).toISOString(),
    };
    const page = await findTransactions(deps, reader, { ...query, ...(cursor !== null && { cursor }) });
    assert.ok(page.ok);
    all.push(...page.value.transactions.map(({ id }) => id));
    cursor = page.value.nextCursor;
  } while (cursor !== null);
  assert.deepEqual(all, expected);
});

test('invalid values are refused, and each error names its parameter', async () => {
  const wrong = { network: 'Nowhere', amount: 'much', search: 'x'.repeat(201) };
  const refused = await findTransactions(deps, reader, wrong);
  assert.ok(!refused.ok);
  assert.deepEqual(
    refused.error.errors?.map(({ field, code }) => [field, code]),
    [
      ['network', 'filter_invalid'],
      ['amount', 'filter_invalid'],
      ['search', 'filter_invalid'],
    ],
  );
});

const WHOLE =
  /"Seq Scan"[^{}]*"Relation Name":"(transactions|transaction_states|deposit_targets|movements|movement_attempts|deposits|webhook_deliveries)"/;

test('no search scans a whole table', async () => {
  const texts: { text: string; values?: unknown[] }[] = [];
  const noting: Database = {
    ...database,
    query: (query) => {
      texts.push(query as never);
      return database.query(query);
    },
  };
  const searching = { ...deps, search: makeTransactionSearch(noting) };
  const queries = [
    { search: '0011223344' },
    { search: '12345.67', type: 'Buy' },
    { amount: '5' },
    { network: 'Polygon' },
  ];
  for (const query of [...queries, { network: 'Polygon', state: 'sending' }])
    await findTransactions(searching, reader, query);
  await makeTransactionSearch(noting).deliveriesOf(SCOPE, ['evt_1'], 10);
  for (const analyzed of [false, true]) {
    if (analyzed) await database.query({ text: 'vacuum analyze' });
    for (const { text } of texts) {
      const { rows } = await database.query({ text: `explain (generic_plan, format json) ${text}` });
      assert.doesNotMatch(JSON.stringify(rows[0]!['QUERY PLAN']), WHOLE, text);
    }
  }
});
