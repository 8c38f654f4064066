// Makes claims and credits for the tests that search for the claims that a credit may pay. Each test has its own vendor
// account, so the claims of one test are never candidates in another test.
import assert from 'node:assert/strict';
import { test as plainTest } from 'node:test';
import { acceptBatch } from '../../src/adapters/postgres/accept/accept-batch.ts';
import type { Database } from '../../src/adapters/postgres/connection/database.ts';
import type { BankCredit } from '../../src/domain/records/credit.ts';
import type { Transaction } from '../../src/domain/records/transaction.ts';
import { credit } from './settlement-fixtures.ts';
import { acceptance, LIVE_KEY, transaction } from './store-fixtures.ts';

export const DAY_MS = 86_400_000;
export const AMOUNT = 1_500_050n;
export const PAYER = '0123456785';

export function makeClaimFixtures(database: Database) {
  let number = 1_000_000_000;
  const test = (name: string, work: () => Promise<void>) =>
    plainTest(name, () => {
      number += 1;
      return work();
    });
  const vendor = () => ({ vendorId: 'vnd_1', name: 'Vendor', number: String(number), bank: 'Providus Bank' });
  const here = (changes: Partial<BankCredit> = {}) =>
    credit({ accountNumber: String(number), narration: null, ...changes });
  const claim = async (changes: Partial<Transaction> = {}): Promise<Transaction> => {
    const made = transaction({ vendor: vendor(), accountNumber: PAYER, amountMinor: AMOUNT, ...changes });
    const keyId = made.mode === 'live' ? { keyId: LIVE_KEY } : {};
    assert.deepEqual(await acceptBatch(database, [acceptance(made, keyId)]), [{ kind: 'created' }]);
    await database.query({
      text: 'update transaction_states set exception = $2, received_minor = $3 where transaction_id = $1',
      values: [made.id, made.exception, made.receivedMinor.toString()],
    });
    return made;
  };
  return { test, vendor, here, claim };
}
