// Tests leases on a real PostgreSQL. One worker gets a due record, oldest first, and no other worker gets the record while it
// is leased. The next lease has a new version, so the worker with the earlier lease can no longer commit.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  COMMITTED,
  credit,
  deposit,
  movement,
  notice,
  STALE,
} from '../../../../test/http/settlement-fixtures.ts';
import {
  acceptance,
  databaseWithKeys,
  NOW,
  openTestDatabase,
  transaction,
} from '../../../../test/http/store-fixtures.ts';
import { commitAll } from '../../../../test/support/database.ts';
import { type Change, makeMove } from '../../../domain/records/change.ts';
import type { TransactionState } from '../../../domain/records/states.ts';
import type { Transaction } from '../../../domain/records/transaction.ts';
import { postponeTransaction } from '../../../domain/records/transaction-moves.ts';
import type { LeaseRequest } from '../../../ports/store/queues.ts';
import { acceptBatch } from '../accept/accept-batch.ts';
import { makePostgresStore, type PostgresStore } from '../store.ts';

const { url, database } = await databaseWithKeys();
const store = makePostgresStore(database);
const other = makePostgresStore(openTestDatabase(url));
const LEASE_MS = 1_000;
const leaseAt = (atMs: number, limit = 100): LeaseRequest => ({ atMs, leaseMs: LEASE_MS, limit });
const sorted = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id).sort();

async function due(count: number, state: TransactionState, fromMs = NOW): Promise<Transaction[]> {
  const buys = Array.from({ length: count }, () => transaction({ state }));
  await acceptBatch(
    database,
    buys.map((each) => acceptance(each)),
  );
  const moves = buys.map((buy, index) => postponeTransaction(buy, fromMs + index));
  await commitAll(
    store,
    moves.map((move) => ({ atMs: NOW, transactions: [move] })),
  );
  return moves.map(({ after }) => after);
}

async function cleared(): Promise<void> {
  for (const table of ['transaction_states', 'bank_credits', 'deposits', 'movements', 'bank_notices'])
    await database.query({ text: `update ${table} set due_at = null` });
}

test('a lease takes the oldest due records of the requested states, up to the requested number', async () => {
  await cleared();
  const paid = await due(10, 'paid');
  const waiting = await due(3, 'awaiting_trustline');
  await due(3, 'on_hold');
  assert.deepEqual(
    sorted(await store.leaseTransactions(['paid'], leaseAt(NOW + 6, 4))),
    sorted(paid.slice(0, 4)),
  );
  assert.deepEqual(
    sorted(await store.leaseTransactions(['paid'], leaseAt(NOW + 6))),
    sorted(paid.slice(4, 7)),
  );
  assert.deepEqual(await store.leaseTransactions(['paid'], leaseAt(NOW + 6)), []);
  const both = await store.leaseTransactions(['paid', 'awaiting_trustline'], leaseAt(NOW + 50, 5));
  assert.deepEqual(sorted(both), sorted([...paid.slice(7), ...waiting.slice(0, 2)]));
  assert.deepEqual(await store.leaseTransactions([], leaseAt(NOW + 50)), []);
  assert.deepEqual(await store.leaseTransactions(['paid'], leaseAt(NOW + 50, 0)), []);
});

test('a leased record is returned with its lease, one more try and a new version', async () => {
  await cleared();
  const [before] = (await due(1, 'paid')) as [Transaction];
  const [held] = await store.leaseTransactions(['paid'], leaseAt(NOW));
  assert.deepEqual(held, { ...before, version: before.version + 1, tries: 1, dueAtMs: NOW + LEASE_MS });
  assert.deepEqual((await store.transactionsById([before.id])).get(before.id), held);
  const [again] = await store.leaseTransactions(['paid'], leaseAt(NOW + LEASE_MS));
  assert.deepEqual([again!.version, again!.tries], [before.version + 2, 2]);
});

test('a lease hides a record until it ends, and a record without a due time is never leased', async () => {
  await cleared();
  const [buy] = (await due(1, 'paid')) as [Transaction];
  assert.equal((await store.leaseTransactions(['paid'], leaseAt(NOW - 1))).length, 0);
  assert.equal((await store.leaseTransactions(['paid'], leaseAt(NOW))).length, 1);
  for (const atMs of [NOW, NOW + LEASE_MS - 1])
    assert.equal((await other.leaseTransactions(['paid'], leaseAt(atMs))).length, 0);
  const [held] = await other.leaseTransactions(['paid'], leaseAt(NOW + LEASE_MS));
  assert.equal(held!.id, buy.id);
  const done: Change = {
    atMs: NOW,
    transactions: [{ ...postponeTransaction(held!, 0), after: { ...held!, dueAtMs: null } }],
  };
  assert.deepEqual(await other.commit([done]), [COMMITTED]);
  assert.equal((await store.leaseTransactions(['paid'], leaseAt(NOW + 9_000_000))).length, 0);
});

