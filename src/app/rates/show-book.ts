// One book as people read it: the last decision with every number that was looked at, and what businesses of a tier are quoted.
import type { NotServed } from '../../domain/rates/board.ts';
import type { ValueDecision } from '../../domain/rates/decision.ts';
import { CURRENCIES, quotedE4, type RateProduct } from '../../domain/rates/rates.ts';
import type { ProductPlan } from '../../domain/rates/reading.ts';
import { spreadFor } from '../../domain/rates/spread.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { RateDeps } from './rate-deps.ts';

export interface ShownBook {
  readonly mode: Mode;
  readonly product: RateProduct;
  readonly tier: string;
  readonly plan: ProductPlan;
  /** Null: nothing was decided yet. */
  readonly decision: { readonly id: string; readonly atMs: number } | null;
  readonly values: readonly ShownValue[];
}

export interface ShownValue
  extends Pick<ValueDecision, 'currency' | 'valueE4' | 'validUntilMs' | 'candidates' | 'accepted'> {
  /** Null: there is no rule for it, and nothing is quoted. */
  readonly spreadBps: number | null;
  /** With the spread. Null: not served, and `notServed` says why. */
  readonly quotedE4: bigint | null;
  readonly notServed: NotServed | null;
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
    const quoted = served ? quotedE4(product, valueE4, spreadBps) : null;
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

/** In the order in which the board answers (domain/rates/board.ts). */
function reasonNotServed(
  decided: ValueDecision | undefined,
  spreadBps: number | null,
  atMs: number,
): NotServed | null {
  if (decided === undefined) return 'never_decided';
  if (decided.valueE4 === null) return decided.gap ?? 'no_source';
  if (decided.validUntilMs !== null && atMs >= decided.validUntilMs) return 'expired';
  return spreadBps === null ? 'no_spread' : null;
}
