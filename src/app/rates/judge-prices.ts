// Decides how many people must agree to desk prices. It compares each price with the last accepted value, with the other rate
// sources, and with the prices that one person set since yesterday (domain/rates/price-change.ts). If one price needs two
// people, the whole request needs two people.
import { decideBook } from '../../domain/rates/decide-book.ts';
import { judgePrice, ONE_PERSON_WINDOW_MS } from '../../domain/rates/price-change.ts';
import type { NumberVerdict, ValueDecision } from '../../domain/rates/rate-decision.ts';
import type { Currency, RateProduct } from '../../domain/rates/rates.ts';
import { DESK } from '../../domain/rates/reading.ts';
import type { Mode } from '../../domain/values/mode.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { Clock } from '../../ports/clock.ts';
import type { BookInputs, DeskPrice, RatePlan, RateStore } from '../../ports/rates.ts';
import { readingsOf } from './decide-books.ts';

export interface RateDeps {
  readonly rateStore: RateStore;
  readonly ratePlan: RatePlan;
  readonly clock: Clock;
}

export interface CurrencyPrice {
  readonly currency: Currency;
  readonly valueE4: bigint;
}

/**
 * Returns the reason why the prices need two people, or null if one person is enough. If the result is a failure, it gives the
 * reason why a price is refused even with two people.
 */
export async function judgePrices(
  deps: RateDeps,
  {
    mode,
    product,
    prices,
  }: { readonly mode: Mode; readonly product: RateProduct; readonly prices: readonly CurrencyPrice[] },
): Promise<Result<string | null, string>> {
  const { rateStore, clock } = deps;
  const nowMs = clock.now();
  const recent = await rateStore.listDeskPrices(mode, product, nowMs - ONE_PERSON_WINDOW_MS);
  const inputs = await rateStore.readInputs(mode, product);
  const others = readOtherSources(deps, mode, product, inputs);
  const reasons: string[] = [];
  for (const { currency, valueE4 } of prices) {
    const judged = judgePrice({
      ...{ currency, valueE4 },
      lastAcceptedE4: inputs.lastAccepted[currency]?.valueE4 ?? null,
      othersE4: others(currency),
      setAlone: pricesSetAlone(recent, currency),
    });
    if (judged.kind === 'refused') return fail(`${currency}: ${judged.why}`);
    if (judged.kind === 'two_people') reasons.push(`${currency}: ${judged.why}`);
  }
  return ok(reasons.length === 0 ? null : reasons.join(' '));
}

/** Returns the current numbers of all rate sources except the desk, even of sources that the rate book does not use. */
function readOtherSources(
  { ratePlan, clock }: RateDeps,
  mode: Mode,
  product: RateProduct,
  inputs: BookInputs,
): (currency: Currency) => bigint | null {
  const all = ratePlan.planOf(mode, product);
  const plan = { ...all, sources: all.sources.filter((name) => name !== DESK), minimum: 1 };
  // The desk is left out. Otherwise its own override would count, and a price would be compared with itself.
  const readings = readingsOf(plan, ratePlan, inputs).filter(({ source }) => source !== DESK);
  const { values } = decideBook({ plan, readings, lastAccepted: {}, nowMs: clock.now() });
  return (currency) => acceptedOrMedian(values.find((each) => each.currency === currency));
}

const UNUSABLE_VERDICTS: readonly NumberVerdict[] = ['stale', 'from_the_future', 'out_of_bounds'];

/** Returns the accepted value, or the median of the usable values if the rate sources disagree. */
function acceptedOrMedian(value: ValueDecision | undefined): bigint | null {
  if (value === undefined || value.valueE4 !== null) return value?.valueE4 ?? null;
  const live = value.candidates
    .filter(({ verdict }) => !UNUSABLE_VERDICTS.includes(verdict))
    .map(({ valueE4 }) => valueE4)
    .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return live[live.length >> 1] ?? null;
}

/**
 * Returns the prices that one person set after the last price that two people agreed on, newest first. Samples are left out,
 * because the service set them. A price that ended at once is also left out, because it only marks the end of another price.
 */
function pricesSetAlone(recent: readonly DeskPrice[], currency: Currency): readonly bigint[] {
  const own = recent.filter((price) => price.currency === currency);
  const confirmed = own.findIndex((price) => price.confirmed);
  return own
    .slice(0, confirmed === -1 ? own.length : confirmed)
    .filter(({ sample, asOfMs, validUntilMs }) => !sample && validUntilMs !== asOfMs)
    .map(({ valueE4 }) => valueE4);
}
