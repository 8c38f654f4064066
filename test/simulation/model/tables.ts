// Keeps all data of the database in maps. Snapshots share the records, which are immutable, but not the maps. The groups
// correspond to the database's indexes.
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
  /** The link tag of the business. If it is missing, the transaction's link tag is used. */
  readonly linkTag?: string;
}

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

export interface Accepted {
  readonly bodyHash: string;
  readonly keyId: string;
}

export interface BoundQuote {
  readonly quoteId: string;
  readonly requestHash: string;
}

export interface QuarantineRow extends QuarantinedLine, QuarantinedMessage {}

export type AttemptName = Pick<Attempt, 'movementId' | 'no'>;

export interface ModelEndedPayout extends EndedPayout {
  readonly dueAtMs: number;
}

/** The data that a simulation may read. `joined` joins keys with several parts. */
export interface Tables {
  readonly transactions: ReadonlyMap<string, Transaction>;
  readonly credits: ReadonlyMap<string, BankCredit>;
  readonly deposits: ReadonlyMap<string, Deposit>;
  readonly movements: ReadonlyMap<string, Movement>;
  readonly notices: ReadonlyMap<string, BankNotice>;
  readonly reports: ReadonlyMap<string, CreditReport>;
  /** The key is the mode and the bank account of the ledger. */
  readonly creditSources: ReadonlyMap<string, CreditSource>;
  /** The attempts of each movement, sorted by number. */
  readonly attempts: ReadonlyMap<string, readonly Attempt[]>;
  /** The key is the mode, network and reference; the values are sorted by number. */
  readonly replacements: ReadonlyMap<string, readonly Replacement[]>;
  /** Maps mode, network, hash and index to the attempt. */
  readonly hashes: ReadonlyMap<string, AttemptName>;
  /** The timeline lines of each transaction, without the line of its acceptance. */
  readonly timeline: ReadonlyMap<string, readonly WrittenLine[]>;
  readonly entries: readonly WrittenEntry[];
  /** The balance of each account. Debits are positive. */
  readonly accounts: ReadonlyMap<string, bigint>;
  /** The decisions about each credit, sorted by version. */
  readonly matches: ReadonlyMap<string, readonly MatchRecord[]>;
  readonly usage: ReadonlyMap<string, UsedLimit>;
  readonly feeds: ReadonlyMap<string, Feed>;
  readonly quarantine: readonly QuarantineRow[];
  /** Only the open cases. */
  readonly cases: ReadonlyMap<string, CaseInReview>;
  readonly closedCases: ReadonlyMap<string, StoredCase>;
  readonly endedPayouts: ReadonlyMap<string, ModelEndedPayout>;
  readonly freezes: ReadonlyMap<string, Freeze>;
  /** The key is the rail and the mode. */
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

export interface Memory {
  readonly transactions: Table<Transaction>;
  readonly credits: Table<BankCredit>;
  readonly deposits: Table<Deposit>;
  readonly movements: Table<Movement>;
  readonly notices: Table<BankNotice>;
  readonly reports: Table<CreditReport>;
  readonly creditSources: Map<string, CreditSource>;
  /** Maps mode and session key to the credit. */
  readonly sessions: Map<string, string>;
  readonly groups: Groups;
  readonly attempts: Map<string, readonly Attempt[]>;
  /** The key is the mode, network and reference; the values are sorted by number. */
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
  /** Maps the movement and the kind to the case. */
  readonly returns: Map<string, string>;
  /** The key is the movement and the number of the attempt. */
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
  /** Maps each decided proposal to the person who proposed it. */
  readonly decisions: Map<string, string>;
  readonly people: Set<string>;
  readonly stepUps: Map<string, ModelStepUp>;
  /** Maps each step-up that a decision relies on to the proposal. */
  readonly usedStepUps: Map<string, string>;
  /** Each address is joined from mode, network and address. */
  readonly depositAddresses: Set<string>;
  /** Maps each unique key to the id of its record. */
  readonly references: Map<string, string>;
  readonly sources: Map<string, string>;
  /**
   * `hashes` maps mode, network, hash and index to the attempt, and `sequences` maps mode, network, source and sequence to it.
   */
  readonly hashes: Map<string, AttemptName>;
  readonly sequences: Map<string, string>;
  /** The last number drawn for a quarantined line. Unused numbers are lost. */
  readonly drawn: { quarantine: number };
}

export interface Groups {
  readonly dueTransactions: Group<Transaction>;
  /** Buys that a credit may pay. The key is the vendor's account. */
  readonly claims: Group<Transaction>;
  readonly dueCredits: Group<BankCredit>;
  /** The key is the credited account. */
  readonly openCredits: Group<BankCredit>;
  readonly creditsOf: Group<BankCredit>;
  readonly parts: Group<BankCredit>;
  /** The key is the credited account and the amount. */
  readonly likeCredits: Group<BankCredit>;
  readonly dueReports: Group<CreditReport>;
  /** The key is the credit of the reports. */
  readonly reportsOf: Group<CreditReport>;
  readonly dueDeposits: Group<Deposit>;
  readonly depositsOf: Group<Deposit>;
  readonly dueMovements: Group<Movement>;
  /** Sends and payouts that can still succeed or have succeeded. There is at most one per transaction. */
  readonly alive: Group<Movement>;
  /** Returned payouts. */
  readonly returned: Group<Movement>;
  readonly refunds: Group<Movement>;
  readonly movementsOfCredit: Group<Movement>;
  readonly dueNotices: Group<BankNotice>;
  /** The key is the subject of the notices. */
  readonly openNotices: Group<BankNotice>;
}

export const DUE = 'due';

export function isAlive({ kind, state }: Movement): boolean {
  return kind !== 'refund' && state !== 'failed' && state !== 'returned';
}

export function joined(...parts: readonly (string | number | null)[]): string {
  return parts.join('\n');
}

export type Sync<Port> = {
  readonly [Verb in keyof Port]: Port[Verb] extends (...given: infer Given) => Promise<infer Answer>
    ? (...given: Given) => Answer
    : never;
};
