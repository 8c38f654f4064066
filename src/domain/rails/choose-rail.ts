// Chooses the rail for a payout: it applies the routing table to the current facts about each rail. The function is pure: the
// same facts and the same random number choose the same rail. A rail that cannot take the payout is never chosen, whatever the
// routing table prefers.
import type { Route } from './settings.ts';

export interface RailFacts {
  readonly rail: string;
  readonly isPaused: boolean;
  /** The unused part of today's cap. Null: the rail has no cap. */
  readonly leftMinor: bigint | null;
  /** Unreserved naira in the account that the rail pays from, according to the ledger. */
  readonly freeMinor: bigint;
  readonly reachesBank: boolean;
}

export interface PayoutFacts {
  readonly amountMinor: bigint;
  readonly bankCode: string;
  /** Rails that refused this payout and are therefore skipped. */
  readonly tried: readonly string[];
}

export type RailObstacle =
  | 'tried'
  | 'paused'
  | 'no_route'
  | 'bank_not_reached'
  | 'cap_reached'
  | 'float_too_low'
  | 'not_configured';

export interface SkippedRail {
  readonly rail: string;
  readonly why: RailObstacle;
}

export type RouteChoice =
  | { readonly kind: 'chosen'; readonly rail: string }
  | { readonly kind: 'none'; readonly why: readonly SkippedRail[] };

type RouteRank = Pick<Route, 'rail' | 'priority' | 'weight' | 'costMinor'>;

/**
 * `rails` are in the order of configuration. `draw` returns a random whole number that is at least 0 and below its argument.
 */
export function chooseRail(
  routes: readonly Route[],
  rails: readonly RailFacts[],
  payout: PayoutFacts,
  draw: (below: number) => number,
): RouteChoice {
  const why: SkippedRail[] = [];
  const fitting: RouteRank[] = [];
  for (const [place, facts] of rails.entries()) {
    const own =
      routes.length === 0
        ? [makeDefaultRank(facts.rail, place)]
        : findMatchingRoutes(routes, facts.rail, payout);
    // A rail without a route gets only the reason `no_route`, because no payout waits for such a rail.
    const reason = own.length === 0 ? 'no_route' : findRailObstacle(facts, payout);
    if (reason === null) fitting.push(...own);
    else why.push({ rail: facts.rail, why: reason });
  }
  const configured = new Set(rails.map(({ rail }) => rail));
  for (const rail of new Set(routes.map((route) => route.rail)))
    if (!configured.has(rail)) why.push({ rail, why: 'not_configured' });
  if (fitting.length === 0) return { kind: 'none', why };
  const first = Math.min(...fitting.map(({ priority }) => priority));
  return { kind: 'chosen', rail: pickByWeight(keepOnePerRail(fitting, first), draw).rail };
}

function makeDefaultRank(rail: string, place: number): RouteRank {
  return { rail, priority: place, weight: 1, costMinor: null };
}

function findRailObstacle(
  { rail, isPaused, leftMinor, freeMinor, reachesBank }: RailFacts,
  { amountMinor, tried }: PayoutFacts,
): RailObstacle | null {
  if (tried.includes(rail)) return 'tried';
  if (isPaused) return 'paused';
  if (!reachesBank) return 'bank_not_reached';
  if (leftMinor !== null && leftMinor < amountMinor) return 'cap_reached';
  return freeMinor < amountMinor ? 'float_too_low' : null;
}

function findMatchingRoutes(
  routes: readonly Route[],
  rail: string,
  { amountMinor, bankCode }: PayoutFacts,
): readonly Route[] {
  return routes.filter(
    (route) =>
      route.rail === rail &&
      route.enabled &&
      (route.minMinor === null || amountMinor >= route.minMinor) &&
      (route.maxMinor === null || amountMinor <= route.maxMinor) &&
      (route.bankCodes === null || route.bankCodes.includes(bankCode)),
  );
}

/** If a rail has several routes with the same priority, keeps the route with the highest weight. The weights are not added. */
function keepOnePerRail(fitting: readonly RouteRank[], priority: number): readonly RouteRank[] {
  const best = new Map<string, RouteRank>();
  for (const each of fitting) {
    if (each.priority !== priority) continue;
    const other = best.get(each.rail);
    if (other === undefined || each.weight > other.weight) best.set(each.rail, each);
  }
  return [...best.values()];
}

function pickByWeight(ranks: readonly RouteRank[], draw: (below: number) => number): RouteRank {
  const weighed = ranks.filter(({ weight }) => weight > 0);
  if (weighed.length === 0) return ranks.reduce((best, each) => (isCheaper(each, best) ? each : best));
  if (weighed.length === 1) return weighed[0]!;
  let left = draw(weighed.reduce((sum, { weight }) => sum + weight, 0));
  return weighed.find(({ weight }) => {
    left -= weight;
    return left < 0;
  })!;
}

/** An unknown cost counts as the highest cost. */
function isCheaper({ costMinor: one }: RouteRank, { costMinor: other }: RouteRank): boolean {
  return one !== null && (other === null || one < other);
}
