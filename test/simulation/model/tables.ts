// All data of the database, in maps. Records are immutable and shared between snapshots; the maps are not. The groups correspond
// to the database's indexes.
import type { LedgerEvent, Posting } from '../../../src/domain/ledger/ledger.ts';
import type { Quote } from '../../../src/domain/quotes/quote.ts';
import type { Change, MatchRecord, QuarantinedMessage } from '../../../src/domain/records/change.ts';
import type { BankCredit, CreditReport, CreditSource } from '../../../src/domain/records/credit.ts';
import type { Deposit } from '../../../src/domain/records/deposit.ts';
import type { Attempt, Movement, Replacement } from '../../../src/domain/records/movement.ts';
import type { NairaMove } from '../../../src/domain/records/naira-move.ts';
import type { BankNotice } from '../../../src/domain/records/notice.ts';
import type { TransactionState } from '../../../src/domain/records/states.ts';
import type { Transaction } from '../../../src/domain/records/transaction.ts';
import type { Proposal } from '../../../src/domain/review/proposal.ts';
import type { Mode } from '../../../src/domain/values/mode.ts';
import type { CaseInReview, QuarantinedLine, StoredCase } from '../../../src/ports/review-store.ts';
import type { TimelineLine } from '../../../src/ports/store/reads.ts';
import type { EndedPayout } from '../../../src/ports/store/store.ts';
import type { Group, Table } from './table.ts';

export interface ModelKey {
  readonly id: string;
  readonly businessId: string;
  readonly mode: Mode;
  /** The business's; without it, what the transaction says. */
  readonly linkTag?: string;
}

/** A person's second factor for one proposal. */
export interface ModelStepUp {
  readonly id: string;
  readonly personId: string;
  readonly subjectId: string;
  readonly atMs: number;
}

export interface WrittenEntry {
  readonly event: LedgerEvent;
  readonly subjectId: string;
  readonly mode: Mode;
  readonly atMs: number;
  readonly postings: readonly Posting[];
}

/** A line of the timeline as it is read: with the version it made. */
export interface WrittenLine extends TimelineLine {
  readonly version: number;
  readonly from: TransactionState;
}

export interface UsedLimit {
  readonly businessId: string;
  readonly mode: Mode;
  readonly period: string;
  readonly usedMinor: bigint;
  readonly limitMinor: bigint;
}

export interface Feed {
  readonly name: string;
  readonly position: string | null;
  readonly holder: string;
  readonly heldUntilMs: number;
  readonly fence: number;
}

export interface Freeze {
  readonly businessId: string;
  readonly mode: Mode;
  readonly reason: string;
  readonly atMs: number;
}

export interface BoundKey {
  readonly businessId: string;
  readonly mode: Mode;
  readonly key: string;
  readonly requestHash: string;
  readonly transactionId: string;
  readonly createdAtMs: number;
}

/** What the acceptance stored besides the transaction. */
export interface Accepted {
  readonly bodyHash: string;
  readonly keyId: string;
}

/** The quote of an Idempotency-Key. */
export interface BoundQuote {
  readonly quoteId: string;
  readonly requestHash: string;
}

export interface QuarantineRow extends QuarantinedLine, QuarantinedMessage {}

/** Which attempt of which movement. */
export type AttemptName = Pick<Attempt, 'movementId' | 'no'>;

export interface ModelEndedPayout extends EndedPayout {
  readonly dueAtMs: number;
}

/** What a simulation may read. Keys of several parts are joined by `joined`. */
export interface Tables {
  readonly transactions: ReadonlyMap<string, Transaction>;
  readonly credits: ReadonlyMap<string, BankCredit>;
  readonly deposits: ReadonlyMap<string, Deposit>;
  readonly movements: ReadonlyMap<string, Movement>;
  readonly notices: ReadonlyMap<string, BankNotice>;
  readonly reports: ReadonlyMap<string, CreditReport>;
  /** By mode and bank account of the ledger. */
  readonly creditSources: ReadonlyMap<string, CreditSource>;
  /** By movement, in the order of their numbers. */
  readonly attempts: ReadonlyMap<string, readonly Attempt[]>;
  /** By mode, network and reference, in the order of their numbers. */
  readonly replacements: ReadonlyMap<string, readonly Replacement[]>;
  /** Mode, network, hash and index, to the attempt that has them. */
  readonly hashes: ReadonlyMap<string, AttemptName>;
  /** By transaction, without the acceptance. */
  readonly timeline: ReadonlyMap<string, readonly WrittenLine[]>;
  readonly entries: readonly WrittenEntry[];
  /** By account key, debits positive. */
  readonly accounts: ReadonlyMap<string, bigint>;
  /** By credit, in the order of their versions. */
  readonly matches: ReadonlyMap<string, readonly MatchRecord[]>;
  readonly usage: ReadonlyMap<string, UsedLimit>;
  readonly feeds: ReadonlyMap<string, Feed>;
  readonly quarantine: readonly QuarantineRow[];
  /** The open ones. */
  readonly cases: ReadonlyMap<string, CaseInReview>;
  readonly closedCases: ReadonlyMap<string, StoredCase>;
  readonly endedPayouts: ReadonlyMap<string, ModelEndedPayout>;
  readonly freezes: ReadonlyMap<string, Freeze>;
  /** By rail and mode. */
  readonly doubts: ReadonlyMap<string, NonNullable<Change['doubt']>>;
  readonly nairaMoves: ReadonlyMap<string, NairaMove>;
  readonly proposals: ReadonlyMap<string, Proposal>;
  readonly stepUps: ReadonlyMap<string, ModelStepUp>;
  readonly idempotencyKeys: ReadonlyMap<string, BoundKey>;
  /** By transaction. */
  readonly accepted: ReadonlyMap<string, Accepted>;
  readonly quotes: ReadonlyMap<string, Quote>;
  /** Maps mode, network, address and memo to the sell. */
  readonly depositTargets: ReadonlyMap<string, string>;
  readonly keys: ReadonlyMap<string, ModelKey>;
}

