// The rates that are served: the last decision of each product with the spreads. An expired value is not served, and its reader
// gets a refusal with the reason.
import type { Mode } from '../values/mode.ts';
import { type Refusal, refusal } from '../values/refusals.ts';
import type { RateGap } from './rate-decision.ts';
import { applySpread, CURRENCIES, type Currency, type RateProduct } from './rates.ts';
import { type SpreadRule, spreadFor } from './spread.ts';

export interface UsedSource {
  readonly name: string;
  readonly valueE4: bigint;
  readonly asOfMs: number;
}

export interface BoardValue {
  readonly valueE4: bigint;
  /** The time when the value expires. Null: the value is a sample of test mode, which does not expire. */
  readonly validUntilMs: number | null;
  readonly sources: readonly UsedSource[];
}

export interface BoardBook {
  readonly decisionId: string;
  readonly changedAtMs: number;
  readonly values: Readonly<Partial<Record<Currency, BoardValue>>>;
  readonly gaps: Readonly<Partial<Record<Currency, RateGap>>>;
}

export interface BoardSnapshot {
  /** Every snapshot in a process has a different number. */
  readonly generation: number;
  readonly books: Readonly<Record<Mode, Readonly<Partial<Record<RateProduct, BoardBook>>>>>;
  /** The spread rules in the order in which they were added. */
  readonly spreads: Readonly<Record<Mode, readonly SpreadRule[]>>;
}

export interface ServedRate extends BoardValue {
  readonly currency: Currency;
  readonly rateE4: bigint;
  readonly spreadBps: number;
  readonly decisionId: string;
}

export type UnservedReason = RateGap | 'never_decided' | 'expired' | 'no_spread';

export interface RateQuestion {
  readonly mode: Mode;
  readonly product: RateProduct;
  readonly tier: string;
  readonly atMs: number;
}

export function servedRate(
  board: BoardSnapshot,
  { mode, product, tier, atMs }: RateQuestion,
  currency: Currency,
): ServedRate | UnservedReason {
  const book = board.books[mode][product];
  if (book === undefined) return 'never_decided';
  const value = book.values[currency];
  if (value === undefined) return book.gaps[currency] ?? 'no_source';
  if (value.validUntilMs !== null && atMs >= value.validUntilMs) return 'expired';
  const spreadBps = spreadFor(board.spreads[mode], { product, currency, tier, atMs });
  if (spreadBps === undefined) return 'no_spread';
  const rateE4 = applySpread(product, value.valueE4, spreadBps);
  return { ...value, currency, rateE4, spreadBps, decisionId: book.decisionId };
}

/**
 * Returns all nine rates, or else only the missing ones with the reasons. An incomplete set of rates is never returned, because
 * a client could read a missing rate as zero.
 */
export function servedRates(
  board: BoardSnapshot,
  asked: RateQuestion,
):
  | { readonly ok: true; readonly value: readonly ServedRate[] }
  | { readonly ok: false; readonly error: readonly MissingRate[] } {
  const served: ServedRate[] = [];
  const missing: MissingRate[] = [];
  for (const currency of CURRENCIES) {
    const rate = servedRate(board, asked, currency);
    if (typeof rate === 'string') missing.push({ currency, why: rate });
    else served.push(rate);
  }
  return missing.length === 0 ? { ok: true, value: served } : { ok: false, error: missing };
}

export interface MissingRate {
  readonly currency: Currency;
  readonly why: UnservedReason;
}

const REASON_TEXTS: Readonly<Record<UnservedReason, string>> = {
  never_decided: 'never set',
  no_source: 'no source has a price',
  too_few_sources: 'too few live sources agree',
  jump_unconfirmed: 'a change of more than 5 % is not confirmed yet',
  expired: 'the last value has expired',
  no_spread: 'no spread is set',
};

/** The refusal of rates that are not served, with the reason for each currency. */
export function ratesUnavailable(missing: readonly MissingRate[]): Refusal {
  const reasons = [...new Set(missing.map(({ why }) => why))];
  const groups = reasons.map((reason) => {
    const codes = missing.filter(({ why }) => why === reason).map(({ currency }) => currency);
    return `${codes.join(', ')} (${REASON_TEXTS[reason]})`;
  });
  return refusal(
    'rates_unavailable',
    `There is no current rate for ${groups.join(' and for ')}. Try again later, or ask the operator.`,
  );
}
