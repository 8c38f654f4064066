// Whether a rail is well: from its recent attempts and from probes. Pure. A rail that fails most of its payouts, or does not answer
// probes, is paused; probes that succeed in a row resume it, and each pause is longer than the one before it.

/** The outcomes of attempts on a rail since a time. */
export interface RailFigures {
  readonly landed: number;
  /** Refused for good because of the payout itself: the rail did its work. */
  readonly refused: number;
  /** Refused by fault of the rail, or not taken by it. */
  readonly failed: number;
  /** Among them those that the rail has called pending for too long. */
  readonly unknown: number;
  /** No answer is missing: they are on their way. */
  readonly underWay: number;
  /** The times from the attempt to the proof that it landed; null: none landed. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

export const HEALTH_WINDOW_MS = 15 * 60_000;
/** A payout that its rail calls pending for so long counts as one whose outcome is unknown. */
export const PENDING_LONG_MS = 5 * 60_000;
const FEWEST_ATTEMPTS = 5;
const PROBES_IN_ROW = 3;
export const PROBE_EVERY_MS = 30_000;
const FIRST_PAUSE_MS = 2 * 60_000;
const LONGEST_PAUSE_MS = 60 * 60_000;
/** A rail that stayed well so long after a pause begins with the shortest one again. */
const FORGIVEN_AFTER_MS = 2 * 60 * 60_000;

export interface HealthState {
  readonly goodProbes: number;
  readonly badProbes: number;
  /** Pauses in short succession. */
  readonly pauses: number;
  /** The time since which the health check has paused it; null: it has not. */
  readonly pausedAtMs: number | null;
  /** Attempts before it are not judged: a rail that was resumed begins anew. */
  readonly judgedFromMs: number;
}

/** The reason why a probe failed; null: the rail answered. */
export type ProbeFailure = string | null;

export interface HealthJudgement {
  readonly next: HealthState;
  /** The reason for a pause now. */
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

/** The reason why a rail is unhealthy; null: it is healthy. */
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

/** The minimum length of the nth pause in short succession: 2, 4, 8 … minutes, up to an hour. */
export function pauseMs(pauses: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(Math.max(0, pauses - 1), 10));
}

/** Attempts whose outcome says something about the rail. */
function countJudgedAttempts({ landed, refused, failed, unknown }: RailFigures): number {
  return landed + refused + failed + unknown;
}

/** The success rate in percent, rounded down; null: there was nothing to judge. */
export function successPercent(figures: RailFigures): number | null {
  const attempts = countJudgedAttempts(figures);
  const well = figures.landed + figures.refused;
  return attempts === 0 ? null : Math.floor((well * 100) / attempts);
}
