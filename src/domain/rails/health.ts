// Decides from recent attempts and probes whether a rail is healthy. A rail that fails most of its payouts, or does not respond
// to probes, is paused. Consecutive successful probes resume the rail, and each pause is longer than the one before.

export interface RailFigures {
  readonly landed: number;
  /** Payouts that the rail finally refused because of the payout itself. In these cases the rail worked correctly. */
  readonly refused: number;
  /** Payouts that failed because of the rail, or that the rail did not take. */
  readonly failed: number;
  /** Payouts with an unknown outcome, including those that the rail has reported as pending for too long. */
  readonly unknown: number;
  /** Payouts in progress that are not overdue. */
  readonly underWay: number;
  /** The time from an attempt to the proof that it was paid, as median and 95th percentile. Null: no attempt was paid. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

export const HEALTH_WINDOW_MS = 15 * 60_000;
/** A payout that the rail has reported as pending for this long counts as a payout with an unknown outcome. */
export const PENDING_LONG_MS = 5 * 60_000;
const FEWEST_ATTEMPTS = 5;
const PROBES_IN_ROW = 3;
export const PROBE_EVERY_MS = 30_000;
const FIRST_PAUSE_MS = 2 * 60_000;
const LONGEST_PAUSE_MS = 60 * 60_000;
/** If a rail stays healthy for this long after a pause, its next pause has the shortest length again. */
const FORGIVEN_AFTER_MS = 2 * 60 * 60_000;

export interface HealthState {
  readonly goodProbes: number;
  readonly badProbes: number;
  /** The number of pauses that followed each other within a short time. */
  readonly pauses: number;
  /** The time when the health check paused the rail. Null: the health check has not paused it. */
  readonly pausedAtMs: number | null;
  /** Attempts before this time do not count, so that a resumed rail is judged only by its new attempts. */
  readonly judgedFromMs: number;
}

/** The reason why a probe failed; null: the rail answered. */
export type ProbeFailure = string | null;

export interface HealthJudgement {
  readonly next: HealthState;
  /** The reason why the rail must be paused now. Null: it is not paused. */
  readonly pause: string | null;
  readonly resumed: boolean;
}

export function judgeHealth(
  state: HealthState,
  figures: RailFigures,
  failure: ProbeFailure,
  atMs: number,
): HealthJudgement {
  const probed: HealthState = {
    ...state,
    goodProbes: failure === null ? state.goodProbes + 1 : 0,
    badProbes: failure === null ? 0 : state.badProbes + 1,
  };
  if (state.pausedAtMs !== null) return judgePausedRail(probed, state.pausedAtMs, atMs);
  const why = findHealthProblem(figures, probed.badProbes, failure);
  if (why === null) {
    const isForgiven = state.pauses > 0 && atMs - state.judgedFromMs >= FORGIVEN_AFTER_MS;
    return { next: isForgiven ? { ...probed, pauses: 0 } : probed, pause: null, resumed: false };
  }
  const next = { ...probed, goodProbes: 0, pauses: state.pauses + 1, pausedAtMs: atMs };
  return { next, pause: why, resumed: false };
}

function judgePausedRail(probed: HealthState, pausedAtMs: number, atMs: number): HealthJudgement {
  const isOver = probed.goodProbes >= PROBES_IN_ROW && atMs - pausedAtMs >= pauseMs(probed.pauses);
  if (!isOver) return { next: probed, pause: null, resumed: false };
  return { next: { ...probed, pausedAtMs: null, judgedFromMs: atMs }, pause: null, resumed: true };
}

export function findHealthProblem(
  figures: RailFigures,
  badProbes: number,
  failure: ProbeFailure,
): string | null {
  const { failed, unknown } = figures;
  const attempts = countJudgedAttempts(figures);
  if (attempts >= FEWEST_ATTEMPTS && (failed + unknown) * 2 > attempts)
    return `${failed + unknown} of ${attempts} payouts in 15 minutes failed at the rail or have an unknown outcome`;
  if (badProbes >= PROBES_IN_ROW) return `${badProbes} probes in a row failed: ${failure ?? 'no answer'}`;
  return null;
}

/** The minimum length of the nth pause within a short time: 2, 4, 8 … minutes, up to an hour. */
export function pauseMs(pauses: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(Math.max(0, pauses - 1), 10));
}

function countJudgedAttempts({ landed, refused, failed, unknown }: RailFigures): number {
  return landed + refused + failed + unknown;
}

/** The success rate in percent, rounded down. Null: there were no attempts to judge. */
export function successPercent(figures: RailFigures): number | null {
  const attempts = countJudgedAttempts(figures);
  const well = figures.landed + figures.refused;
  return attempts === 0 ? null : Math.floor((well * 100) / attempts);
}
