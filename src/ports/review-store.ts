// What reviews need from the database besides the store: proposals, and all records that wait for a person. Decisions are not
// written here: the store commits them together with the change that they allow.
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
  /** The candidates in the last decision of matching, best first. */
  readonly candidates: MatchDecision['candidates'];
}

export interface CaseInReview extends Case {
  readonly openedAtMs: number;
}

export interface StoredCase extends CaseInReview {
  /** The outcome; null if the case is open, or if an earlier version of the service closed it. */
  readonly outcome: ClosedCase['outcome'] | null;
  readonly closedAtMs: number | null;
}

/** A payout or a bank refund whose outcome has been unknown for too long, with all its attempts. */
export interface UnknownPayout extends Movement {
  readonly tried: readonly Pick<
    Attempt,
    'no' | 'rail' | 'reference' | 'state' | 'evidence' | 'atMs' | 'updatedAtMs'
  >[];
}

/** Received data that cannot be interpreted, without its text, which may be long. */
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
  /** Refunds that failed finally, or that have no destination. */
  readonly refunds: readonly Movement[];
  readonly notices: readonly BankNotice[];
  /** Without the cases that are shown as the group of a statement file. */
  readonly cases: readonly CaseInReview[];
  /** Newest first: these lines are never deleted, so the oldest ones would hide the new ones. */
  readonly quarantined: readonly QuarantinedLine[];
}

/** Tokens that people booked to a treasury. */
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
  /** Without a mode, returns both modes. */
  listQueue(limit: number, mode?: Mode): Promise<ReviewQueue>;
  /** Oldest first. UNKNOWN_PAYOUT_HOURS defines how long is too long. Without a mode, returns both modes. */
  unknownPayouts(atMs: number, limit: number, mode?: Mode): Promise<readonly UnknownPayout[]>;
  /** Open credits that point to this buy, or that fit this buy and others equally well. */
  creditsMeaning(transaction: Transaction): Promise<readonly BankCredit[]>;
  /** Lists our bank accounts with their balances in the books. */
  bankBooks(mode: Mode): Promise<readonly BankBook[]>;
  /** The id of the booked move with this id or this statement line; undefined if it is not booked. */
  findNairaMove(move: NairaMove): Promise<string | undefined>;
  /** The remaining amount of a treasury funding, after reversals; undefined if there is no such funding. */
  findFunding(id: string): Promise<FundingBalance | undefined>;
  /** Tokens that were seen on a network and are not booked yet, because they are not final. */
  seenTokens(mode: Mode, network: string): Promise<bigint>;
  depositById(id: string): Promise<Deposit | undefined>;
  noticeById(id: string): Promise<BankNotice | undefined>;
  reportById(id: string): Promise<CreditReport | undefined>;
  caseById(id: string): Promise<StoredCase | undefined>;
  /** The open cases that the rows of a statement file opened, the oldest first. */
  openCasesOfFile(fileId: string, limit: number): Promise<readonly FileCase[]>;
  /** Open cases about these payouts or refunds. */
  openCasesOn(movementIds: readonly string[]): Promise<readonly CaseInReview[]>;
}

/** The functions that all kinds of proposals share. */
export interface ProposalStore {
  /** The kind of a proposal; undefined if there is no such proposal. */
  kindOf(id: string): Promise<'review' | 'setting' | undefined>;
  /** Withdraws a proposal; false if it was already decided or withdrawn, or if another person proposed it. */
  withdraw(id: string, author: string, reason: string, atMs: number): Promise<boolean>;
  /** The names of people, by id; unknown people are omitted. */
  namesOf(personIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
}
