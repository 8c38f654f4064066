// One step of a movement by bank: order it once, under our own reference, from the step that stored it; later only ask what became
// of it. What an answer proves is decided in domain/rails/payout-outcome.ts; what then happens, in settle-payout.ts.

import { stepEntries } from '../../../domain/movements/entries.ts';
import { memoryOf, orderedAtMs } from '../../../domain/movements/outcome-memory.ts';
import { heldBack, type UnderWay, unknown } from '../../../domain/movements/steps.ts';
import { type Called, decideOutcome, type Verdict } from '../../../domain/rails/payout-outcome.ts';
import type { PayoutStatus } from '../../../domain/rails/payout-status.ts';
import { callLeaseMs } from '../../../domain/rails/terms.ts';
import { type Change, moveOf } from '../../../domain/records/change.ts';
import type { AccountDestination, Attempt, Movement } from '../../../domain/records/movement.ts';
import type { Transaction } from '../../../domain/records/transaction.ts';
import type { PayingRail } from '../../../ports/bank/rail.ts';
import { isHalted, type SettlementDeps } from '../../engine/deps.ts';
import { backOffMs } from '../../engine/retries.ts';
import { isListed } from '../../settlement/hold-checks.ts';
import type { Step } from '../step.ts';
import { findPayingRail, payoutAccountOf } from './choose-rail.ts';
import { bankAttempt, checkOwner, chooseForWaiting, triedRails } from './fail-over.ts';
import { heldAgain } from './held-again.ts';
import { settlePayout } from './settle-payout.ts';

const CLEAR = { kind: 'clear' } as const;
const HALTED_MS = 2_000;
/** How soon a rail that is not there, or does not fit, is looked for again; the pause doubles every time. */
const NO_RAIL_MS = 2_000;

/** `last`: the attempt before it, when every rail refused it. */
export async function startPayoutAttempt(
  deps: SettlementDeps,
  movement: Movement,
  last: Attempt | undefined,
  transaction: Transaction | null,
): Promise<Step> {
  const atMs = deps.clock.now();
  const chosen = await chooseForWaiting(deps, movement, last);
  if (chosen === null || isHalted(deps, movement)) {
    const pauseMs = chosen === null ? backOffMs(deps, movement.tries, NO_RAIL_MS) : HALTED_MS;
    return { change: { atMs, movements: [moveOf(movement, { dueAtMs: atMs + pauseMs })] } };
  }
  if (await isListed(deps, movement))
    return { change: heldBack(movement, undefined, transaction, atMs, 'screening_hit') };
  const { rail, usage } = chosen;
  // Of the first attempt the caller has asked.
  const owner = last === undefined ? CLEAR : await checkOwner(deps, rail, { movement, transaction });
  if (owner.kind === 'hold')
    return { change: heldAgain(deps, movement, transaction!, owner.exception, owner.evidence) };
  if (owner.kind === 'unknown') {
    const dueAtMs = deps.clock.now() + backOffMs(deps, movement.tries, NO_RAIL_MS);
    return { change: { atMs, movements: [moveOf(movement, { dueAtMs })] } };
  }
  const move = moveOf(movement, {
    state: 'sending',
    bankAccount: payoutAccountOf(rail),
    attempts: movement.attempts + 1,
    tries: 0,
    dueAtMs: atMs + callLeaseMs(rail.terms),
    updatedAtMs: atMs,
  });
  const attempt = bankAttempt(move.after, rail.name, last === undefined ? [] : triedRails(last), atMs);
  return {
    change: {
      atMs,
      movements: [move],
      attempts: [attempt],
      usage,
      entries: stepEntries(move.after, 'reserve'),
    },
    start: { movement: move.after, attempt, transaction },
  };
}

/** An answer of a rail about an attempt, and how it was asked for. */
export interface Answer {
  readonly rail: PayingRail;
  readonly status: PayoutStatus;
  readonly called: Called;
  readonly beganMs: number;
}

/** Gives the order to its rail, unless the answer could come after the lease of the payout has ended. */
export async function orderPayout(
  deps: SettlementDeps,
  { movement, attempt, transaction: _ }: UnderWay,
  called: Exclude<Called, 'asked'>,
): Promise<Answer | undefined> {
  const rail = findPayingRail(deps, attempt);
  if (rail === undefined) return undefined;
  const beganMs = deps.clock.now();
  const leftMs = movement.dueAtMs! - beganMs;
  const status: PayoutStatus =
    leftMs < rail.terms.timeoutMs
      ? { kind: 'not_sent', reason: `only ${leftMs} ms were left for the call` }
      : await rail.payouts.pay({
          reference: attempt.reference,
          amountMinor: movement.nairaMinor,
          destination: movement.destination as AccountDestination,
          about: movement.transactionId,
          isFirst: called === 'ordered_first',
        });
  return { rail, status, called, beganMs };
}

/** What follows from an answer, on the records as they are given. */
export async function judgeAnswer(deps: SettlementDeps, alive: UnderWay, answer: Answer): Promise<Step> {
  const { rail, status, called, beganMs } = answer;
  const { attempt } = alive;
  const orderedMs = orderedAtMs(attempt);
  const call = {
    ...{ called, beganMs, endedMs: deps.clock.now(), orderedMs },
    orderedUntilMs: orderedMs + callLeaseMs(rail.terms),
  };
  const verdict: Verdict = decideOutcome(status, call, memoryOf(attempt), rail.terms);
  return settlePayout(deps, rail, alive, status, verdict);
}

/** An attempt that this step did not store may have left, whatever its state says: it is asked about, never ordered. */
export async function followPayout(deps: SettlementDeps, alive: UnderWay): Promise<Step> {
  const rail = findPayingRail(deps, alive.attempt);
  if (rail === undefined) return { change: waitForRail(deps, alive) };
  const beganMs = deps.clock.now();
  const status = await rail.payouts.ask(alive.attempt.reference);
  return judgeAnswer(deps, alive, { rail, status, called: 'asked', beganMs });
}

/** It may have been paid on its rail, so no other rail may pay it: it waits until its own one is configured again. */
export function waitForRail(deps: SettlementDeps, alive: UnderWay): Change {
  const { movement, attempt } = alive;
  const atMs = deps.clock.now();
  deps.onTrouble('a payout waits for a rail that is not configured', {
    movement: movement.id,
    rail: attempt.rail,
  });
  const dueAtMs = atMs + backOffMs(deps, movement.tries, NO_RAIL_MS);
  const reason = `rail ${attempt.rail} is not configured: configure it again to learn the outcome`;
  return unknown(alive, { atMs, dueAtMs }, reason);
}
