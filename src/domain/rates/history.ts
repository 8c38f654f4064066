// The history of values without spread: one point per minute, aggregated to hours and days.
import type { Currency, RateProduct } from './rates.ts';

export const HISTORY_INTERVALS = ['1m', '1h', '1d'] as const;
export type HistoryInterval = (typeof HISTORY_INTERVALS)[number];

export const INTERVAL_MS: Readonly<Record<HistoryInterval, number>> = {
  '1m': 60_000,
  '1h': 3_600_000,
  '1d': 86_400_000,
};

/** The values during one interval. Days and hours begin in UTC. */
export interface HistoryPoint {
  readonly atMs: number;
  readonly firstE4: bigint;
  readonly lastE4: bigint;
  readonly lowE4: bigint;
  readonly highE4: bigint;
}

export interface HistoryQuestion {
  readonly product: RateProduct;
  readonly currency: Currency;
  readonly interval: HistoryInterval;
  readonly fromMs: number;
  readonly toMs: number;
}
