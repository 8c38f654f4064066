// What use-cases about rates need: the stored rates, and which sources each product is priced from.
import type { Clock } from '../../ports/clock.ts';
import type { RatePlan } from '../../ports/rates/rate-plan.ts';
import type { RateStore } from '../../ports/rates/rate-store.ts';

export interface RateDeps {
  readonly rateStore: RateStore;
  readonly ratePlan: RatePlan;
  readonly clock: Clock;
}
