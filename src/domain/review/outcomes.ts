// What people may record about a payout or a bank refund whose outcome its rail does not report. They record that it was paid,
// or that it was not paid and never will be. They may do so only if the service itself can no longer find out the outcome.
import { releaseEntries } from '../movements/entries.ts';
import { mergeMemory, needsPeople, readMemory } from '../movements/outcome-memory.ts';
import { finishMovement, type LiveAttempt, updateAttempt } from '../movements/steps.ts';
import { type Change, makeMove } from '../records/change.ts';
import type { Attempt, Movement } from '../records/movement.ts';
import type { Decider } from './proposal.ts';

/** How long the outcome must be unknown before people may record it, even if the rail still reports the payout as in progress. */
const PEOPLE_AFTER_MS = 24 * 3_600_000;

/** The reason why people may not record the outcome now; null: they may. */
export function findRecordingObstacle(
  { id, network, state }: Movement,
  attempt: Attempt | undefined,
  atMs: number,
): string | null {
  if (network !== null || attempt === undefined || (state !== 'sending' && state !== 'unknown'))
    return `${id} is ${state}: people can record the outcome only of a payout or bank refund that is still open.`;
  if (needsPeople(attempt) || atMs - attempt.atMs >= PEOPLE_AFTER_MS) return null;
  return `The service is still asking the bank about ${id}. People can decide when the service needs them, or after a day.`;
}

/**
 * Records a payout as paid. Its bank charge is unknown, so two people post the charge later from the statement (`naira
 * charge`).
 */
export function recordPaid(alive: LiveAttempt, { actor, atMs }: Decider): Change {
  const { attempt, movement, transaction } = alive;
  const feeMinor = movement.kind === 'payout' ? (transaction?.feeMinor ?? 0n) : 0n;
  const evidence = mergeMemory(attempt, readMemory(attempt), { recorded_by: actor }) ?? {};
  return finishMovement(alive, atMs, evidence, { feeMinor, chargeMinor: 0n });
}

/** The movement starts again on another rail, or with another reference. */
export function recordUnpaid({ attempt, movement }: LiveAttempt, { actor, atMs }: Decider): Change {
  const before = (attempt.evidence?.tried ?? []) as readonly string[];
  const tried = [...before.filter((each) => each !== attempt.rail), attempt.rail!];
  const reason = 'two people: not paid';
  const more = { reason, fault: 'rail', tried, recorded_by: actor };
  const ended = updateAttempt(attempt, 'failed', atMs, mergeMemory(attempt, readMemory(attempt), more));
  return {
    atMs,
    movements: [
      makeMove(movement, {
        ...{ state: 'pending', reason, bankAccount: null, dueAtMs: atMs, tries: 0, updatedAtMs: atMs },
      }),
    ],
    attempts: [ended],
    entries: releaseEntries(movement, 0n),
  };
}
