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

/** The rail that contradicts its own reports. Its statement also contains the payments of customers. */
export const FICKLE = 'simulated';

export interface ReportedRow extends WorldStatementRow {
  readonly rail: string;
}

/** Each method is called for every new row, before a process gets a response about the row. */
export interface RailWitness {
  /**
   * Called for every payout that the rail makes or will certainly make. It is also called for a payout that will fail, or that
   * the rail first reports as failed.
   */
  payout(row: PaidRow): void;
  returned(row: PaidRow): void;
  /** Called when the rail makes a payout that it had reported as failed or had returned. */
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
  readonly onLine: (rail: string, position: number, atMs: number) => void;
}

// What a rail reports about its payouts, and what it really does. The rail that contradicts itself makes a payout after it
// reported a failure, returns a payout that it made, or makes a returned payout again. Its books contain what it really did,
// whatever it reports.

/** `kept`: the rail does what it reports. Each other value names first what the rail reports, and then what it does. */
export type Word = 'kept' | 'failed_then_paid' | 'paid_then_returned' | 'returned_then_paid';
export const BROKEN_WORDS: readonly Exclude<Word, 'kept'>[] = [
  'failed_then_paid',
  'failed_then_paid',
  'paid_then_returned',
  'returned_then_paid',
];

export interface PaidRow extends WorldPayout {
  readonly rail: string;
  readonly word: Word;
  /** Who caused the failure, if the rail reports the payout as failed. */
  readonly fault: Fault;
}

/** Whether the rail's first report says that it made the payout or will certainly make it. */
export function isMade({ fate, word }: PaidRow): boolean {
  return fate !== 'fails' && word !== 'failed_then_paid';
}

/** When the rail returned a payout, and when it later made a failed or returned payout; undefined if this has not happened. */
export interface Deeds {
  returnedAtMs?: number;
  lateAtMs?: number;
}

/** What the rail reports about a payout in its books when its response is certain. */
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
