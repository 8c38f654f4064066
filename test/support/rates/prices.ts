// Rates for tests: desk prices, and decisions about rates.

import type { Database } from '../../../src/adapters/postgres/connection/database.ts';
import { makeRateStore } from '../../../src/adapters/postgres/rates/rate-store.ts';
import type { RateDeps } from '../../../src/app/rates/judge-prices.ts';
import type { ValueDecision } from '../../../src/domain/rates/rate-decision.ts';
import { CURRENCIES, type Currency, parseRate, type RateProduct } from '../../../src/domain/rates/rates.ts';
import { DESK } from '../../../src/domain/rates/reading.ts';
import { makeId } from '../../../src/domain/values/ids.ts';
import type { Mode } from '../../../src/domain/values/mode.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { DeskPrice, DeskWrites, StoredDecision } from '../../../src/ports/rates.ts';

const TWO_PEOPLE = { setBy: 'per_one', approvedBy: 'per_two', confirmed: true };

export interface GivenPrices {
  readonly mode: Mode;
  readonly product: RateProduct;
  readonly values: Readonly<Partial<Record<Currency, string>>>;
  readonly validForMs: number | null;
}

export function deskPrices({ mode, product, values, validForMs }: GivenPrices, atMs: number): DeskPrice[] {
  return CURRENCIES.filter((currency) => values[currency] !== undefined).map((currency) => ({
    ...{ mode, product, currency, valueE4: parseRate(values[currency]!)!, asOfMs: atMs },
    ...{ validUntilMs: validForMs === null ? null : atMs + validForMs, ...TWO_PEOPLE },
    ...{ override: false, sample: false },
  }));
}

export async function setDeskPrices(
  { deskWrites, clock }: { readonly deskWrites: DeskWrites; readonly clock: Clock },
  given: GivenPrices & { readonly spreadBps?: number },
): Promise<void> {
  const atMs = clock.now();
  const doing = { actor: 'per_one', atMs };
  const { mode, product, spreadBps } = given;
  if (spreadBps !== undefined)
    await deskWrites.addSpread(
      { mode, product, currency: null, tier: null, spreadBps, fromMs: atMs, setBy: 'per_one' },
      doing,
    );
  await deskWrites.addDeskPrices(deskPrices(given, atMs), doing);
}

// Creates rate decisions for tests.

export const MORNING = Date.parse('2026-11-14T09:30:10.000Z');

export function decisionOf(
  atMs: number,
  valueE4: bigint | null,
  more: Partial<StoredDecision> & { readonly validUntilMs?: number | null; readonly only?: Currency } = {},
): StoredDecision {
  const { validUntilMs = atMs + 3_600_000, only, ...rest } = more;
  const footing = valueE4 === null ? null : { valueE4, dollarE4: null, atMs };
  const value = (currency: Currency): ValueDecision => ({
    currency,
    ...{ valueE4, validUntilMs: valueE4 === null ? null : validUntilMs },
    gap: valueE4 === null ? 'too_few_sources' : null,
    accepted: footing && { ...footing, anchor: footing },
    candidates: [
      {
        ...{ source: 'desk', valueE4: valueE4 ?? 10n ** 30n, asOfMs: atMs, crossed: false },
        ...{ verdict: valueE4 === null ? 'out_of_bounds' : 'used', why: 'because' },
      },
    ],
  });
  return {
    id: makeId('rat', atMs, crypto.getRandomValues(new Uint8Array(10))),
    ...{ mode: 'live', product: 'otc_buy', atMs },
    values: (only === undefined ? CURRENCIES : [only]).map(value),
    ...rest,
  };
}

// Rates for tests of other settings. They are stored in the test's database, and only the desk sets prices.

export function rateDepsOn(database: Database): Pick<RateDeps, 'rateStore' | 'ratePlan'> {
  const planOf: RateDeps['ratePlan']['planOf'] = (_mode, product) => ({
    product,
    sources: [DESK],
    minimum: 1,
  });
  return { rateStore: makeRateStore(database), ratePlan: { sources: [], planOf } };
}
