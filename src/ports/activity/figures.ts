// What a business sees of its money at a glance: figures by day in Lagos, and how much waits for it.
import type { Scope } from '../store/reads.ts';

/** Transactions that were created on one day, by what has become of them. */
export interface DayFigures {
  /** `2026-11-14`, in Lagos. */
  readonly day: string;
  readonly buys: number;
  readonly sells: number;
  /** Of those that are completed. */
  readonly boughtMinor: bigint;
  readonly soldMinor: bigint;
  readonly completed: number;
  /** Under way: waiting for a wallet, a payment or tokens, or being settled. */
  readonly open: number;
  readonly onHold: number;
  /** Rejected, or the payout failed. */
  readonly failed: number;
  readonly refunded: number;
  /** Expired, or cancelled by the business. */
  readonly lapsed: number;
}

/** From the money that arrived to the money that was delivered. */
export interface DayDurations {
  readonly day: string;
  readonly completed: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
}

/** Days without a transaction are left out. `whole`: no row was left out because there are too many. */
export interface ByDay<T> {
  readonly days: readonly T[];
  readonly whole: boolean;
}

/** How many there are, counted up to COUNT_LIMIT. */
export interface Waiting {
  readonly awaitingWallet: number;
  readonly awaitingTrustline: number;
  readonly onHold: number;
  readonly payoutFailed: number;
  readonly endpointsDisabled: number;
  readonly deliveriesFailed: number;
}

export const COUNT_LIMIT = 1_000;

export interface ActivityFigures {
  /** Created at or after. When there are too many, the newest. */
  byDay(scope: Scope, sinceMs: number): Promise<ByDay<DayFigures>>;
  /** Completed ones that were created at or after. When there are too many, the newest. */
  durations(scope: Scope, sinceMs: number): Promise<ByDay<DayDurations>>;
  /** Deliveries: those made since then. */
  waiting(scope: Scope, deliveriesSinceMs: number): Promise<Waiting>;
}
