// What the rails of a seed are made with, and who sees what they do.
import type {
  SimulatedWorld,
  WorldStatementRow,
} from '../../../../src/adapters/simulation/simulated-world.ts';
import type { Scenario } from '../../../../src/ports/sandbox.ts';
import type { Agenda } from '../agenda.ts';
import type { PaidRow } from './words.ts';

/** Its statement also has what customers pay in. It breaks its word. */
export const FICKLE = 'simulated';

export interface ReportedRow extends WorldStatementRow {
  readonly rail: string;
}

/** Called for every row when it is new, before any process gets an answer about it. */
export interface RailWitness {
  /** It is made, or certain to be, unless its fate is to fail or its word is that it failed. */
  payout(row: PaidRow): void;
  /** The money of a payout that was made is back. */
  returned(row: PaidRow): void;
  /** A payout that the rail called failed, or took back, was made after all. */
  late(row: PaidRow): void;
  line(row: ReportedRow): void;
}

export interface RailOptions {
  readonly seed: string;
  readonly agenda: Agenda;
  readonly paceMs: number;
  readonly troublePercent: number;
  /** Of a hundred payouts, for how many the fickle rail breaks its word. */
  readonly brokenPercent: number;
  readonly plays: SimulatedWorld['plays'];
  readonly scenarioOf: (transactionId: string) => Scenario | undefined;
  readonly witness: RailWitness;
  /** A line of a statement can be read. */
  readonly onLine: (rail: string, position: number, atMs: number) => void;
}
