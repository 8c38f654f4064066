// The sources of rates as people read them: what each is, whether it answers, and how old its numbers are.

import type { SourceState } from '../../ports/rates/rate-store.ts';
import type { RateSource } from '../../ports/rates/source.ts';
import type { RateDeps } from './rate-deps.ts';

/**
 * `stopped`: its circuit is open, and it is not read until `openUntilMs`. `failing`: its last read failed. `stale`: it answers, with
 * numbers that are too old. `not_read`: never yet.
 */
export type SourceHealth = 'working' | 'stale' | 'failing' | 'stopped' | 'not_read';

export interface ShownSource extends Pick<RateSource, 'name' | 'kind' | 'everyMs' | 'ageLimitMs'> {
  readonly health: SourceHealth;
  /** Null: it has never been due in any process. */
  readonly state: SourceState | null;
  /** The moment its newest number holds for; null: it has none. */
  readonly newestAtMs: number | null;
}

export async function showSources({ rateStore, ratePlan, clock }: RateDeps): Promise<readonly ShownSource[]> {
  const states = await rateStore.listSources();
  const nowMs = clock.now();
  return ratePlan.sources.map(({ name, kind, everyMs, ageLimitMs }) => {
    const state = states.find((each) => each.name === name) ?? null;
    const times = (state?.rates ?? []).map(({ asOfMs }) => asOfMs);
    const newestAtMs = times.length === 0 ? null : Math.max(...times);
    const isStale = newestAtMs === null || nowMs - newestAtMs > ageLimitMs;
    return {
      ...{ name, kind, everyMs, ageLimitMs, state, newestAtMs },
      health: state === null ? 'not_read' : healthOf(state, isStale, nowMs),
    };
  });
}

function healthOf(
  { openUntilMs, failures, lastReadAtMs }: SourceState,
  isStale: boolean,
  nowMs: number,
): SourceHealth {
  if (openUntilMs !== null && openUntilMs > nowMs) return 'stopped';
  if (failures > 0) return 'failing';
  if (lastReadAtMs === null) return 'not_read';
  return isStale ? 'stale' : 'working';
}
