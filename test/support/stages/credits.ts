// Payers of two businesses, each used by only one test, and the credits and movements of their payments.
import assert from 'node:assert/strict';
import type { Transaction } from '../../../src/domain/records/transaction.ts';
import { openRig } from '../settlement.ts';

export async function openCreditStage() {
  const rig = await openRig();
  await rig.addBusiness('biz_two');

  let people = 0;
  return {
    rig,
    /** A payer that no other test uses. */
    newPayer: () => {
      people++;
      const accountNumber = `${2_000_000_000 + people * 7_919}`;
      return { accountNumber, amountMinor: 1_600_000n + BigInt(people) };
    },
    /** Checks that no tokens were sent for the transaction and that no movement is in progress. */
    nothingSent: async ({ id }: Transaction): Promise<void> => {
      assert.deepEqual(await rig.rows('select id from movements where transaction_id = $1', id), []);
    },
    creditNamed: async (sourceId: string) =>
      (await rig.deps.store.findCredit('test', 'simulated', sourceId))!,
  };
}
