// Tests acceptance with quotes on a real PostgreSQL. A quote is used at most once, even with several callers or after lost
// responses, until it expires by the database's clock.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  acceptance,
  countOf,
  databaseWithKeys,
  freshId,
  LIVE_KEY,
  NOW,
  openTestDatabase,
  SCOPE,
} from '../../../../test/http/store-fixtures.ts';
import { newQuote, WIDE } from '../../../../test/support/rates/quotes.ts';
import type { Acceptance, AcceptOutcome } from '../../../ports/store/acceptance.ts';
import { StoreUnavailable } from '../../../ports/store/store.ts';
import { type Database, sqlState } from '../connection/database.ts';
import { makePostgresQuotes } from '../quotes/quote-store.ts';
import { makePostgresStore } from '../store.ts';
import { acceptBatch } from './accept-batch.ts';

const { url, database } = await databaseWithKeys();
const store = makePostgresStore(database);
const quotes = makePostgresQuotes(database);
const kindOf = (outcome: AcceptOutcome | Error) =>
  outcome instanceof Error ? outcome.message : outcome.kind;
const kindsOf = (outcomes: readonly (AcceptOutcome | Error)[]) =>
  Object.fromEntries(
    Map.groupBy(outcomes.map(kindOf), (kind) => kind)
      .entries()
      .map(([kind, all]) => [kind, all.length]),
  );

async function quoted(changes: Parameters<typeof newQuote>[0] = {}): Promise<string> {
  const outcome = await quotes.add(newQuote(changes), WIDE);
  assert.ok(outcome.kind === 'created', outcome.kind);
  return outcome.quote.id;
}

const usedBy = async (quoteId: string) => (await quotes.find(SCOPE, quoteId))?.quote.transactionId;
const accepting = async (given: Acceptance) => (await acceptBatch(database, [given]))[0]!;

test('a quote is used by the transaction that names it, and each record refers to the other', async () => {
  const quoteId = await quoted();
  const given = acceptance({ quoteId });
  assert.equal(kindOf(await accepting(given)), 'created');
  assert.deepEqual(await store.findTransaction(SCOPE, given.transaction.id), given.transaction);
  assert.equal(await usedBy(quoteId), given.transaction.id);
  assert.deepEqual(
    await store.findRepeated(SCOPE, { reference: null, idempotencyKey: null, quoteId, bodyHash: 'body' }),
    given.transaction,
  );
  assert.equal(
    await store.findRepeated(SCOPE, { reference: null, idempotencyKey: null, quoteId, bodyHash: 'other' }),
    undefined,
  );
});

test('50 concurrent requests from two processes with one quote create one transaction', async () => {
  const processes = [url, url].map((each) => makePostgresStore(openTestDatabase(each)));
  for (const bodyHash of ['body', 'various']) {
    const quoteId = await quoted();
    const before = await countOf(database, 'transactions');
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        processes[index % 2]!.accept(
          acceptance({ quoteId }, { bodyHash: bodyHash === 'body' ? 'body' : `body ${index}` }),
        ),
      ),
    );
    const expected = bodyHash === 'body' ? { created: 1, repeated: 49 } : { created: 1, quote_used: 49 };
    assert.deepEqual(kindsOf(outcomes), expected);
    assert.equal(await countOf(database, 'transactions'), before + 1);
    const named = outcomes.map((outcome) => ('transaction' in outcome ? outcome.transaction?.id : undefined));
    assert.deepEqual([...new Set(named.filter((id) => id !== undefined))], [await usedBy(quoteId)]);
  }
});

test('two processes that use the same quotes in reverse order, with other references, use each quote once', async () => {
  const processes = [url, url].map((each) => openTestDatabase(each));
  for (let round = 0; round < 5; round++) {
    const ids = await Promise.all(Array.from({ length: 40 }, () => quoted()));
    const before = await countOf(database, 'transactions');
    const batches = [ids, ids.toReversed()].map((list) =>
      list.map((quoteId, index) =>
        acceptance({ quoteId, reference: freshId('txn') }, { bodyHash: `${index}` }),
      ),
    );
    const outcomes = (await Promise.all(processes.map((each, at) => acceptBatch(each, batches[at]!)))).flat();
    assert.deepEqual(kindsOf(outcomes), { created: 40, quote_used: 40 });
    assert.equal(await countOf(database, 'transactions'), before + 40);
  }
});

test('threat 62: a quote expires by the clock of the database, not by the clock of the process', async () => {
  const quoteId = await quoted({ validForMs: 1 });
  await database.query({ text: 'select pg_sleep(0.005)' });
  for (const skewMs of [-600_000, 600_000]) {
    const outcome = await accepting(acceptance({ quoteId, createdAtMs: NOW + skewMs }));
    assert.equal(kindOf(outcome), 'quote_expired');
  }
  const open = await quoted();
  const late = acceptance({ quoteId: open, createdAtMs: Date.now() + 86_400_000 });
  assert.equal(kindOf(await accepting(late)), 'created');
});

