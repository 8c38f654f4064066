// Tests acceptance on a real PostgreSQL. An invalid item fails while all other items are accepted. Races between processes end
// in one row without a deadlock. After a lost response the row is found again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  acceptance,
  BUSINESS,
  countOf,
  databaseWithKeys,
  LIVE_KEY,
  openTestDatabase,
  SCOPE,
  sell,
} from '../../../../test/http/store-fixtures.ts';
import type { Acceptance, AcceptOutcome } from '../../../ports/store/acceptance.ts';
import { StoreUnavailable } from '../../../ports/store/store.ts';
import { type Database, sqlState } from '../connection/database.ts';
import { makePostgresStore } from '../store.ts';
import { acceptBatch } from './accept-batch.ts';

const { url, database } = await databaseWithKeys();
const store = makePostgresStore(database);
const many = (count: number, make: (index: number) => Acceptance = () => acceptance()) =>
  Array.from({ length: count }, (_, index) => make(index));
const kindOf = (outcome: AcceptOutcome | Error) => (outcome instanceof Error ? 'error' : outcome.kind);
const kinds = (outcomes: readonly (AcceptOutcome | Error)[]) => new Set(outcomes.map(kindOf));

test('an accepted transaction is read back exactly', async () => {
  for (const transaction of [
    acceptance({ flags: ['check_digit', 'mixed_script'], accountName: `O'Neil "\\{},NULL` }).transaction,
    acceptance({ wallet: null, state: 'awaiting_wallet', bankCode: null, reference: 'NULL' }).transaction,
    sell({ accountName: 'Ọláṣẹ́hìndé 😀' }),
  ]) {
    const [outcome] = await acceptBatch(database, [acceptance(transaction)]);
    assert.deepEqual(outcome, { kind: 'created' });
    assert.deepEqual(await store.findTransaction(SCOPE, transaction.id), transaction);
  }
});

test('if one item in a batch of 1,000 is invalid, only that item fails, at any position', async () => {
  for (const [at, poison] of [
    [0, { feeMinor: 2_000_000n }],
    [517, { accountNumber: '123' }],
    [999, { bankName: 'NUL \u0000' }],
  ] as const) {
    const before = await countOf(database, 'transactions');
    const batch = many(1_000, (index) => acceptance(index === at ? poison : {}));
    const outcomes = await acceptBatch(database, batch);
    const failed = outcomes.flatMap((outcome, index) => (outcome instanceof Error ? [index] : []));
    assert.deepEqual(failed, [at]);
    assert.equal(kinds(outcomes.toSpliced(at, 1)).size, 1);
    assert.equal(await countOf(database, 'transactions'), before + 999);
  }
});

test('a mixed batch returns one outcome per item, in the order of the items', async () => {
  const known = acceptance({ reference: 'mixed' });
  const keyed = acceptance({}, { idempotency: { key: 'mixed', requestHash: 'h' } });
  assert.deepEqual(kinds(await acceptBatch(database, [known, keyed])), new Set(['created']));
  const outcomes = await acceptBatch(database, [
    acceptance(),
    acceptance({ reference: 'mixed' }),
    acceptance({ reference: 'mixed' }, { bodyHash: 'other' }),
    acceptance({}, { idempotency: { key: 'mixed', requestHash: 'h' } }),
    acceptance({}, { idempotency: { key: 'mixed', requestHash: 'other' } }),
    acceptance({}, { keyId: 'key_nobody' }),
    acceptance({ feeMinor: -1n }),
    acceptance({ mode: 'live', reference: 'mixed' }, { keyId: LIVE_KEY }),
    acceptance({}, { idempotency: { key: 'mixed-new', requestHash: 'h' } }),
  ]);
  assert.deepEqual(outcomes.map(kindOf), [
    'created',
    'repeated',
    'reference_reused',
    'repeated',
    'idempotency_key_reused',
    'key_revoked',
    'error',
    'created',
    'created',
  ]);
  const repeated = outcomes.map((outcome) => ('transaction' in outcome ? outcome.transaction?.id : null));
  assert.deepEqual([repeated[1], repeated[3]], [known.transaction.id, keyed.transaction.id]);
});

