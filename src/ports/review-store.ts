// What reviews need of the database besides the store: proposals, and everything that waits for people. Decisions are
// not written here but with the change they allow, in the store's commit.
import type { Case, ClosedCase, QuarantinedMessage } from '../domain/records/change.ts';
import type { BankCredit, CreditReport } from '../domain/records/credit.ts';
import type { Deposit } from '../domain/records/deposit.ts';
import type { MatchDecision } from '../domain/records/match-decision.ts';
import type { Attempt, Movement } from '../domain/records/movement.ts';
import type { NairaMove } from '../domain/records/naira-move.ts';
import type { BankNotice } from '../domain/records/notice.ts';
import type { Transaction } from '../domain/records/transaction.ts';
import type { BankBook } from '../domain/review/naira-moves.ts';
import type { Proposal } from '../domain/review/proposal.ts';
import type { Mode } from '../domain/values/mode.ts';

export interface CreditInReview extends BankCredit {
  /** The candidates of the last decision of matching, best first. */
  readonly candidates: MatchDecision['candidates'];
}

export interface CaseInReview extends Case {
  readonly openedAtMs: number;
}

export interface StoredCase extends CaseInReview {
  /** The outcome; null while it is open, and for a case that an earlier version closed. */
  readonly outcome: ClosedCase['outcome'] | null;
  readonly closedAtMs: number | null;
}

/** A payout or a refund by bank whose outcome is not known for too long, with every attempt at it. */
export interface UnknownPayout extends Movement {
  readonly tried: readonly Pick<
    Attempt,
    'no' | 'rail' | 'reference' | 'state' | 'evidence' | 'atMs' | 'updatedAtMs'
  >[];
}

/** Something received from outside that cannot be interpreted, without its text, which may be long. */
export interface QuarantinedLine extends Omit<QuarantinedMessage, 'raw'> {
  readonly id: string;
  readonly atMs: number;
}

/** The records that wait for people, oldest first, at most as many of each kind as asked for. */
export interface ReviewQueue {
  readonly transactions: readonly Transaction[];
  readonly credits: readonly CreditInReview[];
  /** Final tokens that pay for nothing. */
  readonly deposits: readonly Deposit[];
  /** Refunds that failed for good, or that have no destination. */
  readonly refunds: readonly Movement[];
  readonly notices: readonly BankNotice[];
  readonly cases: readonly CaseInReview[];
  /** The newest first: they are kept, so the oldest would hide what is new. */
  readonly quarantined: readonly QuarantinedLine[];
}

/** Tokens of a treasury that people booked. */
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
  /** Both modes when none is given. */
  listQueue(limit: number, mode?: Mode): Promise<ReviewQueue>;
  /** Oldest first. How long is too long is a setting (UNKNOWN_PAYOUT_HOURS). Both modes when none is given. */
  unknownPayouts(atMs: number, limit: number, mode?: Mode): Promise<readonly UnknownPayout[]>;
  /** Open credits that point to the buy, or that matching found equal to it and others. */
  creditsMeaning(transaction: Transaction): Promise<readonly BankCredit[]>;
  /** Lists our bank accounts in the books. */
  bankBooks(mode: Mode): Promise<readonly BankBook[]>;
  /** The id of the move that has this id, or this line of a statement; undefined: it is not booked. */
  findNairaMove(move: NairaMove): Promise<string | undefined>;
  /** The rest of a funding of a treasury, after reversals; undefined: there is no such funding. */
  findFunding(id: string): Promise<FundingBalance | undefined>;
  /** Tokens that were seen on a network and are in no book yet, because they are not final. */
  seenTokens(mode: Mode, network: string): Promise<bigint>;
  depositById(id: string): Promise<Deposit | undefined>;
  noticeById(id: string): Promise<BankNotice | undefined>;
  reportById(id: string): Promise<CreditReport | undefined>;
  caseById(id: string): Promise<StoredCase | undefined>;
  /** Open cases about these payouts or refunds. */
  openCasesOn(movementIds: readonly string[]): Promise<readonly CaseInReview[]>;
}

/** The common part of all proposals. */
export interface ProposalStore {
  /** Finds a proposal; undefined: there is none. */
  kindOf(id: string): Promise<'review' | 'setting' | undefined>;
  /** Withdraws a proposal; false: it was decided or withdrawn before, or another person proposed it. */
  withdraw(id: string, author: string, reason: string, atMs: number): Promise<boolean>;
  /** The names of people, by id; people that the database does not know are left out. */
  namesOf(personIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
}
