// What every part of the adapter works with: the providers, the mint and the wallet that pays, as they were found at the
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
  /** Pays the tokens and all fees. */
  readonly treasury: Address;
  /** Where its tokens are. */
  readonly treasuryAccount: Address;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'it failed';
}

// Values of the chain as text: they hold numbers that JSON cannot write by itself.

/** JSON of what may hold big numbers. */
export function jsonTextOf(value: unknown): string {
  const text = JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}` : each));
  return text ?? 'null';
}
