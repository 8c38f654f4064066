// The operators' settings for rails: routes, caps and pauses. All are in the catalogue, so every process sees a change within a
// second.
import type { LimitUsage } from '../records/change.ts';
import { lagosDay } from '../values/calendar.ts';
import type { Mode } from '../values/mode.ts';

/** A row of the routing table: which payouts a rail may get, and with which preference. */
export interface Route {
  readonly id: number;
  readonly mode: Mode;
  readonly rail: string;
  /** The lowest suitable number wins. */
  readonly priority: number;
  /**
   * The share among routes of the same priority. Zero: the route is used only if no other route of the same priority fits, and
   * the cheapest such route is used first.
   */
  readonly weight: number;
  /** Null: no bound. */
  readonly minMinor: bigint | null;
  readonly maxMinor: bigint | null;
  /** Banks of the beneficiary; null: every bank. */
  readonly bankCodes: readonly string[] | null;
  /** The cost of one payout; null: unknown. */
  readonly costMinor: bigint | null;
  readonly enabled: boolean;
}

/** The maximum sum of new payouts on a rail per day (Lagos time). */
export interface RailCap {
  readonly mode: Mode;
  readonly rail: string;
  readonly perDayMinor: bigint;
}

/** While paused, the rail gets no new payouts. Payouts in progress continue on it. */
export interface RailPause {
  readonly mode: Mode;
  readonly rail: string;
  /** Whether the health check paused the rail and will resume it. Otherwise people paused it, and only people resume it. */
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
  /** The payout that the rail paid after its refusal. */
  readonly movementId: string;
  readonly sinceMs: number;
}

export interface RailSettings {
  readonly routes: readonly Route[];
  readonly caps: readonly RailCap[];
  readonly pauses: readonly RailPause[];
  readonly doubts: readonly RailDoubt[];
}

/** Usage of rails is stored in the same table as usage of businesses. The keys differ, because no business id has a colon. */
export function usageKey(rail: string): string {
  return `rail:${rail}`;
}

/** How much of a rail's cap a payout uses, checked in the commit that opens its attempt. */
export function capUsage(
  { mode, rail, perDayMinor }: RailCap,
  amountMinor: bigint,
  atMs: number,
): LimitUsage {
  return { businessId: usageKey(rail), mode, period: lagosDay(atMs), amountMinor, limitMinor: perDayMinor };
}
