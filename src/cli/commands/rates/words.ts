// Options and texts that the commands about rates share.
import { CURRENCIES, type Currency, RATE_PRODUCTS } from '../../../domain/rates/rates.ts';
import { formatDecimal } from '../../../domain/values/money.ts';
import { UsageError } from '../../terminal/command-error.ts';

export const PRODUCT = { choices: RATE_PRODUCTS, about: 'only this product' } as const;
export const REQUIRED_PRODUCT = {
  choices: RATE_PRODUCTS,
  needed: true,
  about: 'product of the rates',
} as const;

const RATE_DECIMALS = 4;

export function rateText(valueE4: bigint): string {
  return formatDecimal(valueE4, RATE_DECIMALS);
}

export function parseCurrency(text: string): Currency {
  const code = text.toUpperCase();
  const found = CURRENCIES.find((each) => each === code);
  if (found === undefined) throw new UsageError(`${text} is not one of ${CURRENCIES.join(', ')}.`);
  return found;
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
] as const;

/** Formats a duration in its largest whole unit: `3m`, `5h`, `2d`. */
export function durationText(durationMs: number): string {
  const unit = UNITS.find(([, ms]) => durationMs >= ms);
  return unit === undefined
    ? `${Math.max(0, Math.floor(durationMs / 1_000))}s`
    : `${Math.floor(durationMs / unit[1])}${unit[0]}`;
}

export function agoText(atMs: number, nowMs: number): string {
  return atMs > nowMs ? `${durationText(atMs - nowMs)} ahead` : `${durationText(nowMs - atMs)} old`;
}
