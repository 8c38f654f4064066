// Readings of rate sources for tests of the rate book, in a short notation with naira as decimal text.
import { decideBook } from '../../../src/domain/rates/decide-book.ts';
import type { AcceptedValue, RateDecision, ValueDecision } from '../../../src/domain/rates/rate-decision.ts';
import { type Currency, parseRate } from '../../../src/domain/rates/rates.ts';
import {
  DESK,
  type ProductPlan,
  type SourceRate,
  type SourceReading,
} from '../../../src/domain/rates/reading.ts';

export const NOW = Date.UTC(2026, 5, 12, 12);
export const HOUR = 3_600_000;

export interface NumberOptions {
  readonly asOfMs?: number;
  readonly validUntilMs?: number | null;
  readonly override?: boolean;
  readonly confirmed?: boolean;
}

export function e4(text: string): bigint {
  const value = parseRate(text);
  if (value === undefined) throw new Error(`not a rate: ${text}`);
  return value;
}

export function rate(currency: Currency, value: string | bigint, options: NumberOptions = {}): SourceRate {
  const valueE4 = typeof value === 'string' ? e4(value) : value;
  const plain = { asOfMs: NOW, validUntilMs: null, override: false, confirmed: false };
  return { currency, valueE4, ...plain, ...options };
}

export function reading(source: string, ...rates: readonly SourceRate[]): SourceReading {
  return { source, ageLimitMs: source === DESK ? null : HOUR, rates };
}

/** One reading of the dollar for each value, from sources a, b, c … */
export function dollars(...values: readonly (string | bigint)[]): SourceReading[] {
  return values.map((value, index) => reading(nameOf(index), rate('USD', value)));
}

export function nameOf(index: number): string {
  return String.fromCharCode(97 + index);
}

function plan(minimum: number, ...sources: readonly string[]): ProductPlan {
  return { product: 'otc_buy', sources, minimum };
}

export function accepted(
  value: string | bigint,
  dollar: string | null = null,
  atMs = NOW - 60_000,
): AcceptedValue {
  const valueE4 = typeof value === 'string' ? e4(value) : value;
  const footing = { valueE4, dollarE4: dollar === null ? null : e4(dollar), atMs };
  return { ...footing, anchor: footing };
}

export function decide(
  minimum: number,
  readings: readonly SourceReading[],
  given: { readonly last?: Partial<Record<Currency, AcceptedValue>>; readonly nowMs?: number } = {},
): RateDecision {
  const sources = readings.map(({ source }) => source);
  return decideBook({
    plan: plan(minimum, ...sources),
    readings,
    lastAccepted: given.last ?? {},
    nowMs: given.nowMs ?? NOW,
  });
}

export function valueIn(decision: RateDecision, currency: Currency = 'USD'): ValueDecision {
  return decision.values.find((value) => value.currency === currency)!;
}

export function verdicts(decision: RateDecision, currency: Currency = 'USD'): Record<string, string> {
  return Object.fromEntries(
    valueIn(decision, currency).candidates.map(({ source, verdict }) => [source, verdict]),
  );
}