test('a refused item leaves no row: no idempotency key and no deposit target', async () => {
  const before = [await countOf(database, 'idempotency_keys'), await countOf(database, 'deposit_targets')];
  const claim = { idempotency: { key: 'left-over', requestHash: 'h' } };
  const outcomes = await acceptBatch(database, [
    acceptance(sell({ feeMinor: 9_000_000n }), claim),
    acceptance(sell({ reference: 'mixed' }), {
      bodyHash: 'other',
      idempotency: { key: 'left-2', requestHash: 'h' },
    }),
    acceptance(sell(), { keyId: 'key_nobody', idempotency: { key: 'left-3', requestHash: 'h' } }),
  ]);
  assert.deepEqual(outcomes.map(kindOf), ['error', 'reference_reused', 'key_revoked']);
  const after = [await countOf(database, 'idempotency_keys'), await countOf(database, 'deposit_targets')];
  assert.deepEqual(after, before);
});

test('an accepted transaction becomes due at its expiry, and its scenario is stored with it', async () => {
  const scripted = acceptance({}, { scenario: 'payment_found' });
  const plain = acceptance();
  const refused = acceptance({ feeMinor: -1n }, { scenario: 'payment_found' });
  const outcomes = await acceptBatch(database, [scripted, plain, refused]);
  assert.deepEqual(outcomes.map(kindOf), ['created', 'created', 'error']);
  const ids = [scripted, plain, refused].map(({ transaction }) => transaction.id);
  const { rows } = await database.query({
    text: `select t.id, s.due_at = t.expires_at as due_then, p.scenario, p.step, p.due_at = t.created_at as plays_now
      from transactions t join transaction_states s on s.transaction_id = t.id
      left join simulated_plays p on p.transaction_id = t.id where t.id = any ($1) order by t.id`,
    values: [ids],
  });
  const expected = [
    { id: ids[0], due_then: true, scenario: 'payment_found', step: 0, plays_now: true },
    { id: ids[1], due_then: true, scenario: null, step: null, plays_now: null },
  ];
  assert.deepEqual(
    rows,
    expected.toSorted((a, b) => (a.id! < b.id! ? -1 : 1)),
  );
  const plays = await database.query({
    text: 'select from simulated_plays where transaction_id = any ($1)',
    values: [ids],
  });
  assert.equal(plays.rowCount, 1);
});

test('accepting live transactions uses no table of test mode, even when the same batch has scenarios', async () => {
  const seen: { text: string; ids: string }[] = [];
  const noting: Database = {
    ...database,
    query: (query) => {
      seen.push({ text: query.text, ids: String(query.values?.[0]) });
      return database.query(query);
    },
  };
  const live = acceptance({ mode: 'live' }, { keyId: LIVE_KEY });
  const played = acceptance({}, { scenario: 'payment_found' });
  for (const batch of [[live], [acceptance({ mode: 'live' }, { keyId: LIVE_KEY }), played]])
    assert.deepEqual(
      (await acceptBatch(noting, batch)).map(kindOf),
      batch.map(() => 'created'),
    );
  const touching = seen.filter(({ text }) => text.includes('simulated_'));
  assert.deepEqual(
    touching.map(({ ids }) => ids),
    [`{"${played.transaction.id}"}`],
  );
});

test('threat 70: a key that was revoked or expired before the commit accepts no transaction', async () => {
  for (const column of ['revoked_at', 'expires_at']) {
    await database.query({
      text: `insert into api_keys (id, business_id, mode, hash, hint, created_at, ${column})
        values ($1, $2, 'test', $1, 'sk', now(), now())`,
      values: [column, BUSINESS],
    });
    const [outcome] = await acceptBatch(database, [acceptance({}, { keyId: column })]);
    assert.deepEqual(outcome, { kind: 'key_revoked' });
  }
});

