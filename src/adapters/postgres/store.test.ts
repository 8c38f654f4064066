// The store's changes and reads: a change is committed on its version with its timeline entry and its key, or not at
// all, and nothing outside a scope is ever found.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  acceptance,
  BUSINESS,
  countOf,
  databaseWithKeys,
  KEY,
  LIVE_KEY,
  SCOPE,
  sell,
  transaction,
} from '../../../test/http/store-fixtures.ts';
import { makeId } from '../../domain/ids.ts';
import type { Change, Transaction } from '../../domain/transaction.ts';
import type { Acceptance } from '../../ports/store.ts';
import { makePostgresStore } from './store.ts';

const { database } = await databaseWithKeys();
const store = makePostgresStore(database);
const LIVE = { businessId: BUSINESS, mode: 'live' } as const;
const STRANGER = { businessId: 'biz_other', mode: 'test' } as const;

async function accepted(given: Acceptance = acceptance()): Promise<Transaction> {
  assert.deepEqual(await store.accept(given), { kind: 'created' });
  return given.transaction;
}

function cancelling({ id, state, wallet }: Transaction, version = 1): Change {
  const timeline = { from: state, to: 'cancelled', actor: KEY, reason: 'test' } as const;
  const atMs = Date.parse('2026-11-14T10:00:00.456Z');
  return { transactionId: id, version, state: 'cancelled', stateReason: 'test', wallet, timeline, atMs };
}

test('a change is committed with its timeline entry and its key', async () => {
  const before = await accepted();
  const idempotency = { key: 'change', requestHash: 'h' };
  const change = cancelling(before);
  assert.equal(await store.commit({ change, scope: SCOPE, idempotency }), 'committed');
  const expected = {
    ...before,
    state: 'cancelled',
    stateReason: 'test',
    version: 2,
    updatedAtMs: change.atMs,
  };
  assert.deepEqual(await store.findTransaction(SCOPE, before.id), expected);
  const { rows } = await database.query({
    text: 'select version, at, from_state, to_state, actor, reason from timeline where transaction_id = $1',
    values: [before.id],
  });
  assert.deepEqual(rows, [
    {
      version: 2,
      at: new Date(change.atMs),
      from_state: 'awaiting_payment',
      to_state: 'cancelled',
      actor: KEY,
      reason: 'test',
    },
  ]);
  assert.deepEqual(await store.findIdempotencyKey(SCOPE, 'change'), {
    requestHash: 'h',
    transactionId: before.id,
  });
});

test('a change decided on another version, or in another scope, changes nothing', async () => {
  const before = await accepted();
  const lines = await countOf(database, 'timeline');
  for (const [version, scope] of [
    [2, SCOPE],
    [0, SCOPE],
    [1, LIVE],
    [1, STRANGER],
  ] as const) {
    const idempotency = { key: 'stale', requestHash: 'h' };
    const outcome = await store.commit({ change: cancelling(before, version), scope, idempotency });
    assert.equal(outcome, 'stale');
    assert.equal(await store.findIdempotencyKey(scope, 'stale'), undefined);
  }
  assert.deepEqual(await store.findTransaction(SCOPE, before.id), before);
  assert.equal(await countOf(database, 'timeline'), lines);
});

test('a key that is taken stops the whole change', async () => {
  const [first, second] = [await accepted(), await accepted()];
  const idempotency = { key: 'taken', requestHash: 'h' };
  assert.equal(await store.commit({ change: cancelling(first), scope: SCOPE, idempotency }), 'committed');
  const outcome = await store.commit({ change: cancelling(second), scope: SCOPE, idempotency });
  assert.equal(outcome, 'idempotency_key_taken');
  assert.deepEqual(await store.findTransaction(SCOPE, second.id), second);
});

test('twenty changes at once on one version: one is committed', async () => {
  const before = await accepted();
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, () =>
      store.commit({ change: cancelling(before), scope: SCOPE, idempotency: null }),
    ),
  );
  assert.equal(outcomes.filter((outcome) => outcome === 'committed').length, 1);
  assert.equal(outcomes.filter((outcome) => outcome === 'stale').length, 19);
});

