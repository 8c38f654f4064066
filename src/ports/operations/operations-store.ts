// What the operator's pages read from the database besides the other stores: how many records wait and since when, cases,
// businesses with their volume, the search, and marks that tell a page about changes. Every result has a limited size.
import type { PayoutWait } from '../../domain/movements/outcome-memory.ts';
import type { CaseKind, ClosedCase } from '../../domain/records/change.ts';
import type { MatchDecision } from '../../domain/records/match-decision.ts';
import type { Attempt, Movement, MovementState } from '../../domain/records/movement.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { RecordSearch } from './record-search.ts';

/** Selects payouts and bank refunds for the lists of the operator's pages. */
export interface PayoutFilter {
  readonly mode: Mode;
  /** Null for payouts in every state. */
  readonly state: MovementState | null;
  /** The rail of the payouts; null for every rail, and for payouts without a rail. */
  readonly rail: string | null;
  readonly after: string | null;
  readonly limit: number;
}

export interface PayoutRow extends Movement, PayoutWait {
  /** The rail of the last attempt; null if the payout has had no attempt. */
  readonly rail: string | null;
  readonly reference: string | null;
  readonly businessId: string | null;
  readonly businessName: string | null;
  /** The open case about the payout; null if there is no open case. */
  readonly caseId: string | null;
}

export type PayoutAttempt = Pick<
  Attempt,
  'no' | 'rail' | 'reference' | 'state' | 'evidence' | 'atMs' | 'updatedAtMs'
>;

export interface PayoutWithAttempts {
  readonly payout: PayoutRow;
  /** The attempts in the order in which they were made. */
  readonly attempts: readonly PayoutAttempt[];
  readonly cases: readonly CaseRecord[];
}

export interface PayoutReads {
  /** Lists payouts, the newest first. */
  listPayouts(filter: PayoutFilter): Promise<readonly PayoutRow[]>;
  findPayout(id: string): Promise<PayoutWithAttempts | undefined>;
}

/** Counting stops at this number, because a larger number would not change what people do. */
export const MAX_WAITING = 10_000;

export type WaitingKind =
  | 'holds'
  | 'credits'
  | 'deposits'
  | 'refunds'
  | 'notices'
  | 'cases'
  /** The unreadable reports of the last day. The service stores them, and people cannot close them. */
  | 'quarantined'
  /** The deposits that wait for confirmation by a second provider. */
  | 'need_two'
  /** The sends, payouts and refunds that have been in progress longer than `stuckForMs`. */
  | 'stuck'
  /** The payouts and bank refunds whose outcome has been unknown for longer than a setting allows. */
  | 'unknown_payouts'
  | 'freezes';

export interface WaitingSum {
  readonly kind: WaitingKind;
  /** The value MAX_WAITING means "at least that many". */
  readonly count: number;
  /** The sum of the records in kobo; null if they have no value in naira. */
  readonly totalMinor: bigint | null;
  readonly sinceMs: number;
}

export interface Volume {
  readonly count: number;
  readonly totalMinor: bigint;
  readonly completed: number;
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

/** One text for each subject. The text changes when the data of the subject changes, and has no other meaning. */
export type ChangeMarks = Readonly<Record<ChangeSubject, string>>;
export type ChangeSubject = 'transactions' | 'ledger' | 'review' | 'proposals' | 'stops' | 'people' | 'rates';

export interface OperationsStore extends RecordSearch, PayoutReads {
  /**
   * Returns a sum for each kind of record that waits, and omits kinds without such records. `stuckForMs`: a movement in
   * progress for longer than this time counts as stuck.
   */
  waiting(mode: Mode, atMs: number, stuckForMs: number): Promise<readonly WaitingSum[]>;
  activeVendors(mode: Mode): Promise<number>;
  waitingSignUps(): Promise<{ readonly count: number; readonly sinceMs: number | null }>;
  /** Reads the last decision of matching about a credit; undefined if there is no decision. */
  lastMatch(creditId: string): Promise<Pick<MatchDecision, 'candidates' | 'verdict'> | undefined>;
  /** Lists cases, the newest first. */
  listCases(filter: CaseFilter): Promise<readonly CaseRecord[]>;
  /** The newest first. */
  listCaseGroups(mode: Mode | null): Promise<readonly CaseGroup[]>;
  findCase(id: string): Promise<CaseRecord | undefined>;
  listBusinesses(filter: {
    readonly mode: Mode;
    readonly sinceMs: number;
    readonly after: string | null;
    readonly limit: number;
  }): Promise<readonly BusinessRow[]>;
  findBusiness(id: string, mode: Mode, sinceMs: number): Promise<BusinessRow | undefined>;
  /** Returns the names of businesses by id, and omits the ids of unknown businesses. */
  businessNames(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  marks(): Promise<ChangeMarks>;
}

// Cases as the operator's pages list them, with the name of the business and the outcome.

export interface CaseRecord {
  readonly id: string;
  readonly kind: CaseKind;
  readonly mode: Mode;
  readonly businessId: string | null;
  readonly businessName: string | null;
  readonly transactionId: string | null;
  readonly creditId: string | null;
  readonly movementId: string | null;
  /** The id of the report, difference, credit or deposit that the case is about. */
  readonly about: string | null;
  /** The bank account of a reconciliation case, by its name in the ledger. `day` is the day of this case. */
  readonly account: string | null;
  readonly day: string | null;
  readonly amountMinor: bigint;
  readonly openedAtMs: number;
  readonly closedAtMs: number | null;
  readonly closedBy: string | null;
  readonly outcome: ClosedCase['outcome'] | null;
}

export interface CaseFilter {
  readonly mode: Mode | null;
  readonly open: boolean;
  /** Only the cases about this statement file; 'loose': only the cases that are not in the group of a file; null: all cases. */
  readonly ofFile?: string | 'loose' | null;
  readonly after: string | null;
  readonly limit: number;
}

/** The open cases about one statement file with at least two of them. */
export interface CaseGroup {
  readonly fileId: string;
  readonly mode: Mode;
  /** The name and the account of the file. */
  readonly name: string;
  readonly account: string;
  readonly cases: number;
  readonly amountMinor: bigint;
  /** When the oldest case was opened. */
  readonly openedAtMs: number;
  /** The newest open proposal about these cases. */
  readonly proposalId: string | null;
}
