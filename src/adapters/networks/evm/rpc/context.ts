// The values that all parts of one EVM network share.
import type { Hex } from 'viem';
import type { ChainParts } from '../../chain-parts.ts';
import type { Providers } from '../../providers/providers.ts';
import { amountNeedsTwoProviders as amountNeedsTwo, type EvmSettings } from '../../settings/settings.ts';
import type { EvmClient } from './client.ts';

export interface EvmContext {
  readonly settings: EvmSettings;
  readonly parts: ChainParts;
  readonly providers: Providers<EvmClient>;
  readonly wallet: string;
  /** The treasury's address in lower case, like all other addresses of this adapter. */
  readonly treasury: Hex;
  readonly token: Hex;
  readonly disperse: Hex | null;
  readonly factory: Hex;
}

export function needsTwoProviders({ settings, providers }: EvmContext, amountMinor: bigint): boolean {
  return providers.count > 1 && amountNeedsTwo(settings, amountMinor);
}
