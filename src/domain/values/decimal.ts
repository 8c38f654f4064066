// An amount in minor units as decimal text in whole units: exact, without separators.

/** `15000.00` for 1500000 with two places. */
export function decimal(amountMinor: bigint, places: number): string {
  const negative = amountMinor < 0n;
  const digits = (negative ? -amountMinor : amountMinor).toString().padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  return `${negative ? '-' : ''}${whole}${places === 0 ? '' : `.${digits.slice(-places)}`}`;
}
