// A rail is a bank connection that makes payouts, reports received money, or both. An attempt on a rail is queried, repeated and
// resolved only on the same rail. Every adapter passes test/contract/bank/suite.ts.
import type { ApprovalRequest } from '../../domain/rails/approval-request.ts';
import type { RailTerms } from '../../domain/rails/terms.ts';
import type { ListedPayment } from '../../domain/rails/unexplained-payments.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { RailEvents } from './rail-events.ts';
import type { RailPayouts } from './rail-payouts.ts';
import type { RailStatement } from './rail-statement.ts';

// A rail that asks for approval before it pays. Only the adapter of the rail knows the signature and the format of the request;
// app/rails/validate-payout.ts decides which orders may be paid.

/** One approval request of a rail, as received. */
export interface RailQuestion {
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The caller's address. */
  readonly address: string;
  /** The last part of the path; null if there is none. */
  readonly pathKey: string | null;
}

export type ParsedRailQuestion =
  /** The request is not proven to come from the rail. */
  | { readonly kind: 'forged' }
  /** The request is authentic, but has an unknown format. `why` completes the sentence "The question …". */
  | { readonly kind: 'unreadable'; readonly why: string }
  /** The request is authentic, but concerns an account that this rail does not pay from. */
  | { readonly kind: 'other_account' }
  /** The orders of one request: a single order, or a batch that must be approved or refused as a whole. */
  | { readonly kind: 'asked'; readonly orders: readonly ApprovalRequest[] };

export interface PayoutValidation {
  /** The `place` part of the path that receives the requests: POST /rails/{place}/validation. */
  readonly place: string;
  read(question: RailQuestion): ParsedRailQuestion;
  /** The body of the response. */
  answer(approved: boolean): unknown;
}

/**
 * A rail's own list of the payments from our account, no matter who ordered them. The list is only compared with our payouts: to
 * learn the outcome of a payout, the rail is queried by its reference (rail-payouts.ts).
 */
export interface RailPayoutList {
  /** All payments made in the period, in any order. Throws if the list cannot be read now. */
  read(fromMs: number, untilMs: number): Promise<readonly ListedPayment[]>;
}

/** The intervals between calls to a rail. */
export interface RailPace {
  /** The interval between two reads of the statement, after a read that was empty or failed. */
  readonly readEveryMs: number;
  /** The wait after a payout before its outcome is first queried; the wait doubles with every further query. */
  readonly askAfterMs: number;
}

/** One of our bank accounts. */
export interface RailAccount {
  readonly bankCode: string;
  readonly number: string;
}

export interface Rail {
  /** Unique within a mode. The name is stored with every attempt, credit and notice, so another rail must never get this name. */
  readonly name: string;
  readonly pace: RailPace;
  readonly terms: RailTerms;
  /**
   * The account that the rail pays from; it has a separate ledger account. Null only for the simulated bank, whose account has no
   * name.
   */
  readonly account: RailAccount | null;
  /** The payout functions; null if the rail makes no payouts. */
  readonly payouts: RailPayouts | null;
  /** Missing if the rail has no such list; the statement of its account is compared instead. */
  readonly payoutList?: RailPayoutList;
  /** The statement; null if the rail reports nothing. */
  readonly statement: RailStatement | null;
  /**
   * The reason why the rail is unhealthy although it responds, based on what this process has seen recently; null if there is
   * none. Missing if this is not monitored.
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
  /** Finds a rail; undefined if no rail of that name is configured in this mode. */
  find(mode: Mode, rail: string): Rail | undefined;
  /** The rails of a mode, in order of preference. */
  enabled(mode: Mode): readonly Rail[];
}
