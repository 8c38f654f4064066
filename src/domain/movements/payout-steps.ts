// What a refusal of a bank does to a payout until it is sure that the bank means it, and what the business reads of it.
import type { Memory } from '../rails/payout-outcome.ts';
import { type Change, moveOf, type TransactionMove } from '../records/change.ts';
import type { Movement } from '../records/movement.ts';
import type { Transaction } from '../records/transaction.ts';
import { moveTo } from '../records/transaction-moves.ts';
import { evidenceWith, memoryOf } from './outcome-memory.ts';
import { type UnderWay, updatedAttempt } from './steps.ts';

/**
 * The bank refused it. Until it is sure that the bank does not pay it after all, nothing else is done. `sureMs`: when that is
 * about.
 */
export function makingSure(
  { movement, attempt, transaction }: UnderWay,
  atMs: number,
  memory: Memory,
  askAtMs: number,
  sureMs: number,
): Change {
  const { reason: said } = memory.refusal!;
  const isNew = memoryOf(attempt).refusal === null;
  const reason = `refused: ${said}. We make sure before anything else is done`;
  const evidence = evidenceWith(attempt, memory, { reason: said, sure_ms: sureMs });
  return {
    atMs,
    movements: [moveOf(movement, { state: 'unknown', reason, dueAtMs: askAtMs, updatedAtMs: atMs })],
    attempts: [updatedAttempt(attempt, 'unknown', atMs, evidence)],
    ...(isNew &&
      movement.kind === 'payout' &&
      transaction !== null && {
        transactions: [tellPayout(transaction, 'payout_refused', movement, atMs)],
      }),
  };
}

/** Another rail gets a payout that the business reads as refused. */
export function rerouted(
  movement: Movement,
  transaction: Transaction | null,
  atMs: number,
): Pick<Change, 'transactions'> {
  if (movement.kind !== 'payout' || transaction?.stateReason !== 'payout_refused') return {};
  return { transactions: [tellPayout(transaction, 'payout_rerouted', movement, atMs)] };
}

function tellPayout(
  transaction: Transaction,
  reason: 'payout_refused' | 'payout_rerouted',
  { id }: Movement,
  atMs: number,
): TransactionMove {
  const { state, dueAtMs } = transaction;
  const move = moveTo(transaction, state, {
    actor: 'bank',
    atMs,
    reason,
    dueAtMs,
    evidence: { movement: id },
  });
  return { ...move, after: { ...move.after, stateReason: reason } };
}
