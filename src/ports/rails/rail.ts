// A rail is a bank connection that makes payouts, reports what comes in, or both. An attempt made on a rail is asked
// about, repeated and resolved on that rail alone. Every adapter passes test/contract/bank/suite.ts.
import type { ApprovalRequest } from '../../domain/rails/approval-request.ts';
import type { RailTerms } from '../../domain/rails/terms.ts';
import type { ListedPayment } from '../../domain/rails/unexplained-payments.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { RailEvents } from './rail-events.ts';
import type { RailPayouts } from './rail-payouts.ts';
import type { RailStatement } from './rail-statement.ts';

// A rail that asks before it pays. Only its adapter knows how the question is signed and written; who may be paid is decided in
// app/rails/validate-payout.ts.

/** One question of a rail, as received. */
export interface RailQuestion {
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The caller's address. */
  readonly address: string;
  /** The last part of the path; null: it has none. */
  readonly pathKey: string | null;
}

export type ParsedRailQuestion =
  /** The question is not proven to come from the rail. */
  | { readonly kind: 'forged' }
  /** Proven, and not in the form that we know. `why` ends the sentence "The question …". */
  | { readonly kind: 'unreadable'; readonly why: string }
  /** Proven, and about an account that this rail does not pay from. */
  | { readonly kind: 'other_account' }
  /** The orders of one question: a single one, or a batch that is approved together or not at all. */
  | { readonly kind: 'asked'; readonly orders: readonly ApprovalRequest[] };

export interface PayoutValidation {
  /** The last part of the path that receives the questions: POST /rails/{place}/validation. */
  readonly place: string;
  read(question: RailQuestion): ParsedRailQuestion;
  /** The body of the answer. */
  answer(approved: boolean): unknown;
}

/**
 * A rail's own list of what it paid out from our account, whoever ordered it. It is only compared with our
 * payouts: what became of a payout is asked by its reference (rail-payouts.ts).
 */
export interface RailPayoutList {
  /** Everything that was made from one time to another, in any order. Throws when it cannot be read now. */
  read(fromMs: number, untilMs: number): Promise<readonly ListedPayment[]>;
}

/** The intervals between calls to a rail. */
export interface RailPace {
  /** The interval between two readings of the statement after one that found nothing or failed. */
  readonly readEveryMs: number;
  /** The time after a payout when its outcome is first asked for; the pause doubles with every further question. */
  readonly askAfterMs: number;
}

/** A bank account of ours. */
export interface RailAccount {
  readonly bankCode: string;
  readonly number: string;
}

export interface Rail {
  /** Unique within a mode. Stored with every attempt, credit and notice, so another rail never gets this name. */
  readonly name: string;
  readonly pace: RailPace;
  readonly terms: RailTerms;
  /** The account it pays from: one account of the ledger. Null: only the simulated bank, which has one that is not named. */
  readonly account: RailAccount | null;
  /** The payout functions; null: the rail makes no payouts. */
  readonly payouts: RailPayouts | null;
  /** Missing: it lists none, and the statement of its account is compared instead. */
  readonly payoutList?: RailPayoutList;
  /** The statement; null: the rail reports nothing. */
  readonly statement: RailStatement | null;
  /** The reason why it is unhealthy although it answers, as this process has seen lately; null: none. Missing: it is not watched. */
  whySilent?(): string | null;
  /** Missing: it does not ask us before it pays. */
  readonly validation?: PayoutValidation;
  /** Missing: it sends no events. */
  readonly events?: RailEvents;
}

export type PayingRail = Rail & { readonly payouts: RailPayouts };
export type ReportingRail = Rail & { readonly statement: RailStatement };
export type EventSendingRail = Rail & { readonly events: RailEvents };

export interface RailRegistry {
  /** Finds a rail; undefined: none of that name is configured in this mode. */
  find(mode: Mode, rail: string): Rail | undefined;
  /** The rails of a mode, the preferred ones first. */
  enabled(mode: Mode): readonly Rail[];
}
