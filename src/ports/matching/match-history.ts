// Credits that matching has decided about, each with the claims as they were at that moment.
import type { BankCredit } from '../../domain/records/credit.ts';
import type { MatchDecision } from '../../domain/records/match-decision.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import type { Mode } from '../../domain/values/mode.ts';

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
