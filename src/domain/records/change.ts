// A change: everything one decision does, committed whole or not at all. Every record it moves carries the version it
// was decided on; when any of them has moved on, nothing of the change happens.
import type { Entry } from '../ledger/ledger.ts';
import type { StepUp } from '../people/people-needed.ts';
import type { Mode } from '../values/mode.ts';
import type { BankCredit, CreditReport, NewCredit } from './credit.ts';
import type { Deposit } from './deposit.ts';
import type { MatchDecision } from './match-decision.ts';
import type { Attempt, EndedSetUp, Movement, Replacement, SignedSetUp } from './movement.ts';
import type { NairaMove } from './naira-move.ts';
import type { BankNotice, NoticeKind } from './notice.ts';
import type { TransactionState } from './states.ts';
import type { Transaction } from './transaction.ts';

export interface TimelineEntry {
  readonly from: TransactionState;
  readonly to: TransactionState;
  readonly actor: string;
  readonly reason: string;
  readonly evidence: Readonly<Record<string, unknown>> | null;
}

/** A record as it will be, on the version it was decided on. */
export interface RecordMove<Subject extends { readonly version: number }> {
  readonly version: number;
  readonly after: Subject;
}

export interface TransactionMove extends RecordMove<Transaction> {
  /** The timeline line; null when only its bookkeeping changes (the next due time). */
  readonly line: TimelineEntry | null;
}

export interface Case {
  readonly id: string;
  readonly kind: CaseKind;
  readonly mode: Mode;
  readonly businessId: string | null;
  readonly transactionId: string | null;
  readonly creditId: string | null;
  /** The movement that came back: one comes back once. */
  readonly movementId?: string;
  /** The report, the difference, the credit or the deposit that it is about: one case of a kind for each. */
  readonly about?: string;
  readonly amountMinor: bigint;
}

/**
 * What no payout or credit of ours explains, what a rail no longer knows of, or what did not arrive whole: the books stand as they are
 * until people say.
 */
export const QUESTION_CASE_KINDS = [
  'report_left_over',
  'reports_disagree',
  'reconciliation_difference',
  'credit_not_found',
  'deposit_short',
] as const;
export type QuestionCaseKind = (typeof QUESTION_CASE_KINDS)[number];
export type CaseKind = NoticeKind | QuestionCaseKind;

/** The outcome of a case. The posting that ends it is in the same change. */
export interface ClosedCase {
  readonly id: string;
  readonly outcome:
    | 'recovered'
    | 'accepted'
    | 'paid_again'
    | 'sent_back'
    | 'written_off'
    | 'counted'
    | 'explained'
    /** The service ended the case: a later statement explains the difference. */
    | 'resolved';
  readonly closedBy: string;
}

export interface MatchRecord extends MatchDecision {
  readonly creditId: string;
  readonly version: number;
  /** Set when the credit now pays for it. */
  readonly transactionId: string | null;
  readonly actor: string;
}

/** Something received from outside that cannot be interpreted: kept as it came. */
export interface QuarantinedMessage {
  readonly mode: Mode;
  readonly source: string;
  readonly reason: string;
  readonly raw: string;
}

/**
 * What a decision took from balances that nothing else fences: it is judged again in the commit, on the balances as they are
 * then. These accounts together are not negative, debits positive, when the change is written: what the debit accounts hold
 * covers the credit accounts.
 */
export interface Condition {
  readonly notNegative: readonly string[];
}

/** The amounts that count against a business's limits from now on. */
export interface LimitUsage {
  readonly businessId: string;
  readonly mode: Mode;
  readonly period: string;
  readonly amountMinor: bigint;
  readonly limitMinor: bigint;
}

export interface Change {
  readonly atMs: number;
  readonly transactions?: readonly TransactionMove[];
  readonly credits?: readonly RecordMove<BankCredit>[];
  readonly deposits?: readonly RecordMove<Deposit>[];
  readonly movements?: readonly RecordMove<Movement>[];
  readonly notices?: readonly RecordMove<BankNotice>[];
  readonly reports?: readonly RecordMove<CreditReport>[];
  readonly newMovements?: readonly Movement[];
  readonly newCredits?: readonly NewCredit[];
  readonly newReports?: readonly CreditReport[];
  readonly newDeposits?: readonly Deposit[];
  readonly newNotices?: readonly BankNotice[];
  /** Written by movement and number: a new one, or the same one further on. */
  readonly attempts?: readonly Attempt[];
  /** Written once by reference and number. */
  readonly replacements?: readonly Replacement[];
  /** Each written once by its hash, and so is its end. */
  readonly setUps?: readonly SignedSetUp[];
  readonly setUpEnds?: readonly EndedSetUp[];
  readonly entries?: readonly Entry[];
  readonly conditions?: readonly Condition[];
  /** Written once by the line of the statement; only with the decision of two people. */
  readonly nairaMove?: NairaMove;
  readonly match?: MatchRecord;
  /** The matches of earlier credits that pay together with that one. */
  readonly partMatches?: readonly MatchRecord[];
  readonly quarantine?: QuarantinedMessage;
  readonly usage?: readonly LimitUsage[];
  readonly openCase?: Case;
  /** Each closes once: a case that is closed already makes the change stale. */
  readonly closeCases?: readonly ClosedCase[];
  readonly freeze?: { readonly businessId: string; readonly mode: Mode; readonly reason: string };
  /** A rail paid what it had refused: its refusals prove nothing until two people trust them again. */
  readonly doubt?: {
    readonly mode: Mode;
    readonly rail: string;
    readonly movementId: string;
    readonly atMs: number;
  };
  readonly decision?: {
    readonly proposalId: string;
    readonly proposedBy: string;
    readonly decidedBy: string;
    readonly approved: boolean;
    readonly reason: string;
    /** The second factor that an approval relies on. */
    readonly stepUp: StepUp | null;
  };
  /** Sends of an asset go on, and these findings about its treasury are accepted with the decision. */
  readonly resume?: {
    readonly mode: Mode;
    readonly asset: string;
    readonly accepted: readonly { readonly network: string; readonly txHash: string }[];
  };
  readonly idempotency?: {
    readonly businessId: string;
    readonly mode: Mode;
    readonly key: string;
    readonly requestHash: string;
    readonly transactionId: string;
  };
}

/** Every decision about a credit that is in a change. */
export function listMatches({ match, partMatches = [] }: Change): readonly MatchRecord[] {
  return match === undefined ? [] : [match, ...partMatches];
}

/** Merges several changes into one: all of them happen, or none. */
export function mergeChanges(changes: readonly Change[]): Change {
  const all = <Name extends MergedList>(name: Name) =>
    changes.flatMap((change) => (change[name] ?? []) as readonly unknown[]);
  const lists = MERGED_LISTS.flatMap((name) => {
    const items = all(name);
    return items.length === 0 ? [] : [[name, items]];
  });
  return { atMs: changes[0]!.atMs, ...Object.fromEntries(lists) };
}

/** The fields that a merged change may have. */
const MERGED_LISTS = [
  'transactions',
  'movements',
  'newMovements',
  'attempts',
  'entries',
  'conditions',
  'usage',
] as const;
type MergedList = (typeof MERGED_LISTS)[number];

/** The next version of a record. */
export function makeMove<Subject extends { readonly version: number }>(
  subject: Subject,
  updates: Partial<Subject>,
): RecordMove<Subject> {
  return { version: subject.version, after: { ...subject, ...updates, version: subject.version + 1 } };
}
