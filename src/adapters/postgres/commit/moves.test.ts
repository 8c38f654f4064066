// Tests records that a change updates. Each record is read back with the fields of the change, and each version can be updated
// only once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  acceptedBuys,
  COMMITTED,
  credit,
  deposit,
  movement,
  notice,
  paying,
  recording,
  STALE,
} from '../../../../test/http/settlement-fixtures.ts';
import { databaseWithKeys, freshId, NOW } from '../../../../test/http/store-fixtures.ts';
import { commitAll } from '../../../../test/support/database.ts';
import { type Change, makeMove } from '../../../domain/records/change.ts';
import type { Transaction } from '../../../domain/records/transaction.ts';
import { moveTransaction } from '../../../domain/records/transaction-moves.ts';
import { makePostgresStore } from '../store.ts';
import { MOVES } from './moves.ts';

const { database } = await databaseWithKeys();
const store = makePostgresStore(database);
const LATER = NOW + 5_000;

test('a moved transaction and its timeline line are read back exactly', async () => {
  const [buy] = (await acceptedBuys(database, 1)) as [Transaction];
  const line = { actor: 'matching', atMs: LATER, reason: 'payment_found', dueAtMs: LATER + 1 } as const;
  const moved = moveTransaction(buy, 'paid', { ...line, evidence: { seen: 1 } });
  const after: Transaction = {
    ...moved.after,
    ...{ wallet: { network: 'Stellar', address: 'G1' }, exception: 'business_frozen', txHash: '0xhash' },
    ...{ receivedMinor: 3n, refundedMinor: 2n, released: true, tries: 4 },
  };
  const changed = { atMs: LATER, transactions: [{ ...moved, after }] };
  assert.deepEqual(await store.commit([changed]), [COMMITTED]);
  assert.deepEqual((await store.transactionsById([buy.id])).get(buy.id), after);
  const { from, to, actor, reason, evidence } = (await store.timeline(buy.id)).at(-1)!;
  assert.deepEqual(
    { from, to, actor, reason, evidence },
    {
      from: 'awaiting_payment',
      to: 'paid',
      actor: 'matching',
      reason: 'payment_found',
      evidence: { seen: 1 },
    },
  );
});

test('a moved credit is read back exactly', async () => {
  const paid = credit();
  assert.deepEqual(await store.commit([recording(paid)]), [COMMITTED]);
  const moved = makeMove(paid, {
    ...{ state: 'matched', exception: 'credit_reversed', transactionId: freshId('txn') },
    ...{ dueAtMs: LATER, tries: 3 },
  } as const);
  assert.deepEqual(await store.commit([{ atMs: NOW, credits: [moved] }]), [COMMITTED]);
  assert.deepEqual((await store.creditsById([paid.id])).get(paid.id), moved.after);
});

test('a moved deposit is read back exactly and belongs to its sell from then on', async () => {
  const seen = deposit();
  assert.deepEqual(await store.commit([{ atMs: NOW, newDeposits: [seen] }]), [COMMITTED]);
  const sellId = freshId('txn');
  const moved = makeMove(seen, {
    ...{ state: 'suspense', exception: 'unattributed', transactionId: sellId, amountMinor: 7n },
    ...{ chainAtMs: NOW + 1, dueAtMs: LATER, tries: 3 },
  } as const);
  assert.deepEqual(await store.commit([{ atMs: NOW, deposits: [moved] }]), [COMMITTED]);
  assert.deepEqual(await store.depositsOf([sellId]), [moved.after]);
});

test('a moved movement and a moved notice are read back exactly', async () => {
  const [sent, reported] = [movement(), notice()];
  const added = { atMs: NOW, newMovements: [sent], newNotices: [reported] };
  assert.deepEqual(await store.commit([added]), [COMMITTED]);
  const moved = makeMove(sent, {
    ...{ state: 'unknown', reason: 'no_answer', destination: { address: '0x2' }, bankAccount: 'p:1' },
    ...{ attempts: 2, dueAtMs: LATER, tries: 3, updatedAtMs: LATER },
  } as const);
  const done = makeMove(reported, { state: 'review', dueAtMs: LATER, tries: 3 });
  assert.deepEqual(await store.commit([{ atMs: NOW, movements: [moved], notices: [done] }]), [COMMITTED]);
  assert.deepEqual(await store.movementById(sent.id), moved.after);
  const [leased] = await store.leaseNotices({ atMs: LATER, leaseMs: 1_000, limit: 10 });
  const taken = { version: done.after.version + 1, tries: 4, dueAtMs: LATER + 1_000 };
  assert.deepEqual(leased, { ...done.after, ...taken });
});

test('a record of any kind moves once from each version, and a stale change moves no record', async () => {
  const [buy] = await acceptedBuys(database, 1);
  const [paid, seen, sent, reported, bystander] = [credit(), deposit(), movement(), notice(), movement()];
  await commitAll(store, [
    {
      atMs: NOW,
      newCredits: [paid],
      newDeposits: [seen],
      newMovements: [sent, bystander],
      newNotices: [reported],
    },
  ]);
  const moves: Readonly<Record<string, Partial<Change>>> = {
    transaction: { transactions: [paying(buy!)] },
    credit: { credits: [makeMove(paid, { state: 'review', dueAtMs: null })] },
    deposit: { deposits: [makeMove(seen, { state: 'suspense', dueAtMs: null })] },
    movement: { movements: [makeMove(sent, { state: 'sending' })] },
    notice: { notices: [makeMove(reported, { state: 'done', dueAtMs: null })] },
  };
  const beside = makeMove(bystander, { state: 'done' });
  for (const [kind, move] of Object.entries(moves)) {
    assert.deepEqual(await store.commit([{ atMs: NOW, ...move }]), [COMMITTED], kind);
    const again = { atMs: NOW, ...move, movements: [...(move.movements ?? []), beside] };
    assert.deepEqual(await store.commit([again]), [STALE], kind);
  }
  assert.deepEqual(await store.movementById(bystander.id), bystander);
  const fenced = MOVES.filter(({ fence }) => fence !== undefined).map(({ name }) => name);
  assert.deepEqual(fenced.toSorted(), Object.keys(moves).toSorted());
});
