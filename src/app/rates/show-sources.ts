// Shows the rate sources to people: their description, whether they respond, and the age of their numbers.
import { RATE_PRODUCTS } from '../../domain/rates/rates.ts';
import { DESK } from '../../domain/rates/reading.ts';
import { MODES, type Mode } from '../../domain/values/mode.ts';
import type { RatePlan, RateSource, RateStore, SourceState } from '../../ports/rates.ts';
import type { RateDeps } from './judge-prices.ts';

/**
 * `stopped`: after repeated failures, the service does not read the source until `openUntilMs`. `failing`: the last read
 * failed. `stale`: the source responds, but its numbers are too old. `not_read`: the source was never read.
 */
export type SourceHealth = 'working' | 'stale' | 'failing' | 'stopped' | 'not_read';

export interface ShownSource extends Pick<RateSource, 'name' | 'kind' | 'everyMs' | 'ageLimitMs'> {
  readonly health: SourceHealth;
  /** Null if the source has never been due in any process. */
  readonly state: SourceState | null;
  /** The time of the source's newest number. Null if it has none. */
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

/**
 * Makes a text that the service logs at its start. It names the rate source of each mode, so that no person mistakes a sample
 * for a real price.
 */
export interface DescribeRatesDeps {
  readonly rateStore: Pick<RateStore, 'currentDeskPrices'>;
  readonly ratePlan: RatePlan;
}

export async function describeRates(deps: DescribeRatesDeps): Promise<Readonly<Record<Mode, string>>> {
  const [live, test] = await Promise.all(MODES.map((mode) => describeMode(deps, mode)));
  return { live: live!, test: test! };
}

async function describeMode({ rateStore, ratePlan }: DescribeRatesDeps, mode: Mode): Promise<string> {
  const names = RATE_PRODUCTS.flatMap((product) => ratePlan.planOf(mode, product).sources);
  const outside = [...new Set(names)].filter((name) => name !== DESK);
  if (outside.length > 0) return `rates of ${outside.length} sources (${outside.join(', ')})`;
  const prices = await Promise.all(
    RATE_PRODUCTS.map((product) => rateStore.currentDeskPrices(mode, product)),
  );
  const all = prices.flat();
  if (all.length === 0) return 'no rates until the desk sets them';
  return all.some(({ sample }) => sample)
    ? 'sample rates, which are not market prices'
    : 'prices of the desk';
}
