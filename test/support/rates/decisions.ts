// Rate decisions for tests.
import type { ValueDecision } from '../../../src/domain/rates/rate-decision.ts';
import { CURRENCIES, type Currency } from '../../../src/domain/rates/rates.ts';
import { makeId } from '../../../src/domain/values/ids.ts';
import type { StoredDecision } from '../../../src/ports/rates.ts';

export const MORNING = Date.parse('2026-11-14T09:30:10.000Z');

/** A decision about live OTC rates: one number for every currency, or none. */
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
