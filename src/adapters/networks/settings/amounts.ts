// Amounts in the networks file: in whole units, and as text because a number would be rounded.
import type { Problems } from '../../settings-problems.ts';
import { text } from '../../settings-reader.ts';

const DECIMAL = /^(0|[1-9]\d{0,19})(?:\.(\d{1,30}))?$/;
export const AMOUNT_TEXT = 'an amount in whole units and in quotes, such as "1000000" or "0.5"';

/** `word` may stand for it. */
export function amount(fallback?: string, word?: string) {
  if (word === undefined) return text(DECIMAL, AMOUNT_TEXT, fallback);
  return text(new RegExp(`${DECIMAL.source}|^${word}$`), `${AMOUNT_TEXT}, or "${word}"`, fallback);
}

/** In minor units, never rounded. */
export function minorOf(given: string, decimals: number, at: Problems): bigint {
  const [, units = '0', fraction = ''] = DECIMAL.exec(given) ?? [];
  if (fraction.length > decimals) at.add(`has more than ${decimals} digits after the point`);
  return BigInt(`${units}${fraction.slice(0, decimals).padEnd(decimals, '0')}`);
}