test('threat 68: a scope finds its own transactions and keys, and no others', async () => {
  const idempotency = { key: 'scoped', requestHash: 'h' };
  const mine = await accepted(acceptance({}, { idempotency }));
  const live = await accepted(acceptance({ mode: 'live' }, { keyId: LIVE_KEY }));
  assert.deepEqual(await store.findTransaction(LIVE, live.id), live);
  for (const scope of [LIVE, STRANGER]) {
    assert.equal(await store.findTransaction(scope, mine.id), undefined);
    assert.equal(await store.findIdempotencyKey(scope, 'scoped'), undefined);
    const listed = await store.listTransactions(scope, { limit: 100 });
    assert.ok(!listed.some(({ id }) => id === mine.id));
  }
  assert.deepEqual(await store.listTransactions(STRANGER, { limit: 100 }), []);
});

test('a list holds exactly what its filter means, newest first', async () => {
  const start = Date.parse('2027-01-01T00:00:00Z');
  const made: Transaction[] = [];
  for (let i = 0; i < 30; i++) {
    const id = makeId('txn', start + i * 1_000, crypto.getRandomValues(new Uint8Array(10)));
    const times = { createdAtMs: start + i * 1_000, updatedAtMs: start + i * 1_000 };
    const base = i % 3 === 0 ? sell() : transaction({ state: i % 2 ? 'paid' : 'awaiting_payment' });
    made.unshift(
      await accepted({ ...acceptance(), transaction: { ...base, ...times, id, reference: `list-${i}` } }),
    );
  }
  const cases = [
    [{}, () => true],
    [{ type: 'sell' }, (t: Transaction) => t.type === 'sell'],
    [{ state: 'paid' }, (t: Transaction) => t.state === 'paid'],
    [{ type: 'buy', state: 'paid' }, (t: Transaction) => t.type === 'buy' && t.state === 'paid'],
    [{ createdToMs: start + 9_999 }, (t: Transaction) => t.createdAtMs <= start + 9_999],
    [{ reference: 'list-7' }, (t: Transaction) => t.reference === 'list-7'],
    [{ after: made[10]! }, (t: Transaction) => t.createdAtMs < made[10]!.createdAtMs],
    [{ after: { id: 'txn_zz', createdAtMs: made[9]!.createdAtMs } }, (t: Transaction) => t.id <= made[9]!.id],
    [{ reference: 'list-7', type: 'sell' }, () => false],
  ] as const;
  const references = (list: readonly Transaction[]) => list.map(({ reference }) => reference);
  for (const [filter, wanted] of cases) {
    const listed = await store.listTransactions(SCOPE, { createdFromMs: start, limit: 100, ...filter });
    assert.deepEqual(references(listed), references(made.filter(wanted)), references(listed).join());
    for (const each of listed)
      assert.deepEqual(
        each,
        made.find(({ id }) => id === each.id),
      );
    const short = await store.listTransactions(SCOPE, { createdFromMs: start, ...filter, limit: 4 });
    assert.deepEqual(references(short), references(made.filter(wanted)).slice(0, 4));
  }
});

test('threat 31: keys are forgotten by age alone', async () => {
  const atMs = Date.parse('2020-01-01T00:00:00Z');
  const claim = (key: string) => ({ idempotency: { key, requestHash: 'h' } });
  await accepted(acceptance({ createdAtMs: atMs }, claim('age-old')));
  await accepted(acceptance({ createdAtMs: atMs + 2 }, claim('age-younger')));
  assert.equal(await store.purgeIdempotencyKeys(atMs), 0);
  assert.equal(await store.purgeIdempotencyKeys(atMs + 1), 1);
  assert.equal(await store.findIdempotencyKey(SCOPE, 'age-old'), undefined);
  assert.ok(await store.findIdempotencyKey(SCOPE, 'age-younger'));
});

test('threat 84: timeline and operator log can only grow', async () => {
  const moved = await accepted();
  await store.commit({ change: cancelling(moved), scope: SCOPE, idempotency: null });
  for (const table of ['timeline', 'operator_log']) {
    for (const text of [`delete from ${table}`, `update ${table} set actor = 'x'`, `truncate ${table}`]) {
      await assert.rejects(database.query({ text }), /append-only/, text);
    }
  }
});

test('one deposit target belongs to one transaction', async () => {
  const first = sell();
  await accepted({ ...acceptance(), transaction: first });
  const second = sell({ deposits: first.deposits });
  await assert.rejects(store.accept({ ...acceptance(), transaction: second }), { code: '23505' });
  assert.equal(await store.findTransaction(SCOPE, second.id), undefined);
});
