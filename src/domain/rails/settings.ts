// What operators set about rails: routes, caps and pauses. All of it is in the catalogue, so every process knows a change within a
// second.
import type { LimitUsage } from '../records/change.ts';
import { lagosDay } from '../values/calendar.ts';
import type { Mode } from '../values/mode.ts';

/** A row of the routing table: which payouts may go to a rail, and how much it is preferred. */
export interface Route {
  readonly id: number;
  readonly mode: Mode;
  readonly rail: string;
  /** The lowest number that fits wins. */
  readonly priority: number;
  /** Its share among routes of the same priority. Zero: only when no other of them fits, the cheapest first. */
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

/** The most that new payouts on a rail add up to in a Lagos day. */
export interface RailCap {
  readonly mode: Mode;
  readonly rail: string;
  readonly perDayMinor: bigint;
}

/** While it lasts the rail gets no new payouts. What is in progress on it goes on there. */
export interface RailPause {
  readonly mode: Mode;
  readonly rail: string;
  /** Whether the health check paused it and will resume it; otherwise people did, and only people resume it. */
  readonly byHealth: boolean;
  readonly actor: string;
  readonly reason: string;
  readonly sinceMs: number;
}

/** A rail that paid what it had refused: until two people trust it again, its refusals open no other way for a payout. */
export interface RailDoubt {
  readonly mode: Mode;
  readonly rail: string;
  /** The payout that it paid after all. */
  readonly movementId: string;
  readonly sinceMs: number;
}

export interface RailSettings {
  readonly routes: readonly Route[];
  readonly caps: readonly RailCap[];
  readonly pauses: readonly RailPause[];
  readonly doubts: readonly RailDoubt[];
}

/** Rails are counted where businesses are; no id of a business has a colon. */
export function usageKey(rail: string): string {
  return `rail:${rail}`;
}

/** The use of a rail's cap by a payout, checked in the commit that opens its attempt. */
export function capUsage(
  { mode, rail, perDayMinor }: RailCap,
  amountMinor: bigint,
  atMs: number,
): LimitUsage {
  return { businessId: usageKey(rail), mode, period: lagosDay(atMs), amountMinor, limitMinor: perDayMinor };
}
