// Reads amounts in the formats of banks. Text is converted to exact kobo or rejected, and never to a floating-point number.
const NAIRA = /^(0|[1-9]\d{0,15})(?:\.(\d{1,10}))?$/;

export function nairaText(amountMinor: bigint): string {
  const digits = amountMinor.toString().padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/**
 * Parses a text that contains an amount in kobo. Returns null if the text is not an amount or has a fraction of a kobo.
 * `100.00` is 100, because some banks write zero decimals.
 */
export function parseKobo(text: string | null): bigint | null {
  const match = NAIRA.exec(text ?? '');
  if (match === null || /[1-9]/.test(match[2] ?? '')) return null;
  return BigInt(match[1]!);
}

/**
 * Parses an amount in naira and returns kobo, or null if the text is not an amount. With `exact`, an amount with a fraction of
 * a kobo also returns null. `down` drops the fraction, and is for amounts that are only displayed, such as a balance with three
 * decimals.
 */
export function parseNairaAsKobo(text: string, rounding: 'exact' | 'down'): bigint | null {
  const match = NAIRA.exec(text);
  if (match === null) return null;
  const [, naira = '0', fraction = ''] = match;
  if (rounding === 'exact' && /[1-9]/.test(fraction.slice(2))) return null;
  return BigInt(`${naira}${fraction.slice(0, 2).padEnd(2, '0')}`);
}

// The code below reads times in the formats of banks. A time without a zone is Lagos time, whose offset has been the same in
// all relevant years.
const ISO = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)(Z|[+-]\d{2}:?\d{2})?$/;
/** One bank writes 2/13/2021 4:11:09 PM, and another bank writes 13/02/2021 4:11:09 PM. */
const SLASHES = /^(\d{1,2})\/(\d{1,2})\/(\d{4}) (\d{1,2}):(\d{2}):(\d{2}) (AM|PM)$/i;

/**
 * Returns milliseconds, or null if the text is not a time or has another format. `first` says whether the day or the month
 * comes before the first slash.
 */
export function parseBankTime(text: string | null, first: 'day' | 'month'): number | null {
  const iso = ISO.exec(text ?? '');
  if (iso !== null) {
    const [, day, time, zone = '+01:00'] = iso;
    return finiteOrNull(Date.parse(`${day}T${time}${zone.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')}`));
  }
  const slashes = SLASHES.exec(text ?? '');
  if (slashes === null) return null;
  const [, one, other, year, hour, minute, second, half] = slashes;
  const [month, day] = first === 'month' ? [one, other] : [other, one];
  const hours = (Number(hour) % 12) + (half!.toUpperCase() === 'PM' ? 12 : 0);
  const two = (part: string | number) => String(part).padStart(2, '0');
  return finiteOrNull(
    Date.parse(`${year}-${two(month!)}-${two(day!)}T${two(hours)}:${minute}:${second}+01:00`),
  );
}

function finiteOrNull(ms: number): number | null {
  return Number.isNaN(ms) ? null : ms;
}
