// What every part of the Stellar adapter works with: the providers, the token and the treasury account.
import type { Network } from '../../../../ports/networks/network.ts';
import type { ChainParts } from '../../chain-parts.ts';
import type { Providers } from '../../providers/providers.ts';
import type { StellarSettings } from '../../settings/settings.ts';
import type { StellarToken } from './account.ts';
import type { Horizon } from './horizon.ts';

export interface StellarChain extends ChainParts {
  readonly settings: StellarSettings;
  readonly token: StellarToken;
  /** The account that pays and is paid: deposits carry a memo. */
  readonly treasury: string;
  readonly providers: Providers<Horizon>;
}

/** The adapter is put together from parts, each for one job. */
export type NetworkPart<Name extends keyof Network> = Pick<Network, Name>;
