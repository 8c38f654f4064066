// The overview of a business: the figures of today and of the last thirty days (Lagos time), and the items for which the
// business must act. Days without transactions have zeros, so that a plot has no gaps.
import { lagosDay } from '../../domain/values/calendar.ts';
import type { ActivityFigureReads, DayDurations, DayFigures, WaitingCounts } from '../../ports/activity.ts';
import type { Clock } from '../../ports/clock.ts';
import { type BusinessReader, scopeOf } from '../input/caller.ts';

export const OVERVIEW_DAYS = 30;
const DAY_MS = 86_400_000;

/** The durations are null for a day without a completed transaction. */
export type OverviewDurations = Omit<DayDurations, 'p50Ms' | 'p95Ms'> & {
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
};

export interface Overview {
  readonly asOfMs: number;
  readonly today: DayFigures;
  readonly todayMedianMs: number | null;
  /**
   * The days from the oldest to today. There are fewer than thirty days if the business has more transactions than the service
   * counts.
   */
  readonly days: readonly DayFigures[];
  readonly durations: readonly OverviewDurations[];
  readonly waiting: WaitingCounts;
}

export async function readOverview(
  { figures, clock }: { readonly figures: ActivityFigureReads; readonly clock: Clock },
  reader: BusinessReader,
): Promise<Overview> {
  const asOfMs = clock.now();
  const scope = scopeOf(reader);
  const names = dayNames(asOfMs);
  const sinceMs = dayStartMs(names[0]!);
  const [byDay, durations, waiting] = await Promise.all([
    figures.byDay(scope, sinceMs),
    figures.durations(scope, sinceMs),
    figures.waiting(scope, asOfMs - DAY_MS),
  ]);
  const days = fillMissingDays(names, byDay, (day) => ({ ...EMPTY_FIGURES, day }));
  const timed = fillMissingDays<OverviewDurations>(names, durations, (day) => ({
    day,
    completed: 0,
    p50Ms: null,
    p95Ms: null,
  }));
  const today = days.at(-1) ?? { ...EMPTY_FIGURES, day: names.at(-1)! };
  return { asOfMs, today, todayMedianMs: timed.at(-1)?.p50Ms ?? null, days, durations: timed, waiting };
}

const EMPTY_FIGURES = {
  ...{ buys: 0, sells: 0, boughtMinor: 0n, soldMinor: 0n },
  ...{ completed: 0, open: 0, onHold: 0, failed: 0, refunded: 0, lapsed: 0 },
};

function dayNames(nowMs: number): string[] {
  return Array.from({ length: OVERVIEW_DAYS }, (_, index) =>
    lagosDay(nowMs - (OVERVIEW_DAYS - 1 - index) * DAY_MS),
  );
}

function dayStartMs(day: string): number {
  return Date.parse(`${day}T00:00:00+01:00`);
}

/**
 * If the service did not count all rows, the figures before the first complete day are unknown. The result omits these days,
 * because zeros would be wrong.
 */
function fillMissingDays<T extends { readonly day: string }>(
  names: readonly string[],
  { days, whole }: { readonly days: readonly T[]; readonly whole: boolean },
  nothing: (day: string) => T,
): T[] {
  const known = new Map(days.map((each) => [each.day, each]));
  const first = whole ? '' : (days[0]?.day ?? '~');
  return names.filter((day) => day >= first).map((day) => known.get(day) ?? nothing(day));
}
