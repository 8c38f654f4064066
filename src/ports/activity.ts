// What members see of the activity of their business: daily figures for charts, by days in Lagos; the numbers of waiting
// records; and the search over transactions.
import type { Transaction } from '../domain/records/transaction.ts';
import type { Delivery } from '../domain/webhooks/delivery.ts';
import type { BusinessScope, TransactionFilter } from './store/reads.ts';

/** The transactions that were created on one day, counted by their current outcome. */
export interface DayFigures {
  readonly day: string;
  readonly buys: number;
  readonly sells: number;
  /** The naira amount of completed buys, in kobo. */
  readonly boughtMinor: bigint;
  readonly soldMinor: bigint;
  readonly completed: number;
  /** The number of transactions that wait for a wallet, a payment or tokens, or that are being settled. */
  readonly open: number;
  readonly onHold: number;
  /** The number of rejected transactions and of sells with a failed payout. */
  readonly failed: number;
  readonly refunded: number;
  /** The number of transactions that expired or that the business cancelled. */
  readonly lapsed: number;
}

/** How long it took from the receipt of the money to the delivery. */
export interface DayDurations {
  readonly day: string;
  readonly completed: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
}

/** `days` omits days without a transaction. `whole` is true if the limit omitted no row. */
export interface DailyFigures<T> {
  readonly days: readonly T[];
  readonly whole: boolean;
}

/** How many records wait, by kind. Each number is counted up to COUNT_LIMIT. */
export interface WaitingCounts {
  readonly awaitingWallet: number;
  readonly awaitingTrustline: number;
  readonly onHold: number;
  readonly payoutFailed: number;
  readonly endpointsDisabled: number;
  readonly deliveriesFailed: number;
}

export const COUNT_LIMIT = 1_000;

export interface ActivityFigureReads {
  /** Counts the transactions that were created at or after this time. If there are too many, it counts only the newest. */
  byDay(scope: BusinessScope, sinceMs: number): Promise<DailyFigures<DayFigures>>;
  /**
   * Counts the completed transactions that were created at or after this time. If there are too many, it counts only the
   * newest.
   */
  durations(scope: BusinessScope, sinceMs: number): Promise<DailyFigures<DayDurations>>;
  /** `deliveriesSinceMs`: only webhook deliveries that were created at or after this time count. */
  waiting(scope: BusinessScope, deliveriesSinceMs: number): Promise<WaitingCounts>;
}

/** What the search compares with a business's transactions: an id, a reference or another known value. */
export interface TransactionSearchTerms {
  /** The search text as typed, for example an id, a reference or an account number. */
  readonly text: string;
  /** The spellings that networks may use, if the search text is an address. */
  readonly wallets: readonly string[];
  /** The spellings that networks may use, if the search text is a transaction hash. */
  readonly hashes: readonly string[];
  readonly networks: readonly string[];
  /** The search text as an amount; null if the text is not an amount. */
  readonly amountMinor: bigint | null;
}

export interface SearchFilter extends TransactionFilter {
  readonly network?: string;
  readonly amountMinor?: bigint;
  readonly terms?: TransactionSearchTerms;
}

export interface SearchPage {
  readonly transactions: readonly Transaction[];
  /**
   * The last transaction that was checked, if the search stopped before the page was full. Null if the search checked all
   * transactions.
   */
  readonly stoppedAt: string | null;
}

export interface TransactionSearch {
  /**
   * Returns transactions, newest first. The search checks a limited number of transactions, so a short page may not be the
   * last.
   */
  find(scope: BusinessScope, filter: SearchFilter): Promise<SearchPage>;
  deliveriesOf(
    scope: BusinessScope,
    eventIds: readonly string[],
    limit: number,
  ): Promise<readonly (Delivery & { readonly url: string })[]>;
}
