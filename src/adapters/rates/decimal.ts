// Reads numbers from rate sources from their text and never through a double. Only a plain decimal number is accepted. Text
// with a comma, a currency sign or NaN is rejected.

/** A decimal number. Its value is `units` divided by 10 to the power of `scale`. */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

const NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;
const MOST_CHARACTERS = 60;
const MOST_EXPONENT = 40;
/** The largest rate that is accepted. No currency has a higher rate, and a higher rate would not fit into the database. */
const MOST_E4 = 10n ** 16n;

/**
 * Reads the number in a JSON string or in the source text of a JSON number. Returns undefined if the text is not a number or
 * the number is too large.
 */
export function readDecimal(text: string): Decimal | undefined {
  const match = text.length <= MOST_CHARACTERS ? NUMBER.exec(text.trim()) : null;
  if (match === null) return undefined;
  const [, sign, whole, fraction = '', exponentText = '0'] = match;
  const exponent = Number(exponentText);
  if (Math.abs(exponent) > MOST_EXPONENT) return undefined;
  const digits = BigInt(`${sign}${whole}${fraction}`);
  const scale = fraction.length - exponent;
  return scale >= 0 ? { units: digits, scale } : { units: digits * 10n ** BigInt(-scale), scale: 0 };
}

/**
 * Returns the number in ten-thousandths, rounded half up (away from zero). Returns undefined if the number is too large for a
 * rate.
 */
export function toE4({ units, scale }: Decimal): bigint | undefined {
  return withinBounds(divideHalfUp(units * 10_000n, 10n ** BigInt(scale)));
}

/**
 * Returns the quotient in ten-thousandths, rounded once. Returns undefined for a division by zero or a result that is too large
 * for a rate.
 */
export function quotientE4(dividend: Decimal, divisor: Decimal): bigint | undefined {
  if (divisor.units === 0n) return undefined;
  return withinBounds(
    divideHalfUp(
      dividend.units * 10_000n * 10n ** BigInt(divisor.scale),
      divisor.units * 10n ** BigInt(dividend.scale),
    ),
  );
}

export function middleOf(one: Decimal, other: Decimal): Decimal {
  const scale = Math.max(one.scale, other.scale);
  const sum = unitsAt(one, scale) + unitsAt(other, scale);
  return { units: sum * 5n, scale: scale + 1 };
}

/** Returns a negative number if the first number is smaller, and a positive number if it is larger. */
export function compareDecimals(one: Decimal, other: Decimal): number {
  const scale = Math.max(one.scale, other.scale);
  const [left, right] = [unitsAt(one, scale), unitsAt(other, scale)];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function unitsAt({ units, scale }: Decimal, wanted: number): bigint {
  return units * 10n ** BigInt(wanted - scale);
}

function withinBounds(valueE4: bigint): bigint | undefined {
  return valueE4 > -MOST_E4 && valueE4 < MOST_E4 ? valueE4 : undefined;
}

function divideHalfUp(dividend: bigint, divisor: bigint): bigint {
  const isNegative = dividend < 0n !== divisor < 0n;
  const [top, bottom] = [magnitude(dividend), magnitude(divisor)];
  const rounded = (2n * top + bottom) / (2n * bottom);
  return isNegative ? -rounded : rounded;
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}
