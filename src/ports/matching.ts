// Past decisions of matching, and the limit of unpaid buys.
import type { BankCredit } from '../domain/records/credit.ts';
import type { MatchDecision } from '../domain/records/match-decision.ts';
import type { Transaction } from '../domain/records/transaction.ts';
import type { Mode } from '../domain/values/mode.ts';

/** Credits that matching has decided about, each with the claims as they were at that moment. */
export interface PastDecision {
  readonly credit: BankCredit;
  /** What matching decided last, without people. */
  readonly recorded: Pick<MatchDecision, 'ruleVersion' | 'verdict'>;
  readonly atMs: number;
  /** Buys that the payer, the amount or the record of the decision points at, in their state at that time. */
  readonly claims: readonly Transaction[];
  /** Credits that had paid a part of one of them and waited for review. */
  readonly parts: readonly BankCredit[];
  /** Equal credits that paid for nothing yet, oldest first, this one included. */
  readonly equalCredits: readonly string[];
}

export interface HistoryPage {
  readonly mode: Mode | undefined;
  /** Received at or after, and before. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Only credits whose ids come after this one. */
  readonly afterId: string;
  readonly limit: number;
  readonly windowMs: number;
}

export interface MatchHistory {
  /** In the order of the credits' ids. */
  page(asked: HistoryPage): Promise<readonly PastDecision[]>;
}

/**
 * Buys that expired without any payment, counted for each business: claims that match nothing cost
 * everyone who looks for a claim.
 */
export interface ClaimLimits {
  /** In the window of this mode up to then, and since the limit was last lifted; counting stops at the limit. */
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
  /** How long a buy waits for its payment: one made longer ago than this and the window has expired before it. */
  readonly expiryMs: number;
}
