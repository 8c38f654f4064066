// Tests quotes on a real PostgreSQL. The limit on open quotes applies across processes, a quote is written once, and a retry
// after a lost response creates no second quote.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  BUSINESS,
  countOf,
  databaseWithKeys,
  LIVE_KEY,
  openTestDatabase,
  SCOPE,
} from '../../../../test/http/store-fixtures.ts';
import { dollarQuote, newQuote, WIDE } from '../../../../test/support/rates/quotes.ts';
import type { QuoteOutcome } from '../../../ports/quotes.ts';
import { StoreUnavailable } from '../../../ports/store/store.ts';
import type { Database } from '../connection/database.ts';
import { addQuotes } from './add-quotes.ts';
import { makePostgresQuotes } from './quote-store.ts';

const { url, database } = await databaseWithKeys();
const quotes = makePostgresQuotes(database);
const kindOf = (outcome: QuoteOutcome | Error) => (outcome instanceof Error ? 'error' : outcome.kind);
const spendAll = () =>
  database.query({ text: `update quotes set transaction_id = id where transaction_id is null` });

test('a quote is read back unchanged, with the times of the database', async () => {
  for (const given of [
    newQuote({ network: 'Polygon', feeMinor: 7n }),
    dollarQuote(),
    newQuote({ side: 'sell' }),
  ]) {
    const beforeMs = Date.now();
    const outcome = await quotes.add(given, WIDE);
    assert.ok(outcome.kind === 'created');
    const { quote } = outcome;
    assert.equal(quote.expiresAtMs - quote.createdAtMs, 600_000);
    assert.ok(quote.createdAtMs > beforeMs - 60_000 && quote.createdAtMs < Date.now() + 60_000);
    assert.deepEqual(await quotes.find(SCOPE, quote.id), { quote, expired: false });
    assert.equal(await quotes.find({ ...SCOPE, mode: 'live' }, quote.id), undefined);
    assert.equal(await quotes.find({ ...SCOPE, businessId: 'biz_other' }, quote.id), undefined);
  }
});

test('two processes together never exceed the limit of a business, and can use all of it', async () => {
  await spendAll();
  const stores = [url, url].map((each) => makePostgresQuotes(openTestDatabase(each)));
  const limits = { maxOpenMinor: 100_000n, maxOpenQuotes: 1_000 };
  const outcomes = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      stores[index % 2]!.add(newQuote({ amountMinor: 3_000n, nairaMinor: 3_000n }), limits),
    ),
  );
  assert.equal(outcomes.filter(({ kind }) => kind === 'created').length, 33);
  const [open] = await quotes.exposure();
  assert.deepEqual(open, { ...SCOPE, openMinor: 99_000n, openQuotes: 33 });
  const refused = outcomes.find(({ kind }) => kind === 'exposure_exceeded');
  assert.deepEqual(refused, { kind: 'exposure_exceeded', openMinor: 99_000n, openQuotes: 33 });
  // A quote that fits is accepted even if a larger one in the same batch was refused.
  const mixed = await addQuotes(
    database,
    [
      newQuote({ amountMinor: 5_000n, nairaMinor: 5_000n }),
      newQuote({ amountMinor: 1_000n, nairaMinor: 1_000n }),
    ].map((quote) => ({ quote, limits })),
  );
  assert.deepEqual(mixed.map(kindOf), ['exposure_exceeded', 'created']);
});

test('the number of open quotes is limited per mode; used and expired quotes are not open', async () => {
  await spendAll();
  const limits = { ...WIDE, maxOpenQuotes: 2 };
  assert.equal((await quotes.add(newQuote(), limits)).kind, 'created');
  assert.equal((await quotes.add(newQuote({ validForMs: 1 }), limits)).kind, 'created');
  await database.query({ text: 'select pg_sleep(0.005)' });
  assert.equal((await quotes.add(newQuote(), limits)).kind, 'created');
  assert.equal((await quotes.add(newQuote(), limits)).kind, 'exposure_exceeded');
  assert.equal((await quotes.add(newQuote({ mode: 'live', keyId: LIVE_KEY }), limits)).kind, 'created');
  await spendAll();
  assert.equal((await quotes.add(newQuote(), limits)).kind, 'created');
});

