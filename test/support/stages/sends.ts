// Paid buys that wait for their tokens on Polygon, and a check that each buy got its tokens exactly once.
import assert from 'node:assert/strict';
import type { Movement } from '../../../src/domain/records/movement.ts';
import type { Transaction } from '../../../src/domain/records/transaction.ts';
import { openRig } from '../settlement.ts';

export async function openSendStage() {
  const rig = await openRig();
  const polygon = rig.network('Polygon');
  const sendOf = async (id: string): Promise<Movement> => (await rig.deps.store.movementsOf([id]))[0]!;
  const attemptsOf = (movementId: string) =>
    rig.rows<{ no: number; state: string; reference: string; payload: string }>(
      'select no, state, reference, payload from movement_attempts where movement_id = $1 order by no',
      movementId,
    );

  let people = 0;
  const paidBuy = async (changes: Partial<Transaction> = {}) => {
    people++;
    const payer = {
      accountNumber: `${5_000_000_000 + people * 7_919}`,
      amountMinor: 2_000_000n + BigInt(people),
    };
    const buy = await rig.buy({ ...payer, ...changes });
    await rig.payIn({ payerAccount: payer.accountNumber, amountMinor: payer.amountMinor });
    return { ...payer, id: buy.id };
  };

  const sentOnce = async (id: string): Promise<void> => {
    await rig.until(id, 'completed');
    const send = await sendOf(id);
    assert.equal(await polygon.paidTimes(send.id), 1);
    const { txHash } = await rig.find(id);
    assert.ok(
      (await attemptsOf(send.id)).some(({ reference, state }) => reference === txHash && state === 'landed'),
    );
  };

  return {
    rig,
    polygon,
    paidBuy,
    /** Lets the leases of a dead process expire, so that another process takes over its work. */
    leaseEnds: () => rig.pass(16_000),
    sendOf,
    attemptsOf,
    sentOnce,
  };
}
