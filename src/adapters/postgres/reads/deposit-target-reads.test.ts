// Tests deposit targets on a real PostgreSQL. A transfer finds only the sell with the transfer's address and memo.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptance, databaseWithKeys, sell } from '../../../../test/http/store-fixtures.ts';
import type { Transaction } from '../../../domain/records/transaction.ts';
import { acceptBatch } from '../accept/accept-batch.ts';
import { makePostgresStore } from '../store.ts';

const { database } = await databaseWithKeys();
const store = makePostgresStore(database);

test('threat 54: deposit targets are returned in the requested order, and a missing memo finds no transaction', async () => {
  const [first, second] = [sell(), sell()];
  await acceptBatch(database, [acceptance(first), acceptance(second)]);
  const target = (of: Transaction, index: 0 | 1) => ({
    address: of.deposits[index]!.address,
    memo: of.deposits[index]!.memo ?? '',
  });
  const asked = [target(second, 0), { ...target(first, 0), memo: '' }, target(first, 0), target(second, 0)];
  const answers = await store.findDepositTargets('test', 'Stellar', asked);
  assert.deepEqual(answers, [second.id, undefined, first.id, second.id]);
  assert.deepEqual(await store.findDepositTargets('live', 'Stellar', [target(first, 0)]), [undefined]);
  assert.deepEqual(await store.findDepositTargets('test', 'Polygon', [target(first, 1), target(first, 0)]), [
    first.id,
    undefined,
  ]);
  assert.deepEqual(await store.findDepositTargets('test', 'Polygon', []), []);
});
