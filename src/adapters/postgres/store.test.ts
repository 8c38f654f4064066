// Tests the writes and reads of the store. If the version of a record is still current, a change is committed together with its
// timeline entry and its idempotency key. Otherwise nothing is committed. No record outside a scope is ever found.
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
import { changeTransaction } from '../../app/intake/change-transaction.ts';
import type { Change } from '../../domain/records/change.ts';
import { STATES } from '../../domain/records/states.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import { decideBusinessRequest } from '../../domain/settlement/business-requests.ts';
import { makeId } from '../../domain/values/ids.ts';
import type { Acceptance } from '../../ports/store/acceptance.ts';
import { makePostgresStore } from './store.ts';

const { database } = await databaseWithKeys();
const store = makePostgresStore(database);
const LIVE = { businessId: BUSINESS, mode: 'live' } as const;
const STRANGER = { businessId: 'biz_other', mode: 'test' } as const;
const CANCEL = {
  kind: 'cancel_requested',
  actor: KEY,
  atMs: Date.parse('2026-11-14T10:00:00.456Z'),
} as const;
const COMMITTED = { kind: 'committed' };
const STALE = { kind: 'stale' };

async function accepted(given: Acceptance = acceptance()): Promise<Transaction> {
  assert.deepEqual(await store.accept(given), { kind: 'created' });
  return given.transaction;
}

function cancelling(transaction: Transaction, key?: string): Change {
  const decision = decideBusinessRequest(transaction, CANCEL);
  assert.ok(decision.kind === 'move');
  const change: Change = { atMs: CANCEL.atMs, transactions: [decision.move] };
  if (key === undefined) return change;
  return { ...change, idempotency: { ...SCOPE, key, requestHash: 'h', transactionId: transaction.id } };
}

test('a change is committed with its timeline entry and its idempotency key', async () => {
  const before = await accepted();
  assert.deepEqual(await store.commit([cancelling(before, 'change')]), [COMMITTED]);
  const reason = 'cancelled_by_business';
  const expected: Transaction = {
    ...before,
    state: 'cancelled',
    stateReason: reason,
    version: 2,
    dueAtMs: null,
    updatedAtMs: CANCEL.atMs,
  };
  assert.deepEqual(await store.findTransaction(SCOPE, before.id), expected);
  const { rows } = await database.query({
    text: 'select version, at, from_state, to_state, actor, reason, evidence from timeline where transaction_id = $1',
    values: [before.id],
  });
  assert.deepEqual(rows, [
    {
      version: 2,
      at: new Date(CANCEL.atMs),
      from_state: 'awaiting_payment',
      to_state: 'cancelled',
      actor: KEY,
      reason,
      evidence: null,
    },
  ]);
  const lines = (await store.timeline(before.id)).map(({ from, to, actor, reason, atMs }) => [
    from,
    to,
    actor,
    reason,
    atMs,
  ]);
  assert.deepEqual(lines, [
    [null, 'awaiting_payment', KEY, 'accepted', before.createdAtMs],
    ['awaiting_payment', 'cancelled', KEY, reason, CANCEL.atMs],
  ]);
  assert.deepEqual(await store.findIdempotencyKey(SCOPE, 'change'), {
    requestHash: 'h',
    transactionId: before.id,
  });
});

test('a change based on another version, or on a transaction that does not exist, changes nothing', async () => {
  const before = await accepted();
  const lines = await countOf(database, 'timeline');
  for (const other of [{ ...before, version: 2 }, { ...before, version: 0 }, transaction()]) {
    assert.deepEqual(await store.commit([cancelling(other, 'stale')]), [STALE]);
    assert.equal(await store.findIdempotencyKey(SCOPE, 'stale'), undefined);
  }
  assert.deepEqual(await store.findTransaction(SCOPE, before.id), before);
  assert.equal(await countOf(database, 'timeline'), lines);
});

test('threat 68: a change requested in another scope changes nothing', async () => {
  const before = await accepted();
  const lines = await countOf(database, 'timeline');
  for (const scope of [LIVE, STRANGER]) {
    const claim = { key: 'elsewhere', requestHash: 'h' };
    const result = await changeTransaction(store, scope, before.id, CANCEL, claim);
    assert.ok(!result.ok && result.error.code === 'transaction_not_found');
    assert.equal(await store.findIdempotencyKey(scope, 'elsewhere'), undefined);
  }
  assert.deepEqual(await store.findTransaction(SCOPE, before.id), before);
  assert.equal(await countOf(database, 'timeline'), lines);
});

