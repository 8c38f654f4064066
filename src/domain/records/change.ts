// A change contains all effects of one decision, and is committed completely or not at all. Every record in it has the version
// that the decision was based on. If any record has a newer version, nothing is written.
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

export interface RecordMove<Subject extends { readonly version: number }> {
  readonly version: number;
  readonly after: Subject;
}

export interface TransactionMove extends RecordMove<Transaction> {
  /** The line of the timeline. Null: only technical fields change, such as the next due time. */
  readonly line: TimelineEntry | null;
}

export interface Case {
  readonly id: string;
  readonly kind: CaseKind;
  readonly mode: Mode;
  readonly businessId: string | null;
  readonly transactionId: string | null;
  readonly creditId: string | null;
  /** The id of the movement that was returned. A movement is returned at most once. */
  readonly movementId?: string;
  /**
   * The id of the report, difference, credit or deposit that the case is about. Each of them has at most one case of a kind.
   */
  readonly about?: string;
  readonly amountMinor: bigint;
}

/**
 * Cases that do not change the books until people decide. They are about a payment or report that none of our payouts or
 * credits explains. They are also about a credit that a rail no longer knows, or a deposit that did not arrive in full.
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

/** How a case was closed. The posting that closes the case is in the same change. */
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
    /** The service closed the case, because a later statement explains the difference. */
    | 'resolved';
  readonly closedBy: string;
}

export interface MatchRecord extends MatchDecision {
  readonly creditId: string;
  readonly version: number;
  /** The transaction that the credit now pays. Null: the credit pays none. */
  readonly transactionId: string | null;
  readonly actor: string;
}

export interface QuarantinedMessage {
  readonly mode: Mode;
  readonly source: string;
  readonly reason: string;
  readonly raw: string;
}

/**
 * A condition on balances, which have no version that protects them. The commit checks it again with the balances at that time.
 * The sum of these accounts must not be negative. Debits are positive, so the debit accounts must cover the credit accounts.
 */
export interface Condition {
  readonly notNegative: readonly string[];
}

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
  /** Attempts that are new or updated. Each attempt is identified by its movement and its number. */
  readonly attempts?: readonly Attempt[];
  /** Each replacement is written once, and is identified by its reference and number. */
  readonly replacements?: readonly Replacement[];
  /** Each set-up transaction is written once, and is identified by its hash. Its end is also written once. */
  readonly setUps?: readonly SignedSetUp[];
  readonly setUpEnds?: readonly EndedSetUp[];
  readonly entries?: readonly Entry[];
  readonly conditions?: readonly Condition[];
  /** A naira move is written once for each statement line, and only with the decision of two people. */
  readonly nairaMove?: NairaMove;
  readonly match?: MatchRecord;
  /** The matches of earlier credits that pay the transaction together with this credit. */
  readonly partMatches?: readonly MatchRecord[];
  readonly quarantine?: QuarantinedMessage;
  readonly usage?: readonly LimitUsage[];
  readonly openCase?: Case;
  /** The cases that the change closes. A case is closed only once. If a case is already closed, the change is stale. */
  readonly closeCases?: readonly ClosedCase[];
  readonly freeze?: { readonly businessId: string; readonly mode: Mode; readonly reason: string };
  /** A rail paid a payout that it had refused. Its refusals prove nothing until two people trust the rail again. */
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
    readonly stepUp: StepUp | null;
  };
  /** Resumes the sends of an asset. The same decision accepts these findings about the treasury of the asset. */
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

export function listMatches({ match, partMatches = [] }: Change): readonly MatchRecord[] {
  return match === undefined ? [] : [match, ...partMatches];
}

/** Merges several changes into one. Either all of them are written, or none. */
export function mergeChanges(changes: readonly Change[]): Change {
  const all = <Name extends MergedList>(name: Name) =>
    changes.flatMap((change) => (change[name] ?? []) as readonly unknown[]);
  const lists = MERGED_LISTS.flatMap((name) => {
    const items = all(name);
    return items.length === 0 ? [] : [[name, items]];
  });
  return { atMs: changes[0]!.atMs, ...Object.fromEntries(lists) };
}

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

export function makeMove<Subject extends { readonly version: number }>(
  subject: Subject,
  updates: Partial<Subject>,
): RecordMove<Subject> {
  return { version: subject.version, after: { ...subject, ...updates, version: subject.version + 1 } };
}
