// An amount in minor units as decimal text in whole units: exact, without separators.

/** `15000.00` for 1500000 with two places. */
export function decimal(amountMinor: bigint, places: number): string {
  const negative = amountMinor < 0n;
  const digits = (negative ? -amountMinor : amountMinor).toString().padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  return `${negative ? '-' : ''}${whole}${places === 0 ? '' : `.${digits.slice(-places)}`}`;
}

/** The minor units of decimal text, exactly or not at all; undefined also for zero. */
export function parseDecimal(text: string, places: number): bigint | undefined {
  const match = /^([0-9]{1,24})(?:\.([0-9]+))?$/.exec(text);
  if (match === null) return undefined;
  const fraction = match[2] ?? '';
  if (fraction.length > places) return undefined;
  const amountMinor = BigInt(match[1]! + fraction.padEnd(places, '0'));
  return amountMinor > 0n ? amountMinor : undefined;
}
