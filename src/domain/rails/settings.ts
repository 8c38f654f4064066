// The operators' settings for rails: routes, caps and pauses. All of them are in the catalogue, so every process sees a change
// within a second.
import type { LimitUsage } from '../records/change.ts';
import { lagosDay } from '../values/calendar.ts';
import type { Mode } from '../values/mode.ts';

export interface Route {
  readonly id: number;
  readonly mode: Mode;
  readonly rail: string;
  /** Of the routes that fit a payout, the route with the lowest number wins. */
  readonly priority: number;
  /**
   * The share of the route among routes of the same priority. Zero: the route is used only if no other route of this priority
   * fits. The cheapest of several such routes is used first.
   */
  readonly weight: number;
  /** The smallest and the largest amount of a payout on this route. Null: there is no bound. */
  readonly minMinor: bigint | null;
  readonly maxMinor: bigint | null;
  /** The banks of beneficiaries that the route serves. Null: every bank. */
  readonly bankCodes: readonly string[] | null;
  /** The cost of one payout. Null: the cost is unknown. */
  readonly costMinor: bigint | null;
  readonly enabled: boolean;
}

/** The maximum sum of new payouts on a rail per day (Lagos time). */
export interface RailCap {
  readonly mode: Mode;
  readonly rail: string;
  readonly perDayMinor: bigint;
}

/** A paused rail gets no new payouts. Payouts in progress continue on the rail. */
export interface RailPause {
  readonly mode: Mode;
  readonly rail: string;
  /** True: the health check paused the rail and will resume it. False: people paused the rail, and only people resume it. */
  readonly byHealth: boolean;
  readonly actor: string;
  readonly reason: string;
  readonly sinceMs: number;
}

/**
 * A rail that paid a payout that it had refused. Until two people trust the rail again, its refusals do not move a payout to
 * another rail.
 */
export interface RailDoubt {
  readonly mode: Mode;
  readonly rail: string;
  readonly movementId: string;
  readonly sinceMs: number;
}

export interface RailSettings {
  readonly routes: readonly Route[];
  readonly caps: readonly RailCap[];
  readonly pauses: readonly RailPause[];
  readonly doubts: readonly RailDoubt[];
}

/**
 * The usage of rails is stored in the same table as the usage of businesses. The keys always differ, because no business id has
 * a colon.
 */
export function usageKey(rail: string): string {
  return `rail:${rail}`;
}

/** How much of a rail's cap a payout uses. The commit that opens the attempt of the payout checks this. */
export function capUsage(
  { mode, rail, perDayMinor }: RailCap,
  amountMinor: bigint,
  atMs: number,
): LimitUsage {
  return { businessId: usageKey(rail), mode, period: lagosDay(atMs), amountMinor, limitMinor: perDayMinor };
}
