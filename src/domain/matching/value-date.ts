// When a payment was made, as far as the bank says it. A value date without a time says only the day, and a payment is never
// made after its report was received.
import type { CreditFacts } from './facts.ts';
import type { MatchingRules } from './rules.ts';

const DAY_MS = 86_400_000;
/** Lagos is an hour ahead of UTC all year. */
const LAGOS_MS = 3_600_000;

export interface PaidBetween {
  readonly fromMs: number;
  readonly untilMs: number;
}

export function paidBetween(
  { valueAtMs, receivedAtMs }: Pick<CreditFacts, 'valueAtMs' | 'receivedAtMs'>,
  { datesAreDays }: Pick<MatchingRules, 'datesAreDays'>,
): PaidBetween {
  const startMs = datesAreDays ? dayOf(valueAtMs) : null;
  const fromMs = Math.min(startMs ?? valueAtMs, receivedAtMs);
  return { fromMs, untilMs: startMs === null ? fromMs : Math.min(startMs + DAY_MS - 1, receivedAtMs) };
}

/** The first moment in Lagos of a day that was given without a time, which is midnight there or in UTC; null: it has a time. */
function dayOf(valueAtMs: number): number | null {
  const isMidnight = (offsetMs: number) => (((valueAtMs + offsetMs) % DAY_MS) + DAY_MS) % DAY_MS === 0;
  if (isMidnight(LAGOS_MS)) return valueAtMs;
  return isMidnight(0) ? valueAtMs - LAGOS_MS : null;
}