test('an Idempotency-Key belongs to one quote in all processes', async () => {
  const other = makePostgresQuotes(openTestDatabase(url));
  const idempotency = { key: 'one', requestHash: 'h' };
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      [quotes, other][index % 2]!.add(newQuote({ idempotency }), WIDE),
    ),
  );
  const kinds = Map.groupBy(outcomes, ({ kind }) => kind);
  assert.deepEqual([kinds.get('created')?.length, kinds.get('repeated')?.length], [1, 19]);
  assert.equal(new Set(outcomes.map((each) => 'quote' in each && each.quote.id)).size, 1);
  const changed = newQuote({ idempotency: { ...idempotency, requestHash: 'other' } });
  assert.equal((await quotes.add(changed, WIDE)).kind, 'idempotency_key_reused');
  assert.equal((await quotes.findByKey(SCOPE, 'one'))?.requestHash, 'h');
});

test('a revoked key or a key of another mode gets no quote; a member needs no key', async () => {
  for (const keyId of ['key_nowhere', LIVE_KEY])
    assert.deepEqual(await quotes.add(newQuote({ keyId }), WIDE), { kind: 'key_revoked' });
  assert.equal((await quotes.add(newQuote({ keyId: null }), WIDE)).kind, 'created');
});

test('an item that breaks a database constraint fails without the others', async () => {
  const before = await countOf(database, 'quotes');
  const batch = [newQuote(), newQuote({ nairaMinor: 1n }), newQuote({ feeMinor: 10n ** 9n }), dollarQuote()];
  const outcomes = await addQuotes(
    database,
    batch.map((quote) => ({ quote, limits: WIDE })),
  );
  assert.deepEqual(outcomes.map(kindOf), ['created', 'error', 'error', 'created']);
  assert.equal(await countOf(database, 'quotes'), before + 2);
});

test('when the response to the commit is lost, the same quote is found again and no quote is added', async () => {
  for (const key of ['lost-1', null]) {
    let lost = 0;
    const losing: Database = {
      ...database,
      query: async (query) => {
        const result = await database.query<never>(query);
        if (query.name === 'add-quotes' && lost++ < 2)
          throw new StoreUnavailable('connection lost', { mayHaveActed: true });
        return result;
      },
      transaction: async (work) => {
        const result = await database.transaction(work);
        if (lost++ < 4) throw new StoreUnavailable('connection lost', { mayHaveActed: true });
        return result;
      },
    };
    const before = await countOf(database, 'quotes');
    const given = newQuote({ idempotency: key === null ? null : { key, requestHash: 'h' } });
    const outcome = await makePostgresQuotes(losing).add(given, WIDE);
    assert.ok(outcome.kind === 'created');
    assert.ok(lost > 4);
    assert.equal(await countOf(database, 'quotes'), before + 1);
    assert.deepEqual((await quotes.find(SCOPE, given.id))?.quote, outcome.quote);
  }
});

test('four processes that repeatedly reach the limits never exceed them, and always use them fully', async () => {
  const stores = Array.from({ length: 4 }, () => makePostgresQuotes(openTestDatabase(url)));
  const limits = { maxOpenMinor: 50_000n, maxOpenQuotes: 12 };
  for (let round = 0; round < 6; round++) {
    await spendAll();
    const outcomes = await Promise.all(
      Array.from({ length: 80 }, (_, index) => {
        const amountMinor = BigInt(1 + ((index * 37 + round) % 9)) * 1_000n;
        return stores[index % 4]!.add(newQuote({ amountMinor }), limits);
      }),
    );
    const open = (await quotes.exposure()).find(({ mode }) => mode === 'test')!;
    assert.ok(open.openMinor <= limits.maxOpenMinor && open.openQuotes <= limits.maxOpenQuotes);
    assert.equal(outcomes.filter(({ kind }) => kind === 'created').length, open.openQuotes);
    const { rows } = await database.query<{ most_minor: string; most_quotes: string }>({
      text: `select most_minor, most_quotes from quote_exposure where business_id = $1 and mode = 'test'`,
      values: [BUSINESS],
    });
    assert.ok(
      BigInt(rows[0]!.most_minor) >= open.openMinor && Number(rows[0]!.most_quotes) >= open.openQuotes,
    );
    const left = limits.maxOpenMinor - open.openMinor;
    if (open.openQuotes === limits.maxOpenQuotes || left === 0n) continue;
    const fitting = newQuote({ amountMinor: left });
    assert.equal((await quotes.add(fitting, limits)).kind, 'created');
  }
});

