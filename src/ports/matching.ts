// Past decisions of matching, and the limit of unpaid buys.
import type { BankCredit } from '../domain/records/credit.ts';
import type { MatchDecision } from '../domain/records/match-decision.ts';
import type { Transaction } from '../domain/records/transaction.ts';
import type { Mode } from '../domain/values/mode.ts';

/** Credits that matching has decided about, each with the claims as they were at that moment. */
export interface PastDecision {
  readonly credit: BankCredit;
  /** The last decision of matching, without decisions of people. */
  readonly recorded: Pick<MatchDecision, 'ruleVersion' | 'verdict'>;
  readonly atMs: number;
  /** Buys that the payer, the amount or the record of the decision points at, in their state at that time. */
  readonly claims: readonly Transaction[];
  /** Credits that had paid a part of one of them and waited for review. */
  readonly parts: readonly BankCredit[];
  /** Equal credits that paid for nothing yet, oldest first, this one included. */
  readonly equalCredits: readonly string[];
}

export interface MatchHistoryQuery {
  readonly mode: Mode | undefined;
  /** Received at or after, and before. */
  readonly fromMs: number;
  readonly toMs: number;
  /** The id of the credit to start after. */
  readonly afterId: string;
  readonly limit: number;
  readonly windowMs: number;
}

export interface MatchHistory {
  /** Reads a page of decisions in the order of the credits' ids. */
  page(asked: MatchHistoryQuery): Promise<readonly PastDecision[]>;
}

/**
 * Buys that expired without any payment, counted for each business: claims that match nothing cost
 * everyone who looks for a claim.
 */
export interface ClaimLimits {
  /** Counts unmatched buys in the window of this mode up to this time and since the limit was last lifted; counting stops at the limit. */
  countUnmatched(businessId: string, mode: Mode, atMs: number): Promise<number>;
  /** Businesses that have reached half of the limit, the worst first. */
  nearLimit(
    mode: Mode,
    atMs: number,
  ): Promise<readonly { readonly businessId: string; readonly count: number }[]>;
}

export interface ClaimLimitSettings {
  /** 0: no limit. */
  readonly most: number;
  readonly windowMs: number;
  /** The time that a buy waits for its payment: a buy older than this plus the window has expired before it. */
  readonly expiryMs: number;
}
