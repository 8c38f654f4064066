// Finds the products that should have rates but have none. A product should have rates if it had rates before, or if rate
// sources are configured for it. A live product that was never set up is not reported.
import { type BoardSnapshot, type MissingRate, servedRates } from '../../domain/rates/board.ts';
import { RATE_PRODUCTS, type RateProduct } from '../../domain/rates/rates.ts';
import { DESK } from '../../domain/rates/reading.ts';
import { STANDARD_TIER } from '../../domain/rates/spread.ts';
import { MODES, type Mode } from '../../domain/values/mode.ts';
import type { Clock } from '../../ports/clock.ts';
import type { RateBoard, RatePlan, RateStore } from '../../ports/rates.ts';

export interface JudgeProductsDeps {
  readonly rateStore: Pick<RateStore, 'listDecisions'>;
  readonly rateBoard: RateBoard;
  readonly ratePlan: RatePlan;
  readonly clock: Clock;
}

export interface ProductState {
  readonly mode: Mode;
  readonly product: RateProduct;
  /** The list is empty if the service serves rates for all nine currencies. */
  readonly missing: readonly MissingRate[];
  readonly isExpected: boolean;
}

export async function judgeProducts(deps: JudgeProductsDeps): Promise<readonly ProductState[]> {
  const states: ProductState[] = [];
  for (const mode of MODES)
    for (const product of RATE_PRODUCTS) states.push(await judgeProduct(deps, mode, product));
  return states;
}

async function judgeProduct(
  deps: JudgeProductsDeps,
  mode: Mode,
  product: RateProduct,
): Promise<ProductState> {
  const { rateBoard, clock } = deps;
  const missingOn = (board: BoardSnapshot) => {
    const served = servedRates(board, { mode, product, tier: STANDARD_TIER, atMs: clock.now() });
    return served.ok ? [] : served.error;
  };
  const missing = missingOn(rateBoard.current() ?? (await rateBoard.refresh()));
  if (missing.length === 0) return { mode, product, missing, isExpected: true };
  if (!(await isProductExpected(deps, mode, product))) return { mode, product, missing, isExpected: false };
  // A decision that is newer than the board in memory may be the reason why rates are expected. So the service reads the board
  // again.
  return { mode, product, missing: missingOn(await rateBoard.refresh()), isExpected: true };
}

async function isProductExpected(
  { rateStore, ratePlan }: JudgeProductsDeps,
  mode: Mode,
  product: RateProduct,
): Promise<boolean> {
  if (ratePlan.planOf(mode, product).sources.some((name) => name !== DESK)) return true;
  const [last] = await rateStore.listDecisions(mode, product, 1);
  return last?.values.some(({ accepted }) => accepted !== null) ?? false;
}
