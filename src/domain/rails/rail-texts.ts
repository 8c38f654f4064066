// Texts about rails for operators. The command line, the log and the pages show the same texts.
import { formatNaira } from '../values/money.ts';
import type { RailObstacle, SkippedRail } from './choose-rail.ts';
import type { PaymentDoubt, UnexplainedPayment } from './unexplained-payments.ts';

const OBSTACLE_TEXTS: Readonly<Record<RailObstacle, string>> = {
  tried: 'refused this payout',
  paused: 'is paused',
  no_route: 'has no route for this amount and bank',
  bank_not_reached: 'does not reach this bank',
  cap_reached: 'would exceed its daily cap',
  float_too_low: 'has too little money in its account',
  not_configured: 'is in the routing table but not configured',
};

/** For example: `nip is paused; paystack would exceed its daily cap` */
export function describeSkippedRails(why: readonly SkippedRail[]): string {
  if (why.length === 0) return 'no payout rail is configured';
  return why.map(({ rail, why: reason }) => `${rail} ${OBSTACLE_TEXTS[reason]}`).join('; ');
}

const DOUBT_TEXTS: Readonly<Record<PaymentDoubt, string>> = {
  not_ours: 'no payout of ours has its reference',
  paid_twice: 'another payment has the same reference, so it may be a double payment',
  other_amount: 'our payout has a different amount',
  other_account: 'our payout goes to a different account',
  had_ended: 'our payout ended unpaid',
  on_statement: 'it is on the statement but not in the books',
};

/** For example: `It paid ₦5,000.00 under mov-1: no payout of ours has its reference` */
export function describeUnexplainedPayment({
  amountMinor,
  reference,
  payment,
  doubt,
}: Pick<UnexplainedPayment, 'amountMinor' | 'reference' | 'payment' | 'doubt'>): string {
  const amount = amountMinor === null ? 'an unknown amount' : formatNaira(amountMinor);
  return `It paid ${amount} under ${reference ?? payment}: ${DOUBT_TEXTS[doubt]}`;
}

export type RailState =
  | 'in_use'
  | 'paused_by_people'
  | 'paused_by_guard'
  | 'paused_by_health'
  | 'without_route'
  | 'not_running';

export const RAIL_STATE_TEXTS: Readonly<Record<RailState, string>> = {
  in_use: 'gets new payouts',
  paused_by_people: 'paused by people: it gets no new payouts until people resume it',
  paused_by_guard: 'stopped because of an unexplained payment: it gets no new payouts until people resume it',
  paused_by_health: 'paused by the health check: it is resumed when it answers again',
  without_route: 'gets no new payouts: the routing table has no enabled route for it',
  not_running: 'not configured in any running process: its open payouts wait for it',
};
