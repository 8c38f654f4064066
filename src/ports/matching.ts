// The decisions that matching has made, and the limit of unpaid buys.
import type { BankCredit } from '../domain/records/credit.ts';
import type { MatchDecision } from '../domain/records/match-decision.ts';
import type { Transaction } from '../domain/records/transaction.ts';
import type { Mode } from '../domain/values/mode.ts';

/** A credit that matching has decided, with the claims at that time. */
export interface PastDecision {
  readonly credit: BankCredit;
  /** The last decision that matching made. Decisions of people do not count. */
  readonly recorded: Pick<MatchDecision, 'ruleVersion' | 'verdict'>;
  readonly atMs: number;
  /** The buys whose payer or amount fits the credit, or that the decision recorded, in their state at that time. */
  readonly claims: readonly Transaction[];
  /** The credits that had paid a part of one of these buys and were waiting for review. */
  readonly parts: readonly BankCredit[];
  /** The ids of all unmatched credits with the same facts, including this credit, oldest first. */
  readonly equalCredits: readonly string[];
}

export interface MatchHistoryQuery {
  readonly mode: Mode | undefined;
  /** The query returns credits that were received at or after `fromMs` and before `toMs`. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly afterId: string;
  readonly limit: number;
  readonly windowMs: number;
}

export interface MatchHistory {
  page(asked: MatchHistoryQuery): Promise<readonly PastDecision[]>;
}

/**
 * Counts the buys of each business that expired without any payment. There is a limit, because every unpaid buy makes the
 * search for matching buys slower.
 */
export interface ClaimLimits {
  /**
   * Counts the unpaid buys of the time window before this time, and since an operator last lifted the limit. Counting stops at
   * the limit.
   */
  countUnmatched(businessId: string, mode: Mode, atMs: number): Promise<number>;
  /** Returns businesses that have used at least half of the limit, the highest count first. */
  nearLimit(
    mode: Mode,
    atMs: number,
  ): Promise<readonly { readonly businessId: string; readonly count: number }[]>;
}

export interface ClaimLimitSettings {
  /** The maximum number of unpaid buys; 0 means that there is no limit. */
  readonly most: number;
  readonly windowMs: number;
  /**
   * How long a buy waits for its payment. A buy that was created longer ago than this time plus the window expired before the
   * window started.
   */
  readonly expiryMs: number;
}
