// Desk prices for tests, as if two people had set them: they are accepted immediately, however far they are from the last ones.
import { CURRENCIES, type Currency, parseRate, type RateProduct } from '../../../src/domain/rates/rates.ts';
import type { Mode } from '../../../src/domain/values/mode.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { DeskPrice, DeskWrites } from '../../../src/ports/rates.ts';

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
