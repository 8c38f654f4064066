// The values that every part of the Solana adapter uses: the providers, the mint and the wallet that pays, as read at the
// start.
import type { Address } from '@solana/kit';
import type { ChainParts } from '../../chain-parts.ts';
import type { Providers } from '../../providers/providers.ts';
import type { SolanaSettings } from '../../settings/settings.ts';
import type { SolanaClient } from './client.ts';
import type { Mint } from './token-account.ts';

export interface SolanaChain extends ChainParts {
  readonly settings: SolanaSettings;
  readonly providers: Providers<SolanaClient>;
  readonly mint: Mint;
  /** The wallet that pays the tokens and all fees. */
  readonly treasury: Address;
  readonly treasuryAccount: Address;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'it failed';
}

export function jsonTextOf(value: unknown): string {
  const text = JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}` : each));
  return text ?? 'null';
}
