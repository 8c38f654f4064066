// What a business did: figures for plots, and the search over its transactions. What a business sees of its money at a glance:
// figures by day in Lagos, and how much waits for it.
import type { Transaction } from '../domain/records/transaction.ts';
import type { Delivery } from '../domain/webhooks/delivery.ts';
import type { BusinessScope, TransactionFilter } from './store/reads.ts';

/** Transactions that were created on one day, by what has become of them. */
export interface DayFigures {
  /** `2026-11-14`, in Lagos. */
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
  /** Rejected, or the payout failed. */
  readonly failed: number;
  readonly refunded: number;
  /** Expired, or cancelled by the business. */
  readonly lapsed: number;
}

/** The times from the arrival of the money to its delivery. */
export interface DayDurations {
  readonly day: string;
  readonly completed: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
}

/** Days without a transaction are left out. `whole`: no row was left out because there are too many. */
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
  /** Created at or after. When there are too many, the newest. */
  byDay(scope: BusinessScope, sinceMs: number): Promise<DailyFigures<DayFigures>>;
  /** Completed ones that were created at or after. When there are too many, the newest. */
  durations(scope: BusinessScope, sinceMs: number): Promise<DailyFigures<DayDurations>>;
  /** Deliveries: those made since then. */
  waiting(scope: BusinessScope, deliveriesSinceMs: number): Promise<WaitingCounts>;
}

/** Finding transactions of a business by what people have at hand, and the deliveries of its events. */
export interface TransactionSearchTerms {
  /** The search text as typed: an id, a reference, an account number. */
  readonly text: string;
  /** The spellings that networks may use if the text is an address. */
  readonly wallets: readonly string[];
  /** The spellings that networks may use if the text is a hash. */
  readonly hashes: readonly string[];
  /** Networks on which the hash may be. */
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
  /** The last one that was looked at when the search stopped before the page was full; null: it has seen all. */
  readonly stoppedAt: string | null;
}

export interface TransactionSearch {
  /** Newest first. It looks at a bounded number of transactions, so a page may be short and still not be the last. */
  find(scope: BusinessScope, filter: SearchFilter): Promise<SearchPage>;
  /** Deliveries of these events to endpoints of the business, newest first. */
  deliveriesOf(
    scope: BusinessScope,
    eventIds: readonly string[],
    limit: number,
  ): Promise<readonly (Delivery & { readonly url: string })[]>;
}
