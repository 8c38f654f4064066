// The rail options that a seed chooses, and the record of what the rails really did.

import { isPaid } from '../../../../src/adapters/rails/simulated/payouts.ts';
import type {
  SimulatedWorld,
  WorldPayout,
  WorldStatementRow,
} from '../../../../src/adapters/simulation/simulated-world.ts';
import type { Fault, PayoutStatus } from '../../../../src/ports/rails/rail-payouts.ts';
import type { Scenario } from '../../../../src/ports/sandbox.ts';
import type { Agenda } from '../agenda.ts';

/** Its statement also contains the payments of customers. It breaks its word. */
export const FICKLE = 'simulated';

export interface ReportedRow extends WorldStatementRow {
  readonly rail: string;
}

/** Called for every new row, before any process gets a response about it. */
export interface RailWitness {
  /** The payout is made or certain to be made, unless its fate is to fail or the rail first reports it as failed. */
  payout(row: PaidRow): void;
  /** The money of a payout was returned. */
  returned(row: PaidRow): void;
  /** A payout that the rail had reported as failed, or had returned, was made after all. */
  late(row: PaidRow): void;
  line(row: ReportedRow): void;
}

export interface RailOptions {
  readonly seed: string;
  readonly agenda: Agenda;
  readonly paceMs: number;
  readonly troublePercent: number;
  /** The percentage of payouts for which the fickle rail contradicts itself. */
  readonly brokenPercent: number;
  readonly plays: SimulatedWorld['plays'];
  readonly scenarioOf: (transactionId: string) => Scenario | undefined;
  readonly witness: RailWitness;
  /** A statement line has become readable. */
  readonly onLine: (rail: string, position: number, atMs: number) => void;
}

// What a rail reports about its payouts, and what it does: the rail that contradicts itself reports a payout as failed and makes
// it later, returns a payout that it made, or makes a returned payout again. What it really did is in its books, whatever it
// reports.

/** `kept`: the rail does what it reports. The other values name first what it reports, and then what it does. */
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
  /** Who caused the failure, if the rail reports the payout as failed. */
  readonly fault: Fault;
}

/** Whether the payout is made or certain to be made, according to the rail's first report. */
export function isMade({ fate, word }: PaidRow): boolean {
  return fate !== 'fails' && word !== 'failed_then_paid';
}

/** When the rail returned a payout, and when it made one after all; undefined: not yet. */
export interface Deeds {
  returnedAtMs?: number;
  lateAtMs?: number;
}

/** What the rail reports about a payout in its books, if its response is certain. */
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
