// Past decisions of matching, and the limit of unpaid buys.
import type { BankCredit } from '../domain/records/credit.ts';
import type { MatchDecision } from '../domain/records/match-decision.ts';
import type { Transaction } from '../domain/records/transaction.ts';
import type { Mode } from '../domain/values/mode.ts';

/** A credit that matching has decided, with the claims at that time. */
export interface PastDecision {
  readonly credit: BankCredit;
  /** The last decision that matching made, not one that a person made. */
  readonly recorded: Pick<MatchDecision, 'ruleVersion' | 'verdict'>;
  readonly atMs: number;
  /** Buys whose payer or amount fits, or that the decision recorded, in their state at that time. */
  readonly claims: readonly Transaction[];
  /** Credits that had paid a part of one of these buys and were waiting for review. */
  readonly parts: readonly BankCredit[];
  /** Equal credits that were not matched yet, oldest first, including this one. */
  readonly equalCredits: readonly string[];
}

export interface MatchHistoryQuery {
  readonly mode: Mode | undefined;
  /** The range of time: credits received at or after this time and before the other. */
  readonly fromMs: number;
  readonly toMs: number;
  /** The id of the credit to start after. */
  readonly afterId: string;
  readonly limit: number;
  readonly windowMs: number;
}

export interface MatchHistory {
  /** Reads a page of decisions, ordered by credit id. */
  page(asked: MatchHistoryQuery): Promise<readonly PastDecision[]>;
}

/** Buys that expired without any payment, counted per business: every unpaid buy makes the search for matching buys slower. */
export interface ClaimLimits {
  /**
   * Counts unpaid buys in the window of this mode, until this time and since the limit was last lifted; counting stops at the
   * limit.
   */
  countUnmatched(businessId: string, mode: Mode, atMs: number): Promise<number>;
  /** Businesses with at least half of the limit, the highest count first. */
  nearLimit(
    mode: Mode,
    atMs: number,
  ): Promise<readonly { readonly businessId: string; readonly count: number }[]>;
}

export interface ClaimLimitSettings {
  /** 0: no limit. */
  readonly most: number;
  readonly windowMs: number;
  /** How long a buy waits for its payment. A buy older than this plus the window expired before the window started. */
  readonly expiryMs: number;
}
