// The values that every part of the Stellar adapter uses: the providers, the token and the treasury account.
import type { Network } from '../../../../ports/networks/network.ts';
import type { ChainParts } from '../../chain-parts.ts';
import type { Providers } from '../../providers/providers.ts';
import type { StellarSettings } from '../../settings/settings.ts';
import type { StellarToken } from './account.ts';
import type { Horizon } from './horizon.ts';

export interface StellarChain extends ChainParts {
  readonly settings: StellarSettings;
  readonly token: StellarToken;
  /** The account that sends payments and receives deposits. Deposits have a memo. */
  readonly treasury: string;
  readonly providers: Providers<Horizon>;
}

export type NetworkPart<Name extends keyof Network> = Pick<Network, Name>;