test('the refusal reasons have a fixed order, and only the accepted transaction uses the quote', async () => {
  const quoteId = await quoted();
  const first = acceptance(
    { quoteId, reference: 'quoted-1' },
    { idempotency: { key: 'quoted-1', requestHash: 'body' } },
  );
  assert.equal(kindOf(await accepting(first)), 'created');
  assert.equal(kindOf(await accepting(acceptance({ reference: 'plain-1' }))), 'created');
  const expired = await quoted({ validForMs: 1 });
  const [ofLive, ofOther, open] = [
    await quoted({ mode: 'live', keyId: LIVE_KEY }),
    freshId('quo'),
    await quoted(),
  ];
  await database.query({ text: 'select pg_sleep(0.005)' });
  const cases: readonly (readonly [string, Acceptance])[] = [
    ['created', first],
    ['key_revoked', acceptance({ quoteId }, { keyId: 'key_nowhere' })],
    [
      'idempotency_key_reused',
      acceptance({ quoteId: open }, { idempotency: { key: 'quoted-1', requestHash: 'x' } }),
    ],
    ['repeated', acceptance({ quoteId: open }, { idempotency: { key: 'quoted-1', requestHash: 'body' } })],
    ['repeated', acceptance({ quoteId, reference: 'quoted-1' })],
    ['repeated', acceptance({ quoteId })],
    ['reference_reused', acceptance({ quoteId, reference: 'plain-1' }, { bodyHash: 'x' })],
    ['reference_reused', acceptance({ quoteId: expired, reference: 'plain-1' }, { bodyHash: 'x' })],
    ['quote_used', acceptance({ quoteId }, { bodyHash: 'x' })],
    ['quote_expired', acceptance({ quoteId: expired })],
    ['quote_unknown', acceptance({ quoteId: ofLive })],
    ['quote_unknown', acceptance({ quoteId: ofOther })],
    ['quote_unknown', acceptance({ quoteId: open, mode: 'live' }, { keyId: LIVE_KEY })],
  ];
  for (const [expected, given] of cases) assert.equal(kindOf(await accepting(given)), expected);
  assert.equal(await usedBy(quoteId), first.transaction.id);
  assert.equal(await usedBy(open), null);
  assert.equal(await usedBy(expired), null);
  // If a constraint of the database refuses an acceptance, the quote stays unused too.
  assert.ok((await accepting(acceptance({ quoteId: open, feeMinor: -1n }))) instanceof Error);
  assert.equal(await usedBy(open), null);
});

test('a repeated request with another Idempotency-Key stores that key for the transaction of the quote', async () => {
  const quoteId = await quoted();
  const first = acceptance({ quoteId });
  await accepting(first);
  const again = acceptance({ quoteId }, { idempotency: { key: 'later', requestHash: 'body' } });
  assert.equal(kindOf(await accepting(again)), 'repeated');
  const bound = await store.findIdempotencyKey(SCOPE, 'later');
  assert.equal(bound?.transactionId, first.transaction.id);
});

test('after a lost response the quote is used once, by the transaction that was submitted', async () => {
  for (const committed of [true, false]) {
    let tries = 0;
    const losing: Database = {
      ...database,
      query: async (query) => {
        if (!query.name?.startsWith('accept-with')) return database.query<never>(query);
        const first = tries++ === 0;
        if (!first || committed) await database.query(query);
        if (first) throw new StoreUnavailable('connection lost', { mayHaveActed: true });
        return database.query<never>(query);
      },
    };
    const quoteId = await quoted();
    const given = acceptance({ quoteId });
    assert.deepEqual((await acceptBatch(losing, [given])).map(kindOf), ['created']);
    assert.equal(await usedBy(quoteId), given.transaction.id);
  }
});

test('a batch without a quote runs the plain statement; live items and items with a scenario and a quote run separate statements', async () => {
  const names: string[] = [];
  const noting: Database = {
    ...database,
    query: (query) => {
      names.push(String(query.name));
      return database.query(query);
    },
  };
  const namesOf = async (batch: readonly Acceptance[]) => {
    names.length = 0;
    assert.deepEqual(kindsOf(await acceptBatch(noting, batch)), { created: batch.length });
    return [...names];
  };
  assert.deepEqual(await namesOf([acceptance(), acceptance()]), ['accept']);
  assert.deepEqual(await namesOf([acceptance(), acceptance({ quoteId: await quoted() })]), [
    'accept-with-quotes',
  ]);
  const played = acceptance({ quoteId: await quoted() }, { scenario: 'paid' });
  const live = acceptance({ mode: 'live' }, { keyId: LIVE_KEY });
  assert.deepEqual(await namesOf([live, played]), ['accept', 'accept-with-scenarios-with-quotes']);
});

test('the database refuses a second transaction with the same quote', async () => {
  const quoteId = await quoted();
  await accepting(acceptance({ quoteId }));
  const twice = database.query({
    text: `insert into transactions select (jsonb_populate_record(t, jsonb_build_object('id', 'txn_x', 'reference', 'x'))).*
      from transactions t where quote_id = $1`,
    values: [quoteId],
  });
  await assert.rejects(twice, (error) => sqlState(error) === '23505');
});
