// Tests a change that is committed after the read of a transaction and before the read of its details. The response must show
// one consistent state.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptedBuys, credit, movement, recording } from '../../../test/http/settlement-fixtures.ts';
import { databaseWithKeys, NOW } from '../../../test/http/store-fixtures.ts';
import { commitAll } from '../../../test/support/database.ts';
import { makeTransactionDetails } from '../../adapters/postgres/reads/transaction-details.ts';
import { makePostgresStore } from '../../adapters/postgres/store.ts';
import { makeBankDirectory } from '../../domain/catalogue/banks.ts';
import { makeMove } from '../../domain/records/change.ts';
import { moveTransaction } from '../../domain/records/transaction-moves.ts';
import { readWithDetails } from './read-details.ts';

const { database } = await databaseWithKeys();
const store = makePostgresStore(database);
const deps = { store, details: makeTransactionDetails(database), banks: makeBankDirectory([]) };
const line = { actor: 'system', atMs: NOW, reason: 'refund_made', dueAtMs: null, evidence: {} } as const;

test('a completed refund is included in the refunded amount, even if it completed between the two reads', async () => {
  const [read, other] = await acceptedBuys(database, 2);
  const refund = movement({ kind: 'refund', transactionId: read!.id, state: 'done' });
  const after = moveTransaction(read!, read!.state, {
    ...line,
    updates: { refundedMinor: refund.nairaMinor },
  });
  await commitAll(store, [{ atMs: NOW, transactions: [after], newMovements: [refund] }]);
  const [shown, untouched] = await readWithDetails(deps, [read!, other!]);
  assert.equal(shown!.transaction.refundedMinor, refund.nairaMinor);
  assert.deepEqual(
    shown!.details.refunds.map(({ amountMinor, state }) => [amountMinor, state]),
    [[refund.nairaMinor, 'done']],
  );
  assert.equal(untouched!.transaction, other);
});

test('a payment that left review between the two reads is still counted', async () => {
  const [accepted] = await acceptedBuys(database, 1);
  const held = moveTransaction(accepted!, 'on_hold', { ...line, updates: { exception: 'paid_partial' } });
  await commitAll(store, [{ atMs: NOW, transactions: [held] }]);
  const paid = credit({ amountMinor: 1_000n });
  await commitAll(store, [recording(paid)]);
  const review = makeMove(paid, { state: 'review', exception: 'paid_partial', transactionId: accepted!.id });
  await commitAll(store, [{ atMs: NOW, credits: [review] }]);
  const read = (await store.transactionsById([accepted!.id])).get(accepted!.id)!;
  const received = async () => {
    const [shown] = await readWithDetails(deps, [read]);
    return shown!.transaction.receivedMinor + shown!.details.heldMinor;
  };
  assert.equal(await received(), 1_000n);
  const counted = moveTransaction(read, 'on_hold', { ...line, updates: { receivedMinor: 1_000n } });
  const left = makeMove(review.after, { state: 'refunded' });
  await commitAll(store, [{ atMs: NOW, transactions: [counted], credits: [left] }]);
  assert.equal(await received(), 1_000n);
});
