// A rail is a bank connection that makes payouts, reports received money, or both. The service queries, repeats and resolves an
// attempt only on the rail of the attempt. Every adapter passes test/contract/bank/suite.ts.
import type { ApprovalRequest } from '../../domain/rails/approval-request.ts';
import type { RailTerms } from '../../domain/rails/terms.ts';
import type { ListedPayment } from '../../domain/rails/unexplained-payments.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { RailEvents } from './rail-events.ts';
import type { RailPayouts } from './rail-payouts.ts';
import type { RailStatement } from './rail-statement.ts';

// Some rails ask for approval before they pay. Only the adapter of such a rail knows the signature and the format of the
// request. app/rails/validate-payout.ts decides which orders may be paid.

export interface RailQuestion {
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly address: string;
  /** The last part of the path; null if the path has no such part. */
  readonly pathKey: string | null;
}

export type ParsedRailQuestion =
  /** The request is not proven to come from the rail. */
  | { readonly kind: 'forged' }
  /** The request is authentic, but its format is unknown. `why` completes the sentence "The question …". */
  | { readonly kind: 'unreadable'; readonly why: string }
  /** The request is authentic, but concerns an account from which this rail does not pay. */
  | { readonly kind: 'other_account' }
  /** The orders of one request: a single order, or a batch that must be approved or refused as a whole. */
  | { readonly kind: 'asked'; readonly orders: readonly ApprovalRequest[] };

export interface PayoutValidation {
  /** The service receives the requests at POST /rails/{place}/validation. */
  readonly place: string;
  read(question: RailQuestion): ParsedRailQuestion;
  answer(approved: boolean): unknown;
}

/**
 * A rail's own list of the payments from our account, no matter who ordered them. The service only compares this list with our
 * payouts. To learn the outcome of a payout, it queries the rail by the reference of the payout (rail-payouts.ts).
 */
export interface RailPayoutList {
  /** Reads all payments of the period, in any order. It throws if the list cannot be read now. */
  read(fromMs: number, untilMs: number): Promise<readonly ListedPayment[]>;
}

export interface RailPace {
  /** The interval between two reads of the statement, after a read that was empty or failed. */
  readonly readEveryMs: number;
  /** The time between a payout and the first query of its outcome. This time doubles with every further query. */
  readonly askAfterMs: number;
}

export interface RailAccount {
  readonly bankCode: string;
  readonly number: string;
}

export interface Rail {
  /**
   * The name of the rail, unique within a mode. The name is stored with every attempt, credit and notice, so another rail must
   * never get this name.
   */
  readonly name: string;
  readonly pace: RailPace;
  readonly terms: RailTerms;
  /**
   * The account from which the rail pays. It has its own ledger account. Null only for the simulated bank, whose account has no
   * name.
   */
  readonly account: RailAccount | null;
  /** The payout functions; null if the rail makes no payouts. */
  readonly payouts: RailPayouts | null;
  /**
   * Missing if the rail has no list of its payments. The service then compares the statement of the rail's account with our
   * payouts.
   */
  readonly payoutList?: RailPayoutList;
  /** The statement; null if the rail reports no credits. */
  readonly statement: RailStatement | null;
  /**
   * Returns the reason why the rail is unhealthy although it responds, according to recent calls of this process. Null if the
   * rail is healthy. Missing if this rail does not monitor itself in this way.
   */
  whySilent?(): string | null;
  /** Missing if the rail does not ask for approval before it pays. */
  readonly validation?: PayoutValidation;
  /** Missing if the rail sends no events. */
  readonly events?: RailEvents;
}

export type PayingRail = Rail & { readonly payouts: RailPayouts };
export type ReportingRail = Rail & { readonly statement: RailStatement };
export type EventSendingRail = Rail & { readonly events: RailEvents };

export interface RailRegistry {
  /** Undefined if no rail of that name is configured in this mode. */
  find(mode: Mode, rail: string): Rail | undefined;
  /** Returns the rails of a mode, in order of preference. */
  enabled(mode: Mode): readonly Rail[];
}
