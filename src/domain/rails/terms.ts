// The times and promises on which decisions about payouts on a rail are based. An operator can only make them stricter:
// configured values below the minimums here are raised. Only the simulated bank of test mode is faster.

export interface RailTerms {
  /** The maximum time of one call, from its first byte to its outcome. */
  readonly timeoutMs: number;
  /** The time by which a payout's lease is longer than the call. */
  readonly leaseMarginMs: number;
  /** The wait after a refusal, and after the end of the last order call, before the first query that may confirm the refusal. */
  readonly confirmAfterMs: number;
  /** The wait between that query and the second one. */
  readonly confirmAgainMs: number;
  /** `paid_once`: the rail promises to pay a repeated reference only once. Otherwise a reference is never ordered twice. */
  readonly repeats: RepeatPromise;
  /** The wait after the last order before "not found" answers count. */
  readonly repeatAfterMs: number;
}

export const REPEAT_PROMISES = ['not_promised', 'paid_once'] as const;
export type RepeatPromise = (typeof REPEAT_PROMISES)[number];

const MINUTE_MS = 60_000;
const LEASE_MARGIN_MS = 30_000;
const CONFIRM_AGAIN_MS = 5 * MINUTE_MS;

/** The minimum wait before a refusal can be confirmed, for every real rail. */
export function leastConfirmMs(timeoutMs: number): number {
  return timeoutMs + MINUTE_MS;
}

/** The terms of a rail; values below a minimum are raised to it. */
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

/** The lease of a payout for the process that calls its rail. */
export function callLeaseMs({ timeoutMs, leaseMarginMs }: RailTerms): number {
  return timeoutMs + leaseMarginMs;
}

/** The terms of a rail that only sends reports. No decision uses them. */
export const REPORT_ONLY_TERMS: RailTerms = termsOfRail({ timeoutMs: 60_000 });
