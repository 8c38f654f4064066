// What releasing and refunding mean for a transaction, the same for buys and sells.
import type { Change } from '../records/change.ts';
import { REFUND_DECIDED } from '../records/exceptions.ts';
import type { Movement } from '../records/movement.ts';
import type { State } from '../records/states.ts';
import type { Transaction } from '../records/transaction.ts';
import { moveTo } from '../records/transaction-moves.ts';
import { ok, type Result } from '../values/result.ts';
import type { Decider, Plan } from './proposal.ts';

/** It goes on at once, and is not stopped again by what it was stopped by. */
export function released(transaction: Transaction, to: State, { actor, atMs }: Decider): Result<Plan, never> {
  const facts = { actor, atMs, reason: 'released', dueAtMs: atMs, updates: { released: true } };
  const change: Change = { atMs, transactions: [moveTo(transaction, to, facts)] };
  return ok({ mode: transaction.mode, amountMinor: transaction.amountMinor, change });
}

/** On hold until everything has gone back; the exception keeps further money from counting for it. */
export function returning(transaction: Transaction, { actor, atMs }: Decider) {
  const updates = { exception: REFUND_DECIDED };
  return moveTo(transaction, 'on_hold', { actor, atMs, reason: 'being refunded', dueAtMs: null, updates });
}

/** Tokens or naira are on their way, or may be. */
export function hasLeft(movements: readonly Movement[]): boolean {
  return movements.some(({ kind, state }) => (kind === 'send' || kind === 'payout') && state !== 'failed');
}
