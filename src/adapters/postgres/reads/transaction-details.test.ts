// Tests that refunds, payouts and held payments are read for many transactions at once. Each transaction gets only its own,
// with at most two statements, and only through indexes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  acceptedBuys,
  attempt,
  credit,
  movement,
  recording,
} from '../../../../test/http/settlement-fixtures.ts';
import { databaseWithKeys, NOW } from '../../../../test/http/store-fixtures.ts';
import { commitAll } from '../../../../test/support/database.ts';
import { makeMove } from '../../../domain/records/change.ts';
import type { Transaction } from '../../../domain/records/transaction.ts';
import { moveTransaction } from '../../../domain/records/transaction-moves.ts';
import type { Database } from '../connection/database.ts';
import { makePostgresStore } from '../store.ts';
import { makeTransactionDetails } from './transaction-details.ts';

const { database } = await databaseWithKeys();
const store = makePostgresStore(database);
const asked: string[] = [];
const noting: Database = {
  ...database,
  query: (query) => {
    asked.push(query.text);
    return database.query(query);
  },
};
const { detailsOf } = makeTransactionDetails(noting);
const one = async (transaction: Transaction) => (await detailsOf([transaction])).get(transaction.id);
const refundOf = (of: Transaction, changes: Parameters<typeof movement>[0] = {}) =>
  movement({ kind: 'refund', transactionId: of.id, ...changes });
const buyOf = async () => (await acceptedBuys(database, 1))[0]!;

test('refunds of every state are listed oldest first, sends are not refunds, and a transaction without details is left out', async () => {
  const buy = await buyOf();
  const refunds = (['done', 'failed', 'pending', 'sending', 'unknown'] as const).map((state, index) =>
    refundOf(buy, { state, createdAtMs: NOW - index }),
  );
  await commitAll(store, [{ atMs: NOW, newMovements: [...refunds, movement({ transactionId: buy.id })] }]);
  const found = await one(buy);
  assert.deepEqual(
    found?.refunds.map(({ movement: { id } }) => id),
    refunds.toReversed().map(({ id }) => id),
  );
  assert.equal(found?.payout, null);
  assert.equal(await one(await buyOf()), undefined);
});

test('the hash shown is that of an attempt that the network accepted, and in the end that of the attempt that landed', async () => {
  const buy = await buyOf();
  const refund = refundOf(buy, { state: 'sending', attempts: 2 });
  const tries = [
    attempt(refund, { reference: '0xdead', state: 'dead' }),
    attempt(refund, { no: 2, reference: '0xfirst' }),
  ];
  await commitAll(store, [{ atMs: NOW, newMovements: [refund], attempts: tries }]);
  const hash = async () => (await one(buy))!.refunds[0]!.txHash;
  assert.equal(await hash(), null, 'stored, and no network is known to have it');
  await commitAll(store, [{ atMs: NOW, attempts: [{ ...tries[1]!, state: 'accepted' }] }]);
  assert.equal(await hash(), '0xfirst');
  const evidence = { movement: refund.id, reference: '0xlanded' };
  const line = { actor: 'network', atMs: NOW, reason: 'refund_made', dueAtMs: null, evidence } as const;
  const attempts = [{ ...tries[1]!, state: 'landed' as const }];
  await commitAll(store, [
    {
      atMs: NOW,
      ...{ transactions: [moveTransaction(buy, buy.state, line)], attempts },
      movements: [makeMove(refund, { state: 'done' })],
    },
  ]);
  assert.equal(await hash(), '0xlanded');
});

test('the payout shown is the one that can still succeed, or else the last failed one', async () => {
  const buy = await buyOf();
  const payout = (changes: Parameters<typeof movement>[0]) =>
    movement({ kind: 'payout', network: null, asset: 'NGN', transactionId: buy.id, ...changes });
  const failed = [payout({ state: 'failed', createdAtMs: NOW - 9 }), payout({ state: 'failed' })];
  await commitAll(store, [{ atMs: NOW, newMovements: failed }]);
  assert.equal((await one(buy))?.payout?.id, failed[1]!.id);
  const alive = payout({ state: 'sending', createdAtMs: NOW - 20 });
  await commitAll(store, [{ atMs: NOW, newMovements: [alive] }]);
  assert.equal((await one(buy))?.payout?.id, alive.id);
});

test('the held amount includes payments in review because of their amount, but none that may belong to another transaction', async () => {
  const buy = { ...(await buyOf()), state: 'on_hold', exception: 'paid_partial' } as const;
  const held = async (exception: 'paid_partial' | 'paid_over' | 'name_mismatch' | 'no_claim') => {
    const paid = credit({ amountMinor: 1_000n });
    await commitAll(store, [recording(paid)]);
    const review = makeMove(paid, { state: 'review', exception, transactionId: buy.id });
    await commitAll(store, [{ atMs: NOW, credits: [review] }]);
    return review.after;
  };
  const short = await held('paid_partial');
  await held('name_mismatch');
  await held('no_claim');
  assert.equal((await one(buy))?.heldMinor, 1_000n);
  await held('paid_over');
  assert.equal((await one(buy))?.heldMinor, 2_000n);
  await commitAll(store, [{ atMs: NOW, credits: [makeMove(short, { state: 'refunded' })] }]);
  assert.equal((await one(buy))?.heldMinor, 1_000n);
});

test('a page needs one statement, and one more when a payment is held', async () => {
  const buys = await acceptedBuys(database, 100);
  await commitAll(
    store,
    buys.map((buy) => ({ atMs: NOW, newMovements: [refundOf(buy), refundOf(buy)] })),
  );
  asked.length = 0;
  const found = await detailsOf(buys);
  assert.equal(asked.length, 1);
  for (const { id } of buys) {
    const { refunds } = found.get(id)!;
    assert.deepEqual(
      refunds.map(({ movement: { transactionId } }) => transactionId),
      [id, id],
    );
  }
  await detailsOf([...buys, { ...buys[0]!, state: 'on_hold', exception: 'paid_partial' }]);
  assert.equal(asked.length, 3);
  await detailsOf([]);
  assert.equal(asked.length, 3);
});

test('no statement scans a whole table, whether the tables are small or large', async () => {
  for (const text of new Set(asked)) {
    const { rows } = await database.query({ text: `explain (generic_plan) ${text}` });
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    assert.doesNotMatch(plan, /Seq Scan/, plan);
  }
});
