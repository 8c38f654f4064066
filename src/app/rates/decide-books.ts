// Decides the rates of every mode and product from the numbers of the rate sources and the desk. It stores each decision that
// differs from the current one. One process at a time decides a rate book.
import { decideBook } from '../../domain/rates/decide-book.ts';
import { RATE_PRODUCTS, type RateProduct } from '../../domain/rates/rates.ts';
import { DESK, type ProductPlan, type SourceReading } from '../../domain/rates/reading.ts';
import { isSameDecision } from '../../domain/rates/same-decision.ts';
import { ID_RANDOM_BYTES, makeId } from '../../domain/values/ids.ts';
import { MODES, type Mode } from '../../domain/values/mode.ts';
import type { Clock, Entropy } from '../../ports/clock.ts';
import type { BookInputs, RateBookName, RatePlan, RateStore } from '../../ports/rates.ts';

export interface DecideBooksDeps {
  readonly rateStore: Pick<RateStore, 'decide'>;
  readonly ratePlan: RatePlan;
  readonly clock: Clock;
  readonly entropy: Entropy;
}

export const ALL_BOOKS: readonly RateBookName[] = MODES.flatMap((mode) =>
  RATE_PRODUCTS.map((product) => ({ mode, product })),
);

/**
 * `busy` is true if another process is deciding at least one of the rate books now. That process may not have seen the newest
 * numbers.
 */
export async function decideBooks(
  deps: DecideBooksDeps,
  books: readonly RateBookName[] = ALL_BOOKS,
): Promise<'decided' | 'busy'> {
  // All rate books are decided in parallel, so that a failure in one of them does not prevent the others.
  const decided = await Promise.allSettled(books.map(({ mode, product }) => decideOne(deps, mode, product)));
  for (const each of decided) if (each.status === 'rejected') throw each.reason;
  return decided.some((each) => each.status === 'fulfilled' && each.value === 'busy') ? 'busy' : 'decided';
}

function decideOne(
  { rateStore, ratePlan, clock, entropy }: DecideBooksDeps,
  mode: Mode,
  product: RateProduct,
) {
  const plan = ratePlan.planOf(mode, product);
  return rateStore.decide(mode, product, (inputs) => {
    const readings = readingsOf(plan, ratePlan, inputs);
    const decision = decideBook({ plan, readings, lastAccepted: inputs.lastAccepted, nowMs: clock.now() });
    if (inputs.last !== null && isSameDecision(inputs.last, decision)) return null;
    return { ...decision, id: makeId('rat', decision.atMs, entropy.bytes(ID_RANDOM_BYTES)), mode };
  });
}

export function readingsOf(
  plan: ProductPlan,
  { sources }: RatePlan,
  inputs: BookInputs,
): readonly SourceReading[] {
  // The desk is always included. The override of the desk applies even if the plan does not list the desk as a source.
  return [...new Set([DESK, ...plan.sources, ...(plan.crosses ?? [])])].map((name): SourceReading => {
    if (name === DESK) return { source: DESK, ageLimitMs: null, rates: inputs.desk };
    const { ageLimitMs } = sources.find((each) => each.name === name)!;
    const rates = inputs.sources.find((each) => each.name === name)?.rates ?? [];
    const plain = { validUntilMs: null, override: false, confirmed: false };
    return { source: name, ageLimitMs, rates: rates.map((rate) => ({ ...rate, ...plain })) };
  });
}
