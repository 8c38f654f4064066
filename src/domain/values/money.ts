// Converts between text and naira amounts, which are a bigint number of kobo. The conversion from text is exact or it is
// refused; this file never rounds an input.
import { fail, ok, type Result } from './result.ts';

export interface AmountBounds {
  readonly minMinor: bigint;
  readonly maxMinor: bigint;
}

export type AmountProblem =
  | 'amount_malformed'
  | 'amount_below_minimum'
  | 'amount_above_maximum'
  | 'amount_too_precise';

const PLAIN_DECIMAL = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?$/;
/** A number with more integer digits exceeds every bound, so it need not be converted to bigint. */
const MAX_INTEGER_DIGITS = 20;

/**
 * Converts the source text of a JSON number to kobo. It compares the exact value with the bounds before it checks the number of
 * decimals. So 14999.9999999999999999 is below a minimum of 15000, and not "too precise".
 */
export function parseAmount(sourceText: string, bounds: AmountBounds): Result<bigint, AmountProblem> {
  const match = PLAIN_DECIMAL.exec(sourceText);
  if (match === null) return fail('amount_malformed');
  const [, sign, integer, fraction = ''] = match as unknown as [string, string, string, string | undefined];
  if (sign === '-') return fail('amount_below_minimum');
  if (integer.length > MAX_INTEGER_DIGITS) return fail('amount_above_maximum');
  const floorMinor = BigInt(integer) * 100n + BigInt(fraction.slice(0, 2).padEnd(2, '0'));
  const beyondKobo = /[1-9]/.test(fraction.slice(2));
  if (floorMinor < bounds.minMinor) return fail('amount_below_minimum');
  if (floorMinor > bounds.maxMinor || (floorMinor === bounds.maxMinor && beyondKobo)) {
    return fail('amount_above_maximum');
  }
  if (fraction.length > 2) return fail('amount_too_precise');
  return ok(floorMinor);
}

/**
 * Returns the same text for all spellings of one amount, without any bounds. A text that is no amount is returned unchanged.
 */
export function canonicalAmount(sourceText: string): string {
  const parsed = parseAmount(sourceText, { minMinor: 0n, maxMinor: MAX_WIRE_MINOR });
  return parsed.ok ? parsed.value.toString() : sourceText;
}

/**
 * Returns an amount as a JSON number in naira. The number is exact up to MAX_WIRE_MINOR, because it has at most 15 digits
 * including two decimals.
 */
export function minorToWire(amountMinor: bigint): number {
  return Number(amountMinor) / 100;
}

/** The largest amount for which a JSON number still shows both decimals. */
export const MAX_WIRE_MINOR = 10n ** 15n - 1n;

/** For example `₦15,000.00`. */
export function formatNaira(amountMinor: bigint): string {
  const negative = amountMinor < 0n;
  const digits = (negative ? -amountMinor : amountMinor).toString().padStart(3, '0');
  const naira = digits.slice(0, -2).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  return `${negative ? '-' : ''}₦${naira}.${digits.slice(-2)}`;
}

/**
 * Converts a naira amount to the minor units of a token with this number of decimals. The result is undefined if the token has
 * too few decimals for an exact result. One coin may have different decimals on different networks.
 */
export function koboToToken(amountMinor: bigint, decimals: number): bigint | undefined {
  if (decimals >= 2) return amountMinor * 10n ** BigInt(decimals - 2);
  const divisor = 10n ** BigInt(2 - decimals);
  return amountMinor % divisor === 0n ? amountMinor / divisor : undefined;
}

/**
 * Converts a token amount to kobo, rounded down. It also returns the remainder in the token's minor units, so that nothing is
 * lost.
 */
export function tokenToKobo(
  tokens: bigint,
  decimals: number,
): { readonly kobo: bigint; readonly rest: bigint } {
  if (decimals < 2) return { kobo: tokens * 10n ** BigInt(2 - decimals), rest: 0n };
  const unit = 10n ** BigInt(decimals - 2);
  return { kobo: tokens / unit, rest: tokens % unit };
}

/**
 * Assets are identified by name. The same coin on two networks is two assets, and each asset has its own decimals. Naira has
 * two decimals.
 */
export const NAIRA = 'NGN';

export function tokenAsset(code: string, network: string): string {
  return `${code}@${network}`;
}

// Converts an amount in minor units to exact decimal text in whole units, without separators.

/** For example, `1500000` with two places gives `15000.00`. */
export function formatDecimal(amountMinor: bigint, places: number): string {
  const negative = amountMinor < 0n;
  const digits = (negative ? -amountMinor : amountMinor).toString().padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  return `${negative ? '-' : ''}${whole}${places === 0 ? '' : `.${digits.slice(-places)}`}`;
}

/** Converts decimal text to minor units exactly; the result is undefined if this is impossible or if the amount is zero. */
export function parseDecimal(text: string, places: number): bigint | undefined {
  const match = /^([0-9]{1,24})(?:\.([0-9]+))?$/.exec(text);
  if (match === null) return undefined;
  const fraction = match[2] ?? '';
  if (fraction.length > places) return undefined;
  const amountMinor = BigInt(match[1]! + fraction.padEnd(places, '0'));
  return amountMinor > 0n ? amountMinor : undefined;
}
