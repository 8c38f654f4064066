// A rail is a bank connection that makes payouts, reports what comes in, or both. An attempt made on a rail is asked
// about, repeated and resolved on that rail alone. Every adapter passes test/contract/bank/suite.ts.
import type { RailTerms } from '../../domain/rails/terms.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { RailEvents } from './events.ts';
import type { PayoutList } from './payout-list.ts';
import type { Payouts } from './payouts.ts';
import type { Statement } from './statement.ts';
import type { PayoutValidation } from './validation.ts';

/** How often a rail is worth a call. */
export interface RailPace {
  /** After a reading that found nothing, or that failed, the statement is read again after so long. */
  readonly readEveryMs: number;
  /** So long after a payout its outcome is first asked for; the pause doubles with every further question. */
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
  /** Null: it makes no payouts. */
  readonly payouts: Payouts | null;
  /** Missing: it lists none, and the statement of its account is compared instead. */
  readonly payoutList?: PayoutList;
  /** Null: it reports nothing. */
  readonly statement: Statement | null;
  /** Why it is not well although it answers: what this process has seen lately; null: nothing. Missing: it is not watched. */
  whySilent?(): string | null;
  /** Missing: it does not ask us before it pays. */
  readonly validation?: PayoutValidation;
  /** Missing: it sends no events. */
  readonly events?: RailEvents;
}

export type PayingRail = Rail & { readonly payouts: Payouts };
export type ReportingRail = Rail & { readonly statement: Statement };
export type SendingRail = Rail & { readonly events: RailEvents };

export interface Banks {
  /** Undefined: no rail of that name is configured in this mode now. */
  find(mode: Mode, rail: string): Rail | undefined;
  /** Every rail of a mode, the preferred ones first. */
  enabled(mode: Mode): readonly Rail[];
}