test('an idempotency key that is already used stops the whole change', async () => {
  const [first, second] = [await accepted(), await accepted()];
  assert.deepEqual(await store.commit([cancelling(first, 'taken')]), [COMMITTED]);
  const outcome = await store.commit([cancelling(second, 'taken')]);
  assert.deepEqual(outcome, [{ kind: 'refused', rule: 'other', constraint: 'idempotency_keys_pkey' }]);
  assert.deepEqual(await store.findTransaction(SCOPE, second.id), second);
  assert.equal((await store.timeline(second.id)).length, 1);
});

test('of twenty concurrent changes to one version, one is committed', async () => {
  const before = await accepted();
  const outcomes = (
    await Promise.all(Array.from({ length: 20 }, () => store.commit([cancelling(before)])))
  ).flat();
  assert.equal(outcomes.filter(({ kind }) => kind === 'committed').length, 1);
  assert.equal(outcomes.filter(({ kind }) => kind === 'stale').length, 19);
  assert.equal((await store.timeline(before.id)).length, 2);
});

test('threat 68: a scope finds only its own transactions and keys', async () => {
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

test('a list contains exactly the transactions that match its filter, newest first', async () => {
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

test('threat 31: idempotency keys are deleted only by age', async () => {
  const atMs = Date.parse('2020-01-01T00:00:00Z');
  const claim = (key: string) => ({ idempotency: { key, requestHash: 'h' } });
  await accepted(acceptance({ createdAtMs: atMs }, claim('age-old')));
  await accepted(acceptance({ createdAtMs: atMs + 2 }, claim('age-younger')));
  assert.equal(await store.purgeIdempotencyKeys(atMs), 0);
  assert.equal(await store.purgeIdempotencyKeys(atMs + 1), 1);
  assert.equal(await store.findIdempotencyKey(SCOPE, 'age-old'), undefined);
  assert.ok(await store.findIdempotencyKey(SCOPE, 'age-younger'));
});

test('threat 84: timeline and audit log are append-only', async () => {
  const moved = await accepted();
  assert.deepEqual(await store.commit([cancelling(moved)]), [COMMITTED]);
  for (const table of ['timeline', 'audit_log']) {
    for (const text of [`delete from ${table}`, `update ${table} set actor = 'x'`, `truncate ${table}`]) {
      await assert.rejects(database.query({ text }), /append-only/, text);
    }
  }
});

test('a deposit target belongs to one transaction', async () => {
  const first = sell();
  await accepted({ ...acceptance(), transaction: first });
  const second = sell({ deposits: first.deposits });
  await assert.rejects(store.accept({ ...acceptance(), transaction: second }), { code: '23505' });
  assert.equal(await store.findTransaction(SCOPE, second.id), undefined);
});

test('threat 53: deposit addresses of sells before a given time are listed oldest first, in pages', async () => {
  const NETWORK = 'Late';
  const startMs = Date.parse('2020-01-01T00:00:00Z');
  const deposit = { ...sell().deposits[1]!, network: NETWORK };
  const ids: string[] = [];
  for (let day = 0; day < 5; day++) {
    const id = makeId('txn', startMs + day * 86_400_000, Buffer.alloc(10, day));
    ids.push(id);
    await accepted({
      ...acceptance(),
      transaction: sell({ id, deposits: [{ ...deposit, address: `at ${day}` }] }),
    });
  }
  const beforeMs = startMs + 3 * 86_400_000;
  const list = async (afterId: string | null, limit: number) =>
    (await store.oldDepositAddresses('test', NETWORK, { beforeMs, afterId, limit })).map(
      ({ transactionId, address }) => [transactionId, address],
    );
  const all = [0, 1, 2].map((day) => [ids[day], `at ${day}`]);
  assert.deepEqual(await list(null, 10), all);
  assert.deepEqual(await list(null, 2), all.slice(0, 2));
  assert.deepEqual(await list(ids[1]!, 2), all.slice(2));
  assert.deepEqual(await list(ids[2]!, 2), []);
  const range = { beforeMs, afterId: null, limit: 10 };
  assert.deepEqual(await store.oldDepositAddresses('live', NETWORK, range), []);
});

test('a list by state finds exactly the transactions in that state, for every state', async () => {
  const made = acceptance({ reference: 'in-every-state' });
  await store.accept(made);
  const { id } = made.transaction;
  for (const state of STATES) {
    const text = 'update transaction_states set state = $2 where transaction_id = $1';
    await database.query({ text, values: [id, state] });
    const listed = await store.listTransactions(SCOPE, { state, limit: 100 });
    assert.ok(
      listed.some((each) => each.id === id),
      state,
    );
    assert.deepEqual(new Set(listed.map((each) => each.state)), new Set([state]));
  }
});

test('the facts of a transaction cannot be changed or deleted', async () => {
  for (const text of [
    'update transactions set amount_minor = 1',
    'delete from transactions',
    'truncate transactions',
  ])
    await assert.rejects(database.query({ text }), /transactions is append-only/);
});
