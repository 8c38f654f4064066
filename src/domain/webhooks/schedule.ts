// Decides when a webhook delivery is tried again, and how many attempts of an endpoint may run at once. An attempt never starts
// before its time in the schedule, or before the time that the receiver requested. The schedule limits the number of attempts.

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The pause before each attempt of a delivery. The ten attempts take 75.6 hours in total. */
export const SCHEDULE_MS: readonly number[] = [
  0,
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
export const MOST_ATTEMPTS = SCHEDULE_MS.length;

/** The maximum pause between two attempts, even if the receiver requests a longer one. */
export const LONGEST_PAUSE_MS = 24 * HOUR_MS;
/** Jitter makes a pause between two attempts longer by at most this share. */
const JITTER = 0.1;

export const FIRST_WINDOW = 2;
export const WIDEST_WINDOW = 32;

export type AttemptOutcome =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfterMs: number | null }
  | { readonly kind: 'failed' }
  | { readonly kind: 'refused' };

export type FailureReason = 'attempts_used' | 'gone' | 'address_refused';

export type NextStep =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'failed'; readonly reason: FailureReason }
  | { readonly kind: 'retry'; readonly inMs: number };

const HTTP_GONE = 410;

export function isSuccessfulAttempt(outcome: AttemptOutcome): boolean {
  return outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300;
}

/**
 * `attemptsMade`: the number of attempts in this round of the schedule, including the last one. `random`: a number from 0 to 1.
 */
export function decideNextStep(outcome: AttemptOutcome, attemptsMade: number, random: number): NextStep {
  if (isSuccessfulAttempt(outcome)) return { kind: 'delivered' };
  if (outcome.kind === 'refused') return { kind: 'failed', reason: 'address_refused' };
  if (outcome.kind === 'answered' && outcome.status === HTTP_GONE) return { kind: 'failed', reason: 'gone' };
  const scheduledMs = SCHEDULE_MS[attemptsMade];
  if (scheduledMs === undefined) return { kind: 'failed', reason: 'attempts_used' };
  const askedMs = outcome.kind === 'answered' ? (outcome.retryAfterMs ?? 0) : 0;
  const pauseMs = Math.max(scheduledMs, askedMs);
  return { kind: 'retry', inMs: Math.min(LONGEST_PAUSE_MS, Math.ceil(pauseMs * (1 + JITTER * random))) };
}

/** Returns how many attempts of an endpoint may run at once: one more after each success, and only one after a failure. */
export function windowAfter(window: number, outcome: AttemptOutcome): number {
  return isSuccessfulAttempt(outcome) ? Math.min(WIDEST_WINDOW, window + 1) : 1;
}
