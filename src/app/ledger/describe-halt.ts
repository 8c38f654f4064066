// Why sends of an asset are halted, as people read it. The stored reason has amounts in minor units, because its writer may not
// know the decimals; pages show whole tokens.
import type { Mode } from '../../domain/values/mode.ts';
import { formatDecimal } from '../../domain/values/money.ts';
import type { DescribedNetworks } from '../../ports/networks/network.ts';
import { makeAssetDecimals } from './browse-ledger.ts';

const MINOR = /(\d+) minor units/g;

export function describeHalt(
  networks: DescribedNetworks,
  { mode, asset, reason }: { readonly mode: Mode; readonly asset: string; readonly reason: string },
): string {
  const places = makeAssetDecimals(networks)(mode, asset);
  if (places === null) return reason;
  const [code] = asset.split('@');
  return reason.replaceAll(MINOR, (_, minor: string) => `${formatDecimal(BigInt(minor), places)} ${code}`);
}
