// The rail options that a seed chooses, and the record of what the rails really did.
import type {
  SimulatedWorld,
  WorldStatementRow,
} from '../../../../src/adapters/simulation/simulated-world.ts';
import type { Scenario } from '../../../../src/ports/sandbox.ts';
import type { Agenda } from '../agenda.ts';
import type { PaidRow } from './words.ts';

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
