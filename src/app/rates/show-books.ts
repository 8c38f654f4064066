// Both books of one mode as the operator looks at them, with what each tier is quoted. The standard tier decides whether a product
// counts as served.
import { RATE_PRODUCTS } from '../../domain/rates/rates.ts';
import { STANDARD_TIER } from '../../domain/rates/spread.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { StoredSpread } from '../../ports/rates/rate-store.ts';
import type { RateDeps } from './rate-deps.ts';
import { type ShownBook, showBook } from './show-book.ts';

export interface ShownBooks {
  readonly asOfMs: number;
  /** The standard one first, then those that a spread rule names. */
  readonly tiers: readonly string[];
  /** Of each product the books of all tiers, in the order of the tiers. */
  readonly books: readonly (readonly [ShownBook, ...ShownBook[]])[];
}

export async function showBooks(deps: RateDeps, mode: Mode): Promise<ShownBooks> {
  const [standard, ...others] = tiersOf(await deps.rateStore.listSpreads(mode));
  const books: [ShownBook, ...ShownBook[]][] = [];
  for (const product of RATE_PRODUCTS) {
    const ofProduct: [ShownBook, ...ShownBook[]] = [await showBook(deps, { mode, product, tier: standard })];
    for (const tier of others) ofProduct.push(await showBook(deps, { mode, product, tier }));
    books.push(ofProduct);
  }
  return { asOfMs: deps.clock.now(), tiers: [standard, ...others], books };
}

function tiersOf(spreads: readonly StoredSpread[]): readonly [string, ...string[]] {
  const named = new Set(spreads.flatMap(({ tier }) => (tier === null ? [] : [tier])));
  named.delete(STANDARD_TIER);
  return [STANDARD_TIER, ...named];
}
