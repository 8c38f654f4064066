// Defines one test case of a rail's contract: what the case needs from a harness, and the payout orders that it makes.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { bankReference } from '../../../src/domain/records/movement.ts';
import { ID_RANDOM_BYTES, makeId } from '../../../src/domain/values/ids.ts';
import type { PayoutOrder, PayoutStatus, RailPayouts } from '../../../src/ports/rails/rail-payouts.ts';
import type { RailStatement } from '../../../src/ports/rails/rail-statement.ts';
import type { BankHarness } from './harness.ts';

export interface Case {
  readonly title: string;
  readonly needs: (harness: BankHarness) => boolean;
  readonly run: (harness: BankHarness) => Promise<void>;
}

/** This is far more time than any rail needs for a payout, counted in calls of `pass`. */
export const MANY_STEPS = 400;

export function order({ account }: BankHarness, changes: Partial<PayoutOrder> = {}): PayoutOrder {
  return {
    reference: bankReference(makeId('mov', Date.now(), randomBytes(ID_RANDOM_BYTES))),
    amountMinor: 15_250_50n,
    destination: account,
    about: null,
    ...changes,
  };
}

export function payoutsOf({ rail }: Pick<BankHarness, 'rail'>): RailPayouts {
  assert.ok(rail.payouts !== null, 'the rail makes no payouts');
  return rail.payouts;
}

export function statementOf({ rail }: Pick<BankHarness, 'rail'>): RailStatement {
  assert.ok(rail.statement !== null, 'the rail reports nothing');
  return rail.statement;
}

/**
 * Lets time pass in steps and queries the payout after each step, until the response has one of these kinds. Returns every
 * response on the way, without repetitions.
 */
export async function settle(
  harness: BankHarness,
  reference: string,
  ends: readonly PayoutStatus['kind'][] = ['paid', 'failed'],
): Promise<readonly PayoutStatus[]> {
  const answers: PayoutStatus[] = [];
  for (let step = 0; step < MANY_STEPS; step++) {
    const answer = await payoutsOf(harness).ask(reference);
    if (answer.kind !== answers.at(-1)?.kind) answers.push(answer);
    if (ends.includes(answer.kind)) return answers;
    await harness.pass();
  }
  return assert.fail(`${reference} was never settled: ${answers.map(({ kind }) => kind)}`);
}

/** Asserts that the rail paid the payout once, finally reports it as paid, and never reported it as failed. */
export async function assertPaidOnce(harness: BankHarness, { reference, amountMinor }: PayoutOrder) {
  const answers = await settle(harness, reference);
  assert.equal(answers.at(-1)!.kind, 'paid');
  assert.deepEqual(await harness.paid(reference), [amountMinor]);
  return answers;
}
