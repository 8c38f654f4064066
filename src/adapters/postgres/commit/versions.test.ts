// Records that move, on a real PostgreSQL: each kind is fenced by its version, so of two decisions about one record the second is stale.
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
  STALE,
} from '../../../../test/http/settlement-fixtures.ts';
import { databaseWithKeys, NOW } from '../../../../test/http/store-fixtures.ts';
import { commitAll } from '../../../../test/support/committed.ts';
import { type Change, moveOf } from '../../../domain/records/change.ts';
import { makePostgresStore } from '../store.ts';
import { MOVES } from './moves.ts';

const { database } = await databaseWithKeys();
const store = makePostgresStore(database);

test('a record moves once from a version, whatever its kind, and no other record of a stale change moves', async () => {
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
    credit: { credits: [moveOf(paid, { state: 'review', dueAtMs: null })] },
    deposit: { deposits: [moveOf(seen, { state: 'suspense', dueAtMs: null })] },
    movement: { movements: [moveOf(sent, { state: 'sending' })] },
    notice: { notices: [moveOf(reported, { state: 'done', dueAtMs: null })] },
  };
  const beside = moveOf(bystander, { state: 'done' });
  for (const [kind, move] of Object.entries(moves)) {
    assert.deepEqual(await store.commit([{ atMs: NOW, ...move }]), [COMMITTED], kind);
    const again = { atMs: NOW, ...move, movements: [...(move.movements ?? []), beside] };
    assert.deepEqual(await store.commit([again]), [STALE], kind);
  }
  assert.deepEqual(await store.movementById(bystander.id), bystander);
  const fenced = MOVES.filter(({ fence }) => fence !== undefined).map(({ name }) => name);
  assert.deepEqual(fenced.toSorted(), Object.keys(moves).toSorted());
});
