// A payout that waits and whose account cannot be paid: the sell is on hold again, with its naira still owed.
import { type Change, moveOf } from '../../../domain/records/change.ts';
import type { Exception } from '../../../domain/records/exceptions.ts';
import type { Movement } from '../../../domain/records/movement.ts';
import type { Transaction } from '../../../domain/records/transaction.ts';
import { moveTo } from '../../../domain/records/transaction-moves.ts';
import type { SettlementDeps } from '../../engine/deps.ts';

/** Nothing was reserved and nothing was sent: people name another account, or refund the sell. */
export function heldAgain(
  { clock }: Pick<SettlementDeps, 'clock'>,
  movement: Movement,
  transaction: Transaction,
  exception: Exception,
  evidence: Readonly<Record<string, unknown>>,
): Change {
  const atMs = clock.now();
  const failed = { state: 'failed', reason: exception, dueAtMs: null, updatedAtMs: atMs } as const;
  return {
    atMs,
    movements: [moveOf(movement, failed)],
    transactions: [
      moveTo(transaction, 'on_hold', {
        ...{ actor: 'settlement', atMs, reason: exception, dueAtMs: null, updates: { exception } },
        evidence: { movement: movement.id, ...evidence },
      }),
    ],
  };
}
