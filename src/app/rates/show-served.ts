// What a business is quoted now, for both products, as the API answers it.
import { type MissingRate, type ServedRate, servedRates } from '../../domain/rates/board.ts';
import { RATE_PRODUCTS, type RateProduct } from '../../domain/rates/rates.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { Clock } from '../../ports/clock.ts';
import type { RateBoard } from '../../ports/rates/rate-store.ts';

export interface ShowServedDeps {
  readonly rateBoard: RateBoard;
  readonly clock: Clock;
}

export interface ServedProduct {
  readonly product: RateProduct;
  /** Null: nothing was decided yet. */
  readonly changedAtMs: number | null;
  /** Empty when one of the nine is missing. */
  readonly rates: readonly ServedRate[];
  readonly missing: readonly MissingRate[];
}

export async function showServed(
  { rateBoard, clock }: ShowServedDeps,
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
