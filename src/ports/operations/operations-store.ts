// What the operator's pages read from the database besides the other stores: how much waits and since when, cases, businesses
// with their volume, the search, and marks that tell a page that something changed. Every result has a limited size.
import type { PayoutWait } from '../../domain/movements/outcome-memory.ts';
import type { CaseKind, ClosedCase } from '../../domain/records/change.ts';
import type { MatchDecision } from '../../domain/records/match-decision.ts';
import type { Attempt, Movement, MovementState } from '../../domain/records/movement.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { RecordSearch } from './record-search.ts';

/** Payouts and bank refunds in the lists of the operator's pages, and one of them with all its attempts. */
export interface PayoutFilter {
  readonly mode: Mode;
  /** The state to filter by; null for every state. */
  readonly state: MovementState | null;
  /** The rail to filter by; null for every rail, and for payouts without a rail. */
  readonly rail: string | null;
  readonly after: string | null;
  readonly limit: number;
}

export interface PayoutRow extends Movement, PayoutWait {
  /** The rail of the last attempt; null if there was no attempt. */
  readonly rail: string | null;
  readonly reference: string | null;
  readonly businessId: string | null;
  readonly businessName: string | null;
  /** The open case about the payout. */
  readonly caseId: string | null;
}

export type PayoutAttempt = Pick<
  Attempt,
  'no' | 'rail' | 'reference' | 'state' | 'evidence' | 'atMs' | 'updatedAtMs'
>;

export interface PayoutWithAttempts {
  readonly payout: PayoutRow;
  /** The first attempt first. */
  readonly attempts: readonly PayoutAttempt[];
  /** Open and closed cases. */
  readonly cases: readonly CaseRecord[];
}

export interface PayoutReads {
  /** The newest first. */
  listPayouts(filter: PayoutFilter): Promise<readonly PayoutRow[]>;
  /** Finds a payout or a bank refund; undefined if there is none with this id. */
  findPayout(id: string): Promise<PayoutWithAttempts | undefined>;
}

/** Counting stops here: a larger number would not change anything for the reader. */
export const MAX_WAITING = 10_000;

export type WaitingKind =
  | 'holds'
  | 'credits'
  | 'deposits'
  | 'refunds'
  | 'notices'
  | 'cases'
  /** Unreadable reports of the last day: they are stored, and cannot be closed. */
  | 'quarantined'
  /** Deposits that wait for confirmation by a second provider. */
  | 'need_two'
  /** Sends, payouts and refunds that have been in progress for too long. */
  | 'stuck'
  /** Payouts and bank refunds whose outcome has been unknown for longer than a setting allows. */
  | 'unknown_payouts'
  | 'freezes';

export interface WaitingSum {
  readonly kind: WaitingKind;
  /** The value MAX_WAITING means "at least that many". */
  readonly count: number;
  /** The sum in naira; null if the records have no value in naira. */
  readonly totalMinor: bigint | null;
  /** The time of the oldest record. */
  readonly sinceMs: number;
}

/** The volume of a business in one mode since a given time. */
export interface Volume {
  readonly count: number;
  readonly totalMinor: bigint;
  readonly completed: number;
  /** Whether there are more transactions than were counted. */
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

/** A text for each subject; the text changes when the subject's data changes, and has no other meaning. */
export type ChangeMarks = Readonly<Record<ChangeSubject, string>>;
export type ChangeSubject = 'transactions' | 'ledger' | 'review' | 'proposals' | 'stops' | 'people' | 'rates';

export interface OperationsStore extends RecordSearch, PayoutReads {
  /** Kinds without waiting records are omitted. `stuckForMs`: the time after which a movement in progress counts as stuck. */
  waiting(mode: Mode, atMs: number, stuckForMs: number): Promise<readonly WaitingSum[]>;
  /** Vendor accounts that customers can pay to. */
  activeVendors(mode: Mode): Promise<number>;
  waitingSignUps(): Promise<{ readonly count: number; readonly sinceMs: number | null }>;
  /** Reads the last decision of matching about a credit; undefined if there is none. */
  lastMatch(creditId: string): Promise<Pick<MatchDecision, 'candidates' | 'verdict'> | undefined>;
  /** The newest first. */
  listCases(filter: CaseFilter): Promise<readonly CaseRecord[]>;
  /** The newest first. */
  listCaseGroups(mode: Mode | null): Promise<readonly CaseGroup[]>;
  findCase(id: string): Promise<CaseRecord | undefined>;
  /** Lists businesses by id, newest first, each with its volume in that mode since a given time. */
  listBusinesses(filter: {
    readonly mode: Mode;
    readonly sinceMs: number;
    readonly after: string | null;
    readonly limit: number;
  }): Promise<readonly BusinessRow[]>;
  findBusiness(id: string, mode: Mode, sinceMs: number): Promise<BusinessRow | undefined>;
  /** The names by id; ids of unknown businesses are omitted. */
  businessNames(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  marks(): Promise<ChangeMarks>;
}

// Cases in the lists of the operator's pages, with the name of the business and the outcome.

export interface CaseRecord {
  readonly id: string;
  readonly kind: CaseKind;
  readonly mode: Mode;
  readonly businessId: string | null;
  readonly businessName: string | null;
  readonly transactionId: string | null;
  readonly creditId: string | null;
  readonly movementId: string | null;
  /** The report, the difference, the credit or the deposit that the case is about. */
  readonly about: string | null;
  /** For a reconciliation case: the bank account, by its name in the ledger, and the day. */
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
