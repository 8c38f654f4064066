// Which sources there are, and which of them each product is priced from.
import type { RateProduct } from '../../domain/rates/rates.ts';
import type { ProductPlan } from '../../domain/rates/reading.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { RateSource } from './source.ts';

export interface RatePlan {
  /** Those of RATES_FILE, in its order; without the desk. */
  readonly sources: readonly RateSource[];
  planOf(mode: Mode, product: RateProduct): ProductPlan;
}
