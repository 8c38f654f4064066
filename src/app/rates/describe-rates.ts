// What each mode serves rates from, in words, for the start of the service: a sample is never mistaken for a price.
import { RATE_PRODUCTS } from '../../domain/rates/rates.ts';
import { DESK } from '../../domain/rates/reading.ts';
import { MODES, type Mode } from '../../domain/values/mode.ts';
import type { RatePlan } from '../../ports/rates/rate-plan.ts';
import type { RateStore } from '../../ports/rates/rate-store.ts';

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
  return all.some(({ sample }) => sample) ? 'sample rates, which are no market prices' : 'prices of the desk';
}
