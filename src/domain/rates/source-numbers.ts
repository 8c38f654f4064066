// Collects the numbers of each source for a currency, in naira per unit. If a source does not list the currency, its number is
// a cross rate: its own dollar rate times the ratio of the other sources. A source never has more than one number.
import { findAgreement } from './agreement.ts';
import type { Currency } from './rates.ts';
import { DESK, type SourceRate, type SourceReading } from './reading.ts';

export interface SourceNumber {
  readonly source: string;
  readonly valueE4: bigint;
  readonly asOfMs: number;
  /** The time at which the number becomes stale. Null: the number is a sample, which does not expire. */
  readonly endMs: number | null;
  readonly crossed: boolean;
  readonly override: boolean;
  /** How many sources the number counts as. A desk price that two people confirmed counts as two. */
  readonly weight: number;
}

export function directNumbers(
  currency: Currency,
  sources: readonly string[],
  readings: readonly SourceReading[],
): SourceNumber[] {
  const names = new Set(sources);
  const numbers = new Map<string, SourceNumber>();
  for (const reading of readings) {
    const rate = findNewestRate(reading.rates, currency);
    if (rate === undefined) continue;
    const isOverride = reading.source === DESK && rate.override;
    if (!names.has(reading.source) && !isOverride) continue;
    numbers.set(reading.source, {
      source: reading.source,
      valueE4: rate.valueE4,
      asOfMs: rate.asOfMs,
      endMs: findRateEnd(rate, reading.ageLimitMs),
      crossed: false,
      override: isOverride,
      weight: reading.source === DESK && rate.confirmed ? 2 : 1,
    });
  }
  return [...numbers.values()];
}

function findNewestRate(rates: readonly SourceRate[], currency: Currency): SourceRate | undefined {
  let newest: SourceRate | undefined;
  for (const rate of rates) {
    if (rate.currency !== currency) continue;
    if (newest === undefined || rate.asOfMs >= newest.asOfMs) newest = rate;
  }
  return newest;
}

function findRateEnd(rate: SourceRate, ageLimitMs: number | null): number | null {
  return earlierTime(rate.validUntilMs, ageLimitMs === null ? null : rate.asOfMs + ageLimitMs);
}

function earlierTime(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.min(a, b);
}

const RATIO_ONE = 10n ** 12n;

/** The input of a cross rate. All numbers have passed the checks, so a source with a wrong dollar rate is left out. */
export interface CrossRateInputs {
  readonly dollars: readonly SourceNumber[];
  /** The dollar rates of sources that are used only for cross rates. */
  readonly dollarsBeside: readonly SourceNumber[];
  readonly listed: readonly SourceNumber[];
  /** The product's sources that report a number for this currency. */
  readonly listing: ReadonlySet<string>;
}

/**
 * Computes numbers for sources that have a dollar rate but no number for this currency. Most of the sources that list the
 * currency must also have a dollar rate and agree on the ratio. Otherwise the crossed numbers would repeat the number of one
 * source and outvote the others.
 */
export function crossedNumbers({ dollars, dollarsBeside, listed, listing }: CrossRateInputs): SourceNumber[] {
  const lacking = dollars.filter(({ source }) => !listing.has(source));
  const known = [...dollars, ...dollarsBeside];
  const ratios = listed.flatMap((number) => {
    const dollar = known.find(({ source }) => source === number.source);
    if (dollar === undefined) return [];
    const valueE4 = (number.valueE4 * RATIO_ONE) / dollar.valueE4;
    return [
      {
        valueE4,
        weight: 1,
        asOfMs: oldestTime(number, dollar),
        endMs: earlierTime(number.endMs, dollar.endMs),
      },
    ];
  });
  if (lacking.length === 0 || ratios.length * 2 <= listed.length) return [];
  const { used, medianE4: ratio } = findAgreement(ratios);
  if (ratio === null) return [];
  return lacking.map((dollar) => ({
    source: dollar.source,
    valueE4: (dollar.valueE4 * ratio + RATIO_ONE / 2n) / RATIO_ONE,
    asOfMs: Math.min(dollar.asOfMs, ...used.map(({ asOfMs }) => asOfMs)),
    endMs: used.reduce((end, { endMs }) => earlierTime(end, endMs), dollar.endMs),
    crossed: true,
    override: false,
    weight: 1,
  }));
}

function oldestTime(a: SourceNumber, b: SourceNumber): number {
  return Math.min(a.asOfMs, b.asOfMs);
}
