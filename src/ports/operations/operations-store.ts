// What the operator's pages read of the database besides the desks: how much waits and since when, cases, businesses with what
// they moved, the search, and marks by which a page notices that something changed. All of it is bounded, however much there is.
import type { PayoutWait } from '../../domain/movements/outcome-memory.ts';
import type { MatchDecision } from '../../domain/records/match-decision.ts';
import type { Attempt, Movement, MovementState } from '../../domain/records/movement.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { CaseFilter, CaseRecord } from './case-record.ts';
import type { RecordSearch } from './record-search.ts';

/** Payouts and refunds by bank as the operator's pages list them, and one of them with every attempt at it. */
export interface PayoutFilter {
  readonly mode: Mode;
  /** The state to filter by; null: every state. */
  readonly state: MovementState | null;
  /** The rail to filter by; null: every rail, and payouts without one. */
  readonly rail: string | null;
  readonly after: string | null;
  readonly limit: number;
}

export interface PayoutRow extends Movement, PayoutWait {
  /** The rail of the last attempt; null: there was none. */
  readonly rail: string | null;
  readonly reference: string | null;
  readonly businessId: string | null;
  readonly businessName: string | null;
  /** The open case about it. */
  readonly caseId: string | null;
}

export type PayoutAttempt = Pick<
  Attempt,
  'no' | 'rail' | 'reference' | 'state' | 'evidence' | 'atMs' | 'updatedAtMs'
>;

export interface PayoutWithAttempts {
  readonly payout: PayoutRow;
  /** The first one first. */
  readonly attempts: readonly PayoutAttempt[];
  /** Open or closed. */
  readonly cases: readonly CaseRecord[];
}

export interface PayoutReads {
  /** The newest first. */
  listPayouts(filter: PayoutFilter): Promise<readonly PayoutRow[]>;
  /** Finds a payout or a bank refund; undefined: there is none with this id. */
  findPayout(id: string): Promise<PayoutWithAttempts | undefined>;
}

/** Counting stops here: what matters is that it is many. */
export const MAX_WAITING = 10_000;

export type WaitingKind =
  | 'holds'
  | 'credits'
  | 'deposits'
  | 'refunds'
  | 'notices'
  | 'cases'
  /** Reports that could not be read, of the last day: they are kept, and no decision ends them. */
  | 'quarantined'
  /** Deposits that wait for the word of a second provider. */
  | 'need_two'
  /** Sends, payouts and refunds in progress for longer than they should be. */
  | 'stuck'
  /** Payouts and refunds by bank whose outcome is not known for longer than a setting allows. */
  | 'unknown_payouts'
  | 'freezes';

export interface WaitingSum {
  readonly kind: WaitingKind;
  /** MAX_WAITING means that many or more. */
  readonly count: number;
  /** The sum in naira; null: the records have no value in naira. */
  readonly totalMinor: bigint | null;
  /** The time of the oldest record. */
  readonly sinceMs: number;
}

/** The volume of a business in one mode since a time. */
export interface Volume {
  readonly count: number;
  readonly totalMinor: bigint;
  readonly completed: number;
  /** There are more transactions than were counted. */
  readonly more: boolean;
}

export interface BusinessRow {
  readonly id: string;
  readonly name: string;
  readonly linkTag: string;
  readonly tier: string;
  readonly sandbox: boolean;
  readonly createdAtMs: number;
  readonly volume: Volume;
}

/** A text for each subject that changes when something of it does; which text it is says nothing. */
export type ChangeMarks = Readonly<Record<ChangeSubject, string>>;
export type ChangeSubject = 'transactions' | 'ledger' | 'review' | 'proposals' | 'stops' | 'people' | 'rates';

export interface OperationsStore extends RecordSearch, PayoutReads {
  /** Kinds of which nothing waits are left out. `stuckForMs`: from when on a movement in progress counts as stuck. */
  waiting(mode: Mode, atMs: number, stuckForMs: number): Promise<readonly WaitingSum[]>;
  /** Vendor accounts that customers can pay to. */
  activeVendors(mode: Mode): Promise<number>;
  waitingSignUps(): Promise<{ readonly count: number; readonly sinceMs: number | null }>;
  /** Reads the last decision of matching about a credit; undefined: there is none. */
  lastMatch(creditId: string): Promise<Pick<MatchDecision, 'candidates' | 'verdict'> | undefined>;
  /** The newest first. */
  listCases(filter: CaseFilter): Promise<readonly CaseRecord[]>;
  findCase(id: string): Promise<CaseRecord | undefined>;
  /** Lists businesses, newest first by id, each with its volume in that mode since a time. */
  listBusinesses(filter: {
    readonly mode: Mode;
    readonly sinceMs: number;
    readonly after: string | null;
    readonly limit: number;
  }): Promise<readonly BusinessRow[]>;
  findBusiness(id: string, mode: Mode, sinceMs: number): Promise<BusinessRow | undefined>;
  /** The names by id; businesses that do not exist are left out. */
  businessNames(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  marks(): Promise<ChangeMarks>;
}
