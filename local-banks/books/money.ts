// Calculates naira and kobo without floats. Amounts are bigint kobo internally, and responses convert them to the unit of the
// provider.

export type Kobo = bigint;

/** Parses decimal naira from a text or a JSON number with at most two decimals. For anything else it returns undefined. */
export function parseNairaAsKobo(value: unknown): Kobo | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') return undefined;
  const found = /^(\d{1,15})(?:\.(\d{1,2}))?$/.exec(text.trim());
  if (found === null) return undefined;
  return BigInt(found[1]!) * 100n + BigInt((found[2] ?? '').padEnd(2, '0'));
}

export function nairaText(kobo: Kobo): string {
  const sign = kobo < 0n ? '-' : '';
  const digits = String(kobo < 0n ? -kobo : kobo).padStart(3, '0');
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

export function nairaNumber(kobo: Kobo): number {
  return Number(nairaText(kobo));
}