function noting(inner: Database, states: string[]): Database {
  return {
    ...inner,
    query: (query) =>
      inner.query<never>(query).catch((error) => {
        states.push(sqlState(error) ?? String(error));
        throw error;
      }),
  };
}

test('threat 27: two processes with the same references in reverse order create no duplicate and do not deadlock', async () => {
  const states: string[] = [];
  const processes = [url, url].map((each) => noting(openTestDatabase(each), states));
  for (let round = 0; round < 8; round++) {
    const before = await countOf(database, 'transactions');
    const references = Array.from({ length: 100 }, (_, index) => `race-${round}-${index}`);
    const batches = [references, references.toReversed()].map((list) =>
      list.map((reference) => acceptance({ reference })),
    );
    const outcomes = await Promise.all(processes.map((each, index) => acceptBatch(each, batches[index]!)));
    const created = outcomes.flat().filter((outcome) => kindOf(outcome) === 'created');
    const repeated = outcomes.flat().filter((outcome) => kindOf(outcome) === 'repeated');
    assert.deepEqual([created.length, repeated.length], [100, 100]);
    assert.equal(await countOf(database, 'transactions'), before + 100);
  }
  assert.ok(!states.includes('40P01'), `deadlocks among ${states}`);
});

test('threat 27: two processes with the same idempotency keys but other references create one row per key', async () => {
  const processes = [url, url].map((each) => openTestDatabase(each));
  for (let round = 0; round < 5; round++) {
    const before = await countOf(database, 'transactions');
    const keys = Array.from({ length: 20 }, (_, index) => `key-${round}-${index}`);
    const batches = [keys, keys.toReversed()].map((list) =>
      list.map((key) => acceptance({}, { idempotency: { key, requestHash: 'h' } })),
    );
    const outcomes = await Promise.all(processes.map((each, index) => acceptBatch(each, batches[index]!)));
    assert.deepEqual(kinds(outcomes.flat()), new Set(['created', 'repeated']));
    assert.equal(outcomes.flat().filter((outcome) => kindOf(outcome) === 'created').length, 20);
    assert.equal(await countOf(database, 'transactions'), before + 20);
  }
});

/** Loses the responses of the first `times` statements. `executes` says whether these statements are executed. */
function losing(times: number, executes: boolean): Database {
  let left = times;
  return {
    ...database,
    query: async (query) => {
      const lost = left-- > 0;
      if (!lost || executes) {
        const result = await database.query<never>(query);
        if (!lost) return result;
      }
      throw new StoreUnavailable('the answer was lost', { mayHaveActed: executes });
    },
  };
}

test('threat 30: when the response is lost after the commit, the transaction is created once and returned as created', async () => {
  for (const times of [1, 3]) {
    const before = await countOf(database, 'transactions');
    const idempotency = { key: `lost-${times}`, requestHash: 'h' };
    const batch = [acceptance(), acceptance({}, { idempotency }), acceptance(sell())];
    const outcomes = await acceptBatch(losing(times, true), batch);
    assert.deepEqual(kinds(outcomes), new Set(['created']));
    assert.equal(await countOf(database, 'transactions'), before + 3);
    for (const { transaction } of batch) {
      assert.deepEqual(await store.findTransaction(SCOPE, transaction.id), transaction);
    }
  }
});

test('threat 86: a write fails without a retry when it is certain that nothing was sent', async () => {
  const before = await countOf(database, 'transactions');
  await assert.rejects(acceptBatch(losing(1, false), [acceptance()]), StoreUnavailable);
  assert.equal(await countOf(database, 'transactions'), before);
});

test('a thousand concurrent acceptances create a thousand rows', async () => {
  const before = await countOf(database, 'transactions');
  const outcomes = await Promise.all(many(1_000).map((each) => store.accept(each)));
  assert.deepEqual(kinds(outcomes), new Set(['created']));
  assert.equal(await countOf(database, 'transactions'), before + 1_000);
  await store.drain();
});
