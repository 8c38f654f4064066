// How a transaction record changes: it moves to another state that the table of states allows, or only its next try is
// postponed. Both changes contain the version that the decision was based on.
import type { TransactionMove } from './change.ts';
import type { MoveReason } from './move-reasons.ts';
import { canMove, type TransactionState } from './states.ts';
import type { Transaction } from './transaction.ts';

export interface MoveFacts {
  readonly actor: string;
  readonly atMs: number;
  readonly reason: MoveReason;
  /** The due time of the next step. Null: the next step depends on another record, or nothing is left to do. */
  readonly dueAtMs: number | null;
  readonly evidence?: Readonly<Record<string, unknown>>;
  readonly updates?: Partial<Transaction>;
}

/** The only function that moves a transaction to another state. A move that the table of states does not allow is a bug. */
export function moveTransaction(
  transaction: Transaction,
  to: TransactionState,
  facts: MoveFacts,
): TransactionMove {
  const { type, state: from } = transaction;
  if (from !== to && !canMove(type, from, to)) throw new Error(`a ${type} cannot go from ${from} to ${to}`);
  return {
    version: transaction.version,
    after: {
      ...transaction,
      ...facts.updates,
      version: transaction.version + 1,
      state: to,
      stateReason: from === to ? transaction.stateReason : facts.reason,
      dueAtMs: facts.dueAtMs,
      tries: 0,
      updatedAtMs: facts.atMs,
    },
    line: { from, to, actor: facts.actor, reason: facts.reason, evidence: facts.evidence ?? null },
  };
}

export function postponeTransaction(transaction: Transaction, dueAtMs: number): TransactionMove {
  const after = { ...transaction, version: transaction.version + 1, dueAtMs };
  return { version: transaction.version, after, line: null };
}
