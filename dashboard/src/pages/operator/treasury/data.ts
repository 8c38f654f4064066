// Reads of the treasuries, and how their amounts compare.
import { useRead } from '../../../api/reads.ts';
import type { Mode } from '../../../frame/place.ts';

/** Not read again by itself: every read of businesses' data is in the audit log. */
export function useTreasuries(mode: Mode) {
  return useRead('/operator/treasury/{mode}', { params: { mode } });
}

/** How large a part is of a whole, in percent. Amounts have the same decimals, so their digits can be compared. */
export function percentOf(part: string, whole: string): number {
  const total = digitsOf(whole);
  return total <= 0n ? 0 : Number((digitsOf(part) * 10_000n) / total) / 100;
}

export function larger(a: string, b: string): string {
  return digitsOf(a) >= digitsOf(b) ? a : b;
}

function digitsOf(amount: string): bigint {
  return BigInt(amount.replace('.', ''));
}
