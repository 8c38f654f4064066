// The times and promises of a rail on which decisions about its payouts are based. An operator can only make them stricter:
// configured values below the minimums in this file are raised. Only the simulated bank of test mode is faster.

export interface RailTerms {
  /** The maximum time of one call, from its first byte to its outcome. */
  readonly timeoutMs: number;
  /** The lease of a payout is longer than the call by this time. */
  readonly leaseMarginMs: number;
  /**
   * The wait before the first query that may confirm a refusal. It starts after the refusal and after the end of the last order
   * call.
   */
  readonly confirmAfterMs: number;
  /** The wait between the first and the second query that confirm a refusal. */
  readonly confirmAgainMs: number;
  /**
   * `paid_once`: the rail promises to pay a repeated reference only once. On a rail without this promise, a reference is never
   * ordered twice.
   */
  readonly repeats: RepeatPromise;
  /** How long after the last order "not found" answers begin to count. */
  readonly repeatAfterMs: number;
}

export const REPEAT_PROMISES = ['not_promised', 'paid_once'] as const;
export type RepeatPromise = (typeof REPEAT_PROMISES)[number];

const MINUTE_MS = 60_000;
const LEASE_MARGIN_MS = 30_000;
const CONFIRM_AGAIN_MS = 5 * MINUTE_MS;

/** The minimum wait before a refusal can be confirmed. It applies to every real rail. */
export function leastConfirmMs(timeoutMs: number): number {
  return timeoutMs + MINUTE_MS;
}

export function termsOfRail(
  given: Pick<RailTerms, 'timeoutMs'> &
    Partial<Pick<RailTerms, 'confirmAfterMs' | 'repeats' | 'repeatAfterMs'>>,
): RailTerms {
  const { timeoutMs, confirmAfterMs = 0, repeats = 'not_promised', repeatAfterMs = 0 } = given;
  return {
    timeoutMs,
    leaseMarginMs: LEASE_MARGIN_MS,
    confirmAfterMs: Math.max(confirmAfterMs, leastConfirmMs(timeoutMs)),
    confirmAgainMs: CONFIRM_AGAIN_MS,
    repeats,
    repeatAfterMs: Math.max(repeatAfterMs, 2 * timeoutMs),
  };
}

/** The simulated bank of test mode answers at once, and a tester should not wait minutes for a refusal. */
export const SIMULATED_TERMS: RailTerms = {
  timeoutMs: 1_000,
  leaseMarginMs: 5_000,
  confirmAfterMs: 1_000,
  confirmAgainMs: 1_000,
  repeats: 'paid_once',
  repeatAfterMs: 2_000,
};

export function callLeaseMs({ timeoutMs, leaseMarginMs }: RailTerms): number {
  return timeoutMs + leaseMarginMs;
}

/** The terms of a rail that only sends reports. No decision uses them. */
export const REPORT_ONLY_TERMS: RailTerms = termsOfRail({ timeoutMs: 60_000 });
