// What operators read about rails, the same on the command line, in the log and on the pages.
import type { NotChosen, WhyNot } from './route.ts';

const WHY_NOT: Readonly<Record<WhyNot, string>> = {
  tried: 'refused this payout',
  paused: 'is paused',
  no_route: 'has no route for this amount and bank',
  bank_not_reached: 'does not reach this bank',
  cap_reached: 'would exceed its cap of today',
  float_too_low: 'has too little naira in its account',
  not_configured: 'is in the routing table and is not configured',
};

/** `nip is paused; paystack would exceed its cap of today` */
export function describeNone(why: readonly NotChosen[]): string {
  if (why.length === 0) return 'no rail that pays is configured';
  return why.map(({ rail, why: reason }) => `${rail} ${WHY_NOT[reason]}`).join('; ');
}

export type RailState = 'in_use' | 'paused_by_people' | 'paused_by_health' | 'without_route' | 'not_running';

export const RAIL_STATES: Readonly<Record<RailState, string>> = {
  in_use: 'gets new payouts',
  paused_by_people: 'paused by people: it gets no new payouts until people resume it',
  paused_by_health: 'paused by the health check: it is resumed when it answers again',
  without_route: 'gets no new payouts: the routing table has no enabled route for it',
  not_running: 'not configured in any running process: its open payouts wait for it',
};
