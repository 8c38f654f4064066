// A buy whose tokens must not be sent, or a sell that must not be paid out, waits for people.
import type { Change } from '../../domain/records/change.ts';
import type { Exception } from '../../domain/records/exceptions.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import { moveTo } from '../../domain/records/transaction-moves.ts';

export function putOnHold(
  transaction: Transaction,
  exception: Exception,
  evidence: Readonly<Record<string, unknown>>,
  atMs: number,
): Change {
  const facts = {
    actor: 'settlement',
    atMs,
    reason: exception,
    dueAtMs: null,
    updates: { exception },
    evidence,
  } as const;
  return { atMs, transactions: [moveTo(transaction, 'on_hold', facts)] };
}
