// A rail is a bank connection that makes payouts, reports received money, or both. An attempt on a rail is queried, repeated and
// resolved only on that rail. Every adapter passes test/contract/bank/suite.ts.
import type { ApprovalRequest } from '../../domain/rails/approval-request.ts';
import type { RailTerms } from '../../domain/rails/terms.ts';
import type { ListedPayment } from '../../domain/rails/unexplained-payments.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { RailEvents } from './rail-events.ts';
import type { RailPayouts } from './rail-payouts.ts';
import type { RailStatement } from './rail-statement.ts';

// A rail that asks for approval before it pays. Only its adapter knows the signature and the format of the request;
// app/rails/validate-payout.ts decides which orders may be paid.

/** One approval request of a rail, as received. */
export interface RailQuestion {
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The caller's address. */
  readonly address: string;
  /** The last part of the path; null: there is none. */
  readonly pathKey: string | null;
}

export type ParsedRailQuestion =
  /** The request is not proven to come from the rail. */
  | { readonly kind: 'forged' }
  /** The request is authentic, but has an unknown format. `why` ends the sentence "The question …". */
  | { readonly kind: 'unreadable'; readonly why: string }
  /** The request is authentic, but concerns an account that this rail does not pay from. */
  | { readonly kind: 'other_account' }
  /** The orders of one request: a single order, or a batch that is approved as a whole or not at all. */
  | { readonly kind: 'asked'; readonly orders: readonly ApprovalRequest[] };

export interface PayoutValidation {
  /** The last part of the path that receives the requests: POST /rails/{place}/validation. */
  readonly place: string;
  read(question: RailQuestion): ParsedRailQuestion;
  /** The body of the response. */
  answer(approved: boolean): unknown;
}

/**
 * A rail's own list of the payments from our account, whoever ordered them. It is only compared with our payouts: the
 * outcome of a payout is queried by its reference (rail-payouts.ts).
 */
export interface RailPayoutList {
  /** All payments made in the period, in any order. Throws if the list cannot be read now. */
  read(fromMs: number, untilMs: number): Promise<readonly ListedPayment[]>;
}

/** The intervals between calls to a rail. */
export interface RailPace {
  /** The interval between two readings of the statement, after a reading that was empty or failed. */
  readonly readEveryMs: number;
  /** The wait after a payout before its outcome is first queried; the wait doubles with every further query. */
  readonly askAfterMs: number;
}

/** A bank account of ours. */
export interface RailAccount {
  readonly bankCode: string;
  readonly number: string;
}

export interface Rail {
  /** Unique within a mode. It is stored with every attempt, credit and notice, so another rail never gets this name. */
  readonly name: string;
  readonly pace: RailPace;
  readonly terms: RailTerms;
  /** The account it pays from, which has its own ledger account. Null: only the simulated bank, whose account has no name. */
  readonly account: RailAccount | null;
  /** The payout functions; null: the rail makes no payouts. */
  readonly payouts: RailPayouts | null;
  /** Missing: the rail has no such list, and the statement of its account is compared instead. */
  readonly payoutList?: RailPayoutList;
  /** The statement; null: the rail reports nothing. */
  readonly statement: RailStatement | null;
  /**
   * Why the rail is unhealthy although it answers, from what this process has seen recently; null: it is not. Missing:
   * this is not monitored.
   */
  whySilent?(): string | null;
  /** Missing: the rail does not ask for approval before it pays. */
  readonly validation?: PayoutValidation;
  /** Missing: the rail sends no events. */
  readonly events?: RailEvents;
}

export type PayingRail = Rail & { readonly payouts: RailPayouts };
export type ReportingRail = Rail & { readonly statement: RailStatement };
export type EventSendingRail = Rail & { readonly events: RailEvents };

export interface RailRegistry {
  /** Finds a rail; undefined: no rail of that name is configured in this mode. */
  find(mode: Mode, rail: string): Rail | undefined;
  /** The rails of a mode, the preferred ones first. */
  enabled(mode: Mode): readonly Rail[];
}