/** The same, to be written. */
export interface Memory {
  readonly transactions: Table<Transaction>;
  readonly credits: Table<BankCredit>;
  readonly deposits: Table<Deposit>;
  readonly movements: Table<Movement>;
  readonly notices: Table<BankNotice>;
  readonly reports: Table<CreditReport>;
  readonly creditSources: Map<string, CreditSource>;
  /** By mode and session key, the credit. */
  readonly sessions: Map<string, string>;
  readonly groups: Groups;
  readonly attempts: Map<string, readonly Attempt[]>;
  /** By mode, network and reference, in the order of their numbers. */
  readonly replacements: Map<string, readonly Replacement[]>;
  readonly replacedHashes: Map<string, string>;
  readonly timeline: Map<string, readonly WrittenLine[]>;
  readonly entries: WrittenEntry[];
  readonly accounts: Map<string, bigint>;
  readonly matches: Map<string, readonly MatchRecord[]>;
  readonly usage: Map<string, UsedLimit>;
  readonly feeds: Map<string, Feed>;
  readonly quarantine: QuarantineRow[];
  readonly cases: Map<string, CaseInReview>;
  readonly closedCases: Map<string, StoredCase>;
  /** By the movement and the kind, the case. */
  readonly returns: Map<string, string>;
  /** By movement and number of the attempt. */
  readonly endedPayouts: Map<string, ModelEndedPayout>;
  readonly freezes: Map<string, Freeze>;
  readonly doubts: Map<string, NonNullable<Change['doubt']>>;
  readonly nairaMoves: Map<string, NairaMove>;
  readonly proposals: Map<string, Proposal>;
  readonly idempotencyKeys: Map<string, BoundKey>;
  readonly accepted: Map<string, Accepted>;
  readonly quotes: Map<string, Quote>;
  readonly quoteKeys: Map<string, BoundQuote>;
  readonly depositTargets: Map<string, string>;
  readonly keys: Map<string, ModelKey>;
  /** The proposer of each decided proposal. */
  readonly decisions: Map<string, string>;
  readonly people: Set<string>;
  readonly stepUps: Map<string, ModelStepUp>;
  /** The step-ups that decisions rely on, to the proposal. */
  readonly usedStepUps: Map<string, string>;
  /** Mode, network and address. */
  readonly depositAddresses: Set<string>;
  /** Unique keys, to the id that has them. */
  readonly references: Map<string, string>;
  readonly sources: Map<string, string>;
  /** Mode, network, hash and index, or mode, network, source and sequence, to the attempt that has them. */
  readonly hashes: Map<string, AttemptName>;
  readonly sequences: Map<string, string>;
  /** The last number drawn for a quarantined line; unused numbers are lost. */
  readonly drawn: { quarantine: number };
}

export interface Groups {
  /** By state, as the claim asks for them. */
  readonly dueTransactions: Group<Transaction>;
  /** Buys that a credit may pay, by the vendor's account. */
  readonly claims: Group<Transaction>;
  readonly dueCredits: Group<BankCredit>;
  /** By the account credited. */
  readonly openCredits: Group<BankCredit>;
  readonly creditsOf: Group<BankCredit>;
  readonly parts: Group<BankCredit>;
  /** By the account credited and the amount. */
  readonly likeCredits: Group<BankCredit>;
  readonly dueReports: Group<CreditReport>;
  /** By their credit. */
  readonly reportsOf: Group<CreditReport>;
  readonly dueDeposits: Group<Deposit>;
  readonly depositsOf: Group<Deposit>;
  readonly dueMovements: Group<Movement>;
  /** Possible or finished sends and payouts; at most one per transaction. */
  readonly alive: Group<Movement>;
  /** Returned payouts. */
  readonly returned: Group<Movement>;
  readonly refunds: Group<Movement>;
  readonly movementsOfCredit: Group<Movement>;
  readonly dueNotices: Group<BankNotice>;
  /** By their subject. */
  readonly openNotices: Group<BankNotice>;
}

export const DUE = 'due';

export function isAlive({ kind, state }: Movement): boolean {
  return kind !== 'refund' && state !== 'failed' && state !== 'returned';
}

/** The key of several parts. */
export function joined(...parts: readonly (string | number | null)[]): string {
  return parts.join('\n');
}

/** The verbs of a port, synchronous. */
export type Sync<Port> = {
  readonly [Verb in keyof Port]: Port[Verb] extends (...given: infer Given) => Promise<infer Answer>
    ? (...given: Given) => Answer
    : never;
};
