// The times and promises that decisions about payouts on a rail rest on. An operator can only make them stricter: what a rail is
// configured with is never below the floors here. The simulated bank of test mode alone is quicker.

export interface RailTerms {
  /** The longest time that one call of ours takes, from its first byte to its outcome. */
  readonly timeoutMs: number;
  /** The margin of the lease of a payout beyond the call. */
  readonly leaseMarginMs: number;
  /** The time after a refusal, and after the end of the last order call, when the rail is asked whether it means it. */
  readonly confirmAfterMs: number;
  /** The time after that question when it is asked once more. */
  readonly confirmAgainMs: number;
  /** `paid_once`: the rail promises that a reference it gets twice is paid once. Otherwise it is never ordered twice. */
  readonly repeats: RepeatPromise;
  /** Answers that the rail does not know a reference count from so long after the last order on. */
  readonly repeatAfterMs: number;
}

export const REPEAT_PROMISES = ['not_promised', 'paid_once'] as const;
export type RepeatPromise = (typeof REPEAT_PROMISES)[number];

const MINUTE_MS = 60_000;
const LEASE_MARGIN_MS = 30_000;
const CONFIRM_AGAIN_MS = 5 * MINUTE_MS;

/** The least that any real rail waits before it is asked whether it means a refusal. */
export function leastConfirmMs(timeoutMs: number): number {
  return timeoutMs + MINUTE_MS;
}

/** The terms of a rail; values below a floor are raised to it. */
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

/** The simulated bank of test mode: it answers at once, and a tester does not wait minutes for a refusal. */
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

/** The terms of a rail that only reports: nothing is decided by them. */
export const REPORT_ONLY_TERMS: RailTerms = termsOfRail({ timeoutMs: 60_000 });
