// Shows one rate book to people: the last decision with every number that it considered, and the quoted rates for businesses of
// a tier.
import {
  type MissingRate,
  type ServedRate,
  servedRates,
  type UnservedReason,
} from '../../domain/rates/board.ts';
import type { ValueDecision } from '../../domain/rates/rate-decision.ts';
import { applySpread, CURRENCIES, RATE_PRODUCTS, type RateProduct } from '../../domain/rates/rates.ts';
import type { ProductPlan } from '../../domain/rates/reading.ts';
import { STANDARD_TIER, spreadFor } from '../../domain/rates/spread.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { Clock } from '../../ports/clock.ts';
import type { RateBoard, StoredSpread } from '../../ports/rates.ts';
import type { RateDeps } from './judge-prices.ts';

export interface ShownBook {
  readonly mode: Mode;
  readonly product: RateProduct;
  readonly tier: string;
  readonly plan: ProductPlan;
  /** Null if nothing was decided yet. */
  readonly decision: { readonly id: string; readonly atMs: number } | null;
  readonly values: readonly ShownValue[];
}

export interface ShownValue
  extends Pick<ValueDecision, 'currency' | 'valueE4' | 'validUntilMs' | 'candidates' | 'accepted'> {
  /** Null if there is no spread rule. Then the service quotes no rate. */
  readonly spreadBps: number | null;
  /** The rate including the spread. Null if the service does not serve the rate; `notServed` then says why. */
  readonly quotedE4: bigint | null;
  readonly notServed: UnservedReason | null;
}

export async function showBook(
  { rateStore, ratePlan, clock }: RateDeps,
  asked: { readonly mode: Mode; readonly product: RateProduct; readonly tier: string },
): Promise<ShownBook> {
  const { mode, product, tier } = asked;
  const [decision] = await rateStore.listDecisions(mode, product, 1);
  const spreads = await rateStore.listSpreads(mode);
  const atMs = clock.now();
  const values = CURRENCIES.map((currency) => {
    const decided = decision?.values.find((each) => each.currency === currency);
    const spreadBps = spreadFor(spreads, { product, currency, tier, atMs }) ?? null;
    const notServed = reasonNotServed(decided, spreadBps, atMs);
    const { valueE4 = null, validUntilMs = null, candidates = [], accepted = null } = decided ?? {};
    const served = notServed === null && valueE4 !== null && spreadBps !== null;
    const quoted = served ? applySpread(product, valueE4, spreadBps) : null;
    const price = { spreadBps, quotedE4: quoted, notServed };
    return { currency, valueE4, validUntilMs, candidates, accepted, ...price };
  });
  return {
    ...asked,
    plan: ratePlan.planOf(mode, product),
    decision: decision === undefined ? null : { id: decision.id, atMs: decision.atMs },
    values,
  };
}

/** The reasons are checked in the same order as on the rate board (domain/rates/board.ts). */
function reasonNotServed(
  decided: ValueDecision | undefined,
  spreadBps: number | null,
  atMs: number,
): UnservedReason | null {
  if (decided === undefined) return 'never_decided';
  if (decided.valueE4 === null) return decided.gap ?? 'no_source';
  if (decided.validUntilMs !== null && atMs >= decided.validUntilMs) return 'expired';
  return spreadBps === null ? 'no_spread' : null;
}

/**
 * Both rate books of one mode for the operator, with the quoted rates of each tier. The standard tier decides whether a product
 * counts as served.
 */
export interface ShownBooks {
  readonly asOfMs: number;
  /** The standard tier first, and then the tiers that have a spread rule. */
  readonly tiers: readonly string[];
  /** For each product, the rate books of all tiers in the order of the tiers. */
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

export interface ShowServedRatesDeps {
  readonly rateBoard: RateBoard;
  readonly clock: Clock;
}

export interface ServedProduct {
  readonly product: RateProduct;
  /** Null if nothing was decided yet. */
  readonly changedAtMs: number | null;
  /** The list is empty if one of the nine currencies is missing. */
  readonly rates: readonly ServedRate[];
  readonly missing: readonly MissingRate[];
}

export async function showServedRates(
  { rateBoard, clock }: ShowServedRatesDeps,
  { mode, tier }: { readonly mode: Mode; readonly tier: string },
): Promise<readonly ServedProduct[]> {
  const board = rateBoard.current() ?? (await rateBoard.refresh());
  const atMs = clock.now();
  return RATE_PRODUCTS.map((product) => {
    const served = servedRates(board, { mode, product, tier, atMs });
    return {
      product,
      changedAtMs: board.books[mode][product]?.changedAtMs ?? null,
      ...(served.ok ? { rates: served.value, missing: [] } : { rates: [], missing: served.error }),
    };
  });
}
