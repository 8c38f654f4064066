// Amounts as banks write them. Text becomes kobo exactly or not at all, and never through a floating-point number.

const NAIRA = /^(0|[1-9]\d{0,15})(?:\.(\d{1,10}))?$/;

/** `15250.50`: naira with two decimals. */
export function nairaText(amountMinor: bigint): string {
  const digits = amountMinor.toString().padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Kobo of a text in kobo; null when it is none, or has a fraction of a kobo. `100.00` is 100: some write decimals that say nothing. */
export function wholeKobo(text: string | null): bigint | null {
  const match = NAIRA.exec(text ?? '');
  if (match === null || /[1-9]/.test(match[2] ?? '')) return null;
  return BigInt(match[1]!);
}

/**
 * Kobo of a text in naira; null when it is none. `exact`: null too when it has a fraction of a kobo. `down`: the fraction is left off,
 * for what is only shown, such as a balance with three decimals.
 */
export function koboOfNaira(text: string, rounding: 'exact' | 'down'): bigint | null {
  const match = NAIRA.exec(text);
  if (match === null) return null;
  const [, naira = '0', fraction = ''] = match;
  if (rounding === 'exact' && /[1-9]/.test(fraction.slice(2))) return null;
  return BigInt(`${naira}${fraction.slice(0, 2).padEnd(2, '0')}`);
}
