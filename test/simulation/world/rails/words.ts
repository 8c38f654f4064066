// What a rail says about its payouts, and what it does: the rail that breaks its word calls a payout failed and makes it later,
// takes back what it made, or makes again what it took back. What it really did is in its books, whatever it says.
import { isPaid } from '../../../../src/adapters/rails/simulated/payouts.ts';
import type { WorldPayout } from '../../../../src/adapters/simulation/simulated-world.ts';
import type { Fault, PayoutStatus } from '../../../../src/ports/rails/rail-payouts.ts';

/** `kept`: it does what it says. The others say what it says first, and what it does then. */
export type Word = 'kept' | 'failed_then_paid' | 'paid_then_returned' | 'returned_then_paid';
export const BROKEN_WORDS: readonly Exclude<Word, 'kept'>[] = [
  'failed_then_paid',
  'failed_then_paid',
  'paid_then_returned',
  'returned_then_paid',
];

/** A payout in the books of a rail. */
export interface PaidRow extends WorldPayout {
  readonly rail: string;
  readonly word: Word;
  /** Whose fault it is, should the rail call it failed. */
  readonly fault: Fault;
}

/** Whether it is made, or certain to be, as far as the rail has said. */
export function isMade({ fate, word }: PaidRow): boolean {
  return fate !== 'fails' && word !== 'failed_then_paid';
}

/** When the rail takes a payout back, and when it makes one after all; undefined: it did neither so far. */
export interface Deeds {
  returnedAtMs?: number;
  lateAtMs?: number;
}

/** What the rail says about a payout that its books have, when it says anything certain. */
export function saysOf(row: PaidRow, deeds: Deeds, status: PayoutStatus, nowMs: number): PayoutStatus {
  if (status.kind === 'unknown' || status.kind === 'not_found') return status;
  const { sessionId, word, chargeMinor } = row;
  if (deeds.lateAtMs !== undefined) return { kind: 'paid', sessionId, chargeMinor };
  if (word === 'failed_then_paid' && isPaid(row, nowMs)) return refused(row.fault);
  if (deeds.returnedAtMs !== undefined)
    return { kind: 'returned', reason: 'the beneficiary bank gave it back' };
  return status.kind === 'failed' ? refused(row.fault) : status;
}

function refused(fault: Fault): PayoutStatus {
  const reason = fault === 'rail' ? 'no sufficient funds (51)' : 'not permitted (57)';
  return { kind: 'failed', reason: `the bank refused the payout: ${reason}`, fault };
}
