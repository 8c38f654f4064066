// Payers, each used by only one test, with their credits: of two businesses, or with credits that the bank can reverse.
import assert from 'node:assert/strict';
import type { Transaction } from '../../../src/domain/records/transaction.ts';
import { openRig } from '../settlement.ts';

export async function openCreditStage() {
  const rig = await openRig();
  await rig.addBusiness('biz_two');

  let people = 0;
  return {
    rig,
    newPayer: () => {
      people++;
      const accountNumber = `${2_000_000_000 + people * 7_919}`;
      return { accountNumber, amountMinor: 1_600_000n + BigInt(people) };
    },
    nothingSent: async ({ id }: Transaction): Promise<void> => {
      assert.deepEqual(await rig.rows('select id from movements where transaction_id = $1', id), []);
    },
    creditNamed: async (sourceId: string) =>
      (await rig.deps.store.findCredit('test', 'simulated', sourceId))!,
  };
}

// Buys with a credit that the bank can reverse, and the recovery cases that result. If the bank reverses a credit after the
// service sent its tokens, the service freezes the business.

export async function openReversalStage() {
  const rig = await openRig({ freezeOnReversal: true });

  let people = 0;
  const newPayer = () => {
    people++;
    return { accountNumber: `${3_000_000_000 + people * 7_919}`, amountMinor: 1_800_000n + BigInt(people) };
  };

  const claimed = async (changes: Partial<Transaction> = {}, paidMinor?: bigint) => {
    const payer = newPayer();
    const buy = await rig.buy({ ...payer, ...changes });
    const id = await rig.payIn({
      payerAccount: payer.accountNumber,
      amountMinor: paidMinor ?? payer.amountMinor,
    });
    return { buy, id, ...payer };
  };

  return {
    rig,
    newPayer,
    claimed,
    pause: (paused: boolean) =>
      rig.backOffice.setMovementsPaused(paused, 'test', { actor: 'test', atMs: rig.now() }),
    creditNamed: async (id: string) => (await rig.deps.store.findCredit('test', 'simulated', id))!,
    casesOf: (id: string) =>
      rig.rows(
        'select kind, business_id, amount_minor::text as amount from cases where transaction_id = $1',
        id,
      ),
  };
}
