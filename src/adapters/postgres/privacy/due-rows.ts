// When a stored row may be erased: after the end of its record, and a row that the law requires only after the time that the law
// sets.
import type { ErasureLimits } from '../../../ports/privacy.ts';
import type { StoredPersonalRow } from './personal-row-sql.ts';

export function isDue(row: StoredPersonalRow, limits: ErasureLimits): boolean {
  const dueMs = dueAtMs(row, limits);
  return dueMs !== null && dueMs <= limits.nowMs;
}

/** Null: its record has not ended. */
export function dueAtMs(
  { over_ms: overMs, by_law: byLaw }: StoredPersonalRow,
  { nowMs, overBeforeMs, byLawOverBeforeMs }: ErasureLimits,
): number | null {
  if (overMs === null) return null;
  const beforeMs = byLaw ? Math.min(overBeforeMs, byLawOverBeforeMs) : overBeforeMs;
  return overMs + (nowMs - beforeMs) + 1;
}