test('a quote cannot be changed, used twice, or deleted while it is valid', async () => {
  const { id } = newQuote();
  await quotes.add(newQuote({ id }), WIDE);
  const change = (text: string) => database.query({ text: `${text} where id = '${id}'` });
  const forbidden = { code: '23001' };
  for (const text of [
    'update quotes set naira_minor = naira_minor, fee_minor = 1',
    `update quotes set expires_at = expires_at + interval '1 day', transaction_id = 'txn_1'`,
    'delete from quotes',
  ])
    await assert.rejects(change(text), forbidden, text);
  await change(`update quotes set transaction_id = 'txn_1'`);
  for (const value of [`'txn_2'`, 'null', `'txn_1'`])
    await assert.rejects(change(`update quotes set transaction_id = ${value}`), forbidden);
});

test('a list has the quotes of one business and one mode; operators can list all businesses and modes', async () => {
  await spendAll();
  const [tested, live] = [newQuote(), newQuote({ mode: 'live', keyId: LIVE_KEY })];
  for (const each of [tested, live]) assert.equal((await quotes.add(each, WIDE)).kind, 'created');
  const open = { limit: 1_000, state: 'open' } as const;
  const idsOf = (found: readonly { quote: { id: string } }[]) =>
    found.map(({ quote }) => quote.id).toSorted();
  assert.deepEqual(idsOf(await quotes.list(SCOPE, open)), [tested.id]);
  assert.deepEqual(idsOf(await quotes.list({ ...SCOPE, mode: 'live' }, open)), [live.id]);
  assert.deepEqual(idsOf(await quotes.list({ ...SCOPE, businessId: 'biz_other' }, open)), []);
  assert.deepEqual(idsOf(await quotes.listAll(open)), [tested.id, live.id].toSorted());
  assert.deepEqual(idsOf(await quotes.listAll({ ...open, mode: 'live' })), [live.id]);
  assert.deepEqual(idsOf(await quotes.listAll({ ...open, businessId: 'biz_other' })), []);
});

test('quotes are listed newest first, by state and page by page, and expired unused quotes are deleted', async () => {
  await spendAll();
  const used = (await quotes.list(SCOPE, { limit: 1_000, state: 'used' })).length;
  const open = newQuote();
  const ended = newQuote({ validForMs: 1 });
  await quotes.add(open, WIDE);
  await quotes.add(ended, WIDE);
  await database.query({ text: 'select pg_sleep(0.005)' });
  const idsOf = async (state: 'open' | 'expired') =>
    (await quotes.list(SCOPE, { limit: 1_000, state })).map(({ quote }) => quote.id);
  assert.deepEqual(await idsOf('open'), [open.id]);
  assert.deepEqual(await idsOf('expired'), [ended.id]);
  const all = await quotes.list(SCOPE, { limit: 1_000 });
  assert.equal(all.length, used + 2);
  const ids = all.map(({ quote }) => quote.id);
  assert.deepEqual(ids, ids.toSorted().reverse());
  const rest = await quotes.list(SCOPE, { limit: 1_000, after: { id: ids[0]! } });
  assert.deepEqual(
    rest.map(({ quote }) => quote.id),
    ids.slice(1),
  );
  const everywhere = await quotes.listAll({
    limit: 1_000,
    businessId: BUSINESS,
    mode: 'test',
    state: 'open',
  });
  assert.deepEqual(
    everywhere.map(({ quote }) => quote.id),
    [open.id],
  );
  assert.equal(await quotes.purge(Date.now() - 60_000), 0);
  assert.equal(await quotes.purge(Date.now() + 1), 1);
  assert.equal(await quotes.find(SCOPE, ended.id), undefined);
  assert.equal((await quotes.list(SCOPE, { limit: 1_000, state: 'used' })).length, used);
});
