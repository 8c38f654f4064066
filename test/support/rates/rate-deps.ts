// Rates for tests of other settings: stored in the test's database, and priced only by the desk.
import type { Database } from '../../../src/adapters/postgres/connection/database.ts';
import { makeRateStore } from '../../../src/adapters/postgres/rates/rate-store.ts';
import type { RateDeps } from '../../../src/app/rates/judge-prices.ts';
import { DESK } from '../../../src/domain/rates/reading.ts';

export function rateDepsOn(database: Database): Pick<RateDeps, 'rateStore' | 'ratePlan'> {
  const planOf: RateDeps['ratePlan']['planOf'] = (_mode, product) => ({
    product,
    sources: [DESK],
    minimum: 1,
  });
  return { rateStore: makeRateStore(database), ratePlan: { sources: [], planOf } };
}
