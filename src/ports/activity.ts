// The activity of a business: daily figures (Lagos days) for charts, the numbers of waiting records, and the search over its
// transactions.
import type { Transaction } from '../domain/records/transaction.ts';
import type { Delivery } from '../domain/webhooks/delivery.ts';
import type { BusinessScope, TransactionFilter } from './store/reads.ts';

/** The transactions created on one day, by their current outcome. */
export interface DayFigures {
  /** The day in Lagos, such as `2026-11-14`. */
  readonly day: string;
  readonly buys: number;
  readonly sells: number;
  /** The naira of completed buys. */
  readonly boughtMinor: bigint;
  readonly soldMinor: bigint;
  readonly completed: number;
  /** The number of open transactions: waiting for a wallet, a payment or tokens, or being settled. */
  readonly open: number;
  readonly onHold: number;
  /** Rejected transactions, and failed payouts. */
  readonly failed: number;
  readonly refunded: number;
  /** Transactions that expired or that the business cancelled. */
  readonly lapsed: number;
}

/** The durations from the receipt of the money to the delivery. */
export interface DayDurations {
  readonly day: string;
  readonly completed: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
}

/** Days without a transaction are omitted. `whole`: true if no row was omitted because of the limit. */
export interface DailyFigures<T> {
  readonly days: readonly T[];
  readonly whole: boolean;
}

/** The numbers of waiting records, each counted up to COUNT_LIMIT. */
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
  /** The transactions that were created at or after this time. If there are too many, only the newest are returned. */
  byDay(scope: BusinessScope, sinceMs: number): Promise<DailyFigures<DayFigures>>;
  /** The completed transactions that were created at or after this time. If there are too many, only the newest are returned. */
  durations(scope: BusinessScope, sinceMs: number): Promise<DailyFigures<DayDurations>>;
  /** `deliveriesSinceMs`: only deliveries that were created since then count. */
  waiting(scope: BusinessScope, deliveriesSinceMs: number): Promise<WaitingCounts>;
}

/**
 * The search for transactions of a business by an id, a reference or another known value, and for the deliveries of their events.
 */
export interface TransactionSearchTerms {
  /** The search text as typed: an id, a reference, an account number. */
  readonly text: string;
  /** The spellings that networks may use if the text is an address. */
  readonly wallets: readonly string[];
  /** The spellings that networks may use if the text is a hash. */
  readonly hashes: readonly string[];
  /** The networks on which a transaction with this hash may exist. */
  readonly networks: readonly string[];
  /** The text as an amount, if it is one. */
  readonly amountMinor: bigint | null;
}

export interface SearchFilter extends TransactionFilter {
  readonly network?: string;
  readonly amountMinor?: bigint;
  readonly terms?: TransactionSearchTerms;
}

export interface SearchPage {
  readonly transactions: readonly Transaction[];
  /** The last transaction that was checked, if the search stopped before the page was full; null if all were checked. */
  readonly stoppedAt: string | null;
}

export interface TransactionSearch {
  /** Newest first. The search checks a limited number of transactions, so a short page may not be the last. */
  find(scope: BusinessScope, filter: SearchFilter): Promise<SearchPage>;
  /** Deliveries of these events to endpoints of the business, newest first. */
  deliveriesOf(
    scope: BusinessScope,
    eventIds: readonly string[],
    limit: number,
  ): Promise<readonly (Delivery & { readonly url: string })[]>;
}
