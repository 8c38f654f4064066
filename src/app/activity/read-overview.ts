// The overview of a business: today's figures, the last thirty days (Lagos time), and the items that need an action of the
// business. Days without transactions have zeros, so that a plot has no gaps.
import { lagosDay } from '../../domain/values/calendar.ts';
import type { ActivityFigureReads, DayDurations, DayFigures, WaitingCounts } from '../../ports/activity.ts';
import type { Clock } from '../../ports/clock.ts';
import { type BusinessReader, scopeOf } from '../input/caller.ts';

export const OVERVIEW_DAYS = 30;
const DAY_MS = 86_400_000;

/** On a day without a completed transaction, the durations are null. */
export type OverviewDurations = Omit<DayDurations, 'p50Ms' | 'p95Ms'> & {
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
};

export interface Overview {
  readonly asOfMs: number;
  readonly today: DayFigures;
  /** The median duration of the transactions created today. */
  readonly todayMedianMs: number | null;
  /** Oldest first, today last. Fewer than thirty days when the business has more transactions than are counted. */
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
 * When not all rows were counted, the figures before the first complete day are unknown, so these days are left out and not shown
 * as zero.
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