test('threat 89: the version of a lease works as a fence, so a worker whose lease has ended commits nothing', async () => {
  await cleared();
  await due(1, 'paid');
  const [slow] = await store.leaseTransactions(['paid'], leaseAt(NOW));
  const [fast] = await other.leaseTransactions(['paid'], leaseAt(NOW + LEASE_MS));
  const moving = (held: Transaction): Change => ({
    atMs: NOW,
    transactions: [postponeTransaction(held, NOW + 9_000)],
  });
  assert.deepEqual(await store.commit([moving(slow!)]), [STALE]);
  assert.deepEqual(await other.commit([moving(fast!)]), [COMMITTED]);
  assert.deepEqual(await store.commit([moving(slow!)]), [STALE]);
});

async function drained<Item extends { readonly id: string }>(
  lease: (store: PostgresStore) => Promise<readonly Item[]>,
): Promise<string[]> {
  const taken = await Promise.all(
    [store, store, other, other].map(async (each) => {
      const ids: string[] = [];
      for (let some = await lease(each); some.length > 0; some = await lease(each))
        ids.push(...some.map(({ id }) => id));
      return ids;
    }),
  );
  return taken.flat().sort();
}

test('threat 89: each due record goes to exactly one of several concurrent workers, and no worker waits for another', async () => {
  await cleared();
  const buys = await due(200, 'paid');
  assert.deepEqual(
    await drained((each) => each.leaseTransactions(['paid'], leaseAt(NOW + 500, 7))),
    sorted(buys),
  );
  const credits = Array.from({ length: 100 }, () => credit());
  const deposits = Array.from({ length: 100 }, () => deposit());
  const notices = Array.from({ length: 100 }, () => notice());
  const movements = Array.from({ length: 100 }, (_, index) =>
    movement({ state: index % 2 ? 'pending' : 'unknown' }),
  );
  const change = {
    atMs: NOW,
    newCredits: credits,
    newDeposits: deposits,
    newNotices: notices,
    newMovements: movements,
  };
  assert.deepEqual(await store.commit([change]), [COMMITTED]);
  const request = leaseAt(NOW, 7);
  assert.deepEqual(await drained((each) => each.leaseCredits(request)), sorted(credits));
  assert.deepEqual(await drained((each) => each.leaseDeposits(request)), sorted(deposits));
  assert.deepEqual(await drained((each) => each.leaseNotices(request)), sorted(notices));
  const pending = movements.filter(({ state }) => state === 'pending');
  assert.deepEqual(await drained((each) => each.leaseMovements(['pending'], request)), sorted(pending));
  const rest = await store.leaseMovements(['pending', 'sending', 'unknown'], leaseAt(NOW));
  assert.deepEqual(sorted(rest), sorted(movements.filter(({ state }) => state === 'unknown')));
});

test('a lease skips records that another transaction is changing, and does not wait', async () => {
  await cleared();
  const [locked, free] = (await due(2, 'paid')) as [Transaction, Transaction];
  await database.transaction(async (client) => {
    await client.query('select from transaction_states where transaction_id = $1 for update', [locked.id]);
    assert.deepEqual(sorted(await other.leaseTransactions(['paid'], leaseAt(NOW + 5))), [free.id]);
  });
  assert.deepEqual(sorted(await other.leaseTransactions(['paid'], leaseAt(NOW + 5))), [locked.id]);
});

test('leases of credits, deposits, notices and movements return the current records', async () => {
  await cleared();
  const [paid, seen, reported, moving] = [credit(), deposit(), notice(), movement()];
  await commitAll(store, [
    { atMs: NOW, newCredits: [paid], newDeposits: [seen], newNotices: [reported], newMovements: [moving] },
  ]);
  const leased = { version: 2, tries: 1, dueAtMs: NOW + LEASE_MS };
  assert.deepEqual(await store.leaseCredits(leaseAt(NOW)), [{ ...paid, ...leased }]);
  assert.deepEqual(await store.leaseDeposits(leaseAt(NOW)), [{ ...seen, ...leased }]);
  assert.deepEqual(await store.leaseNotices(leaseAt(NOW)), [{ ...reported, ...leased }]);
  assert.deepEqual(await store.leaseMovements(['pending'], leaseAt(NOW)), [{ ...moving, ...leased }]);
  const [held] = [{ ...moving, ...leased }];
  const failed: Change = { atMs: NOW, movements: [makeMove(held, { state: 'failed', reason: 'x' })] };
  assert.deepEqual(await store.commit([failed]), [COMMITTED]);
});
