// What reviews need from the database besides the store: proposals, and all records that wait for a person. The store commits
// each decision together with the change that the decision allows.
import type { Case, ClosedCase, QuarantinedMessage } from '../domain/records/change.ts';
import type { BankCredit, CreditReport } from '../domain/records/credit.ts';
import type { Deposit } from '../domain/records/deposit.ts';
import type { MatchDecision } from '../domain/records/match-decision.ts';
import type { Attempt, Movement } from '../domain/records/movement.ts';
import type { NairaMove } from '../domain/records/naira-move.ts';
import type { BankNotice } from '../domain/records/notice.ts';
import type { Transaction } from '../domain/records/transaction.ts';
import type { FileCase } from '../domain/review/case-groups.ts';
import type { BankBook } from '../domain/review/naira-moves.ts';
import type { Proposal } from '../domain/review/proposal.ts';
import type { Mode } from '../domain/values/mode.ts';

export interface CreditInReview extends BankCredit {
  /** The candidates in the last decision of matching, the best candidate first. */
  readonly candidates: MatchDecision['candidates'];
}

export interface CaseInReview extends Case {
  readonly openedAtMs: number;
}

export interface StoredCase extends CaseInReview {
  /** The outcome of the case. Null if the case is open, or if an earlier version of the service closed it. */
  readonly outcome: ClosedCase['outcome'] | null;
  readonly closedAtMs: number | null;
}

/** A payout or a bank refund whose outcome has been unknown for longer than UNKNOWN_PAYOUT_HOURS, with all its attempts. */
export interface UnknownPayout extends Movement {
  readonly tried: readonly Pick<
    Attempt,
    'no' | 'rail' | 'reference' | 'state' | 'evidence' | 'atMs' | 'updatedAtMs'
  >[];
}

/** A line that the service could not parse, without its text, which may be long. */
export interface QuarantinedLine extends Omit<QuarantinedMessage, 'raw'> {
  readonly id: string;
  readonly atMs: number;
}

/** The records that wait for people, oldest first, at most `limit` of each kind. */
export interface ReviewQueue {
  readonly transactions: readonly Transaction[];
  readonly credits: readonly CreditInReview[];
  /** Final deposits that match no sell. */
  readonly deposits: readonly Deposit[];
  /** The refunds that failed finally, or that have no destination. */
  readonly refunds: readonly Movement[];
  readonly notices: readonly BankNotice[];
  /** Without the cases that are shown as the group of a statement file. */
  readonly cases: readonly CaseInReview[];
  /** These lines are sorted newest first. They are never deleted, so the oldest lines would hide the new lines. */
  readonly quarantined: readonly QuarantinedLine[];
}

/** Tokens that people booked as paid into a treasury. */
export interface FundingBalance {
  readonly mode: Mode;
  readonly asset: string;
  readonly leftMinor: bigint;
}

export interface ReviewStore {
  addProposal(proposal: Proposal): Promise<void>;
  findProposal(id: string): Promise<Proposal | undefined>;
  /** Oldest first. */
  listOpenProposals(mode?: Mode): Promise<readonly Proposal[]>;
  openProposalsOn(subjectId: string): Promise<readonly Proposal[]>;
  /** Without a mode, the queue contains the records of both modes. */
  listQueue(limit: number, mode?: Mode): Promise<ReviewQueue>;
  /**
   * Lists payouts whose outcome has been unknown for longer than UNKNOWN_PAYOUT_HOURS, oldest first. Without a mode, the list
   * contains both modes.
   */
  unknownPayouts(atMs: number, limit: number, mode?: Mode): Promise<readonly UnknownPayout[]>;
  /** Returns the open credits that point to this buy, or that fit this buy and other buys equally well. */
  creditsMeaning(transaction: Transaction): Promise<readonly BankCredit[]>;
  bankBooks(mode: Mode): Promise<readonly BankBook[]>;
  /** Finds the booked naira move with this id or this statement line; undefined if the move is not booked. */
  findNairaMove(move: NairaMove): Promise<string | undefined>;
  /** Returns the remaining amount of a treasury funding, after reversals; undefined if there is no such funding. */
  findFunding(id: string): Promise<FundingBalance | undefined>;
  /** Returns the tokens that were seen on a network and are not booked yet, because they are not final. */
  seenTokens(mode: Mode, network: string): Promise<bigint>;
  depositById(id: string): Promise<Deposit | undefined>;
  noticeById(id: string): Promise<BankNotice | undefined>;
  reportById(id: string): Promise<CreditReport | undefined>;
  caseById(id: string): Promise<StoredCase | undefined>;
  /** The open cases that the rows of a statement file opened, the oldest first. */
  openCasesOfFile(fileId: string, limit: number): Promise<readonly FileCase[]>;
  openCasesOn(movementIds: readonly string[]): Promise<readonly CaseInReview[]>;
}

export interface ProposalStore {
  kindOf(id: string): Promise<'review' | 'setting' | undefined>;
  /**
   * Withdraws a proposal. The result is false if the proposal was already decided or withdrawn, or if another person made it.
   */
  withdraw(id: string, author: string, reason: string, atMs: number): Promise<boolean>;
  /** Returns the names of people by id, and omits unknown people. */
  namesOf(personIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
}
