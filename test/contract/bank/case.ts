// One case of the contract of a rail: what it needs of a harness, and the orders it is played with.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { bankReference } from '../../../src/domain/records/movement.ts';
import { ID_RANDOM_BYTES, makeId } from '../../../src/domain/values/ids.ts';
import type { PayoutOrder, PayoutStatus, RailPayouts } from '../../../src/ports/rails/rail-payouts.ts';
import type { RailStatement } from '../../../src/ports/rails/rail-statement.ts';
import type { BankHarness } from './harness.ts';

export interface Case {
  readonly title: string;
  /** Whether a rail can meet it at all. */
  readonly needs: (harness: BankHarness) => boolean;
  readonly run: (harness: BankHarness) => Promise<void>;
}

/** Far more time than any rail needs for a payout, counted in `pass`. */
export const MANY_STEPS = 400;

/** A reference as the service makes them. */
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

/** Asks after each bit of time until an answer of these kinds. Every answer on the way, without repetitions. */
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

/** Settled as paid, never called failed on the way, and paid once. */
export async function assertPaidOnce(harness: BankHarness, { reference, amountMinor }: PayoutOrder) {
  const answers = await settle(harness, reference);
  assert.equal(answers.at(-1)!.kind, 'paid');
  assert.deepEqual(await harness.paid(reference), [amountMinor]);
  return answers;
}
