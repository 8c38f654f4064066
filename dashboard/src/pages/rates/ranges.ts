// How far back each interval of the chart looks. A question has at most 1,500 points.
import type { GetRateHistoryAnswer, GetRateHistoryQuery } from '../../api/console-types.ts';

export type History = GetRateHistoryAnswer;
export type RateQuery = GetRateHistoryQuery;
export type Interval = History['interval'];

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

export const RANGES: Readonly<
  Record<Interval, { readonly label: string; readonly stepMs: number; readonly lengthMs: number }>
> = {
  '1m': { label: '24 hours', stepMs: MINUTE_MS, lengthMs: DAY_MS },
  '1h': { label: '30 days', stepMs: HOUR_MS, lengthMs: 30 * DAY_MS },
  '1d': { label: '1 year', stepMs: DAY_MS, lengthMs: 365 * DAY_MS },
};

export function intervalStart(atMs: number, interval: Interval): number {
  const { stepMs } = RANGES[interval];
  return Math.floor(atMs / stepMs) * stepMs;
}
