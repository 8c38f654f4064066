// The figures of the overview.
import { useRead } from '../../../api/query.ts';
import type { BusinessPlace } from '../../../frame/place.ts';
import type { Day, Waiting } from './words.ts';

export interface DayTimes {
  readonly day: string;
  readonly completed: number;
  readonly p50_seconds: number | null;
  readonly p95_seconds: number | null;
}

export interface Overview {
  readonly as_of: string;
  readonly today: Day;
  readonly today_median_seconds: number | null;
  readonly days: readonly Day[];
  readonly durations: readonly DayTimes[];
  readonly waiting: Waiting;
}

export function useOverview({ api, mode }: BusinessPlace) {
  return useRead<Overview>(`${api}/overview/${mode}`);
}
