// Renders times as ISO 8601, and amounts as exact decimal text: naira with two decimals, tokens with the decimals of their
// network.
import type { TokenDecimals } from '../../app/ledger/judge-ledger.ts';
import type { Mode } from '../../domain/values/mode.ts';
import { formatDecimal, NAIRA } from '../../domain/values/money.ts';

const NAIRA_PLACES = 2;

export function nairaText(amountMinor: bigint): string {
  return formatDecimal(amountMinor, NAIRA_PLACES);
}

export function nairaOrNull(amountMinor: bigint | null): string | null {
  return amountMinor === null ? null : nairaText(amountMinor);
}

/** An asset is naira, or a token's code followed by its network. */
export function renderAmount(
  amountMinor: bigint,
  { mode, asset }: { readonly mode: Mode; readonly asset: string },
  decimals: TokenDecimals,
): { readonly amount: string | null; readonly asset: string; readonly network: string | null } {
  if (asset === NAIRA) return { amount: nairaText(amountMinor), asset, network: null };
  const [code = asset, network = null] = asset.split('@');
  const places = decimals[mode].get(asset);
  // This token is not one of our tokens, so its number of decimals is unknown.
  return { amount: places === undefined ? null : formatDecimal(amountMinor, places), asset: code, network };
}

export const isoTime = (atMs: number): string => new Date(atMs).toISOString();
export const isoOrNull = (atMs: number | null): string | null => (atMs === null ? null : isoTime(atMs));
