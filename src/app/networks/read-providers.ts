// The health of every network's providers, and whether enough of them answer: a proof needs two providers if the network has at
// least two.
import { MODES, type Mode } from '../../domain/values/mode.ts';
import type { Networks } from '../../ports/networks/network.ts';
import type { ProviderState } from '../../ports/networks/network-watch.ts';

export interface ProvidersReading {
  readonly mode: Mode;
  readonly network: string;
  readonly providers: readonly ProviderState[];
  readonly answering: number;
  /** How many more providers are needed for everything to work; 0 if there are enough. */
  readonly missing: number;
}

/** The number of providers that must agree to prove something. */
const PROVIDERS_TO_AGREE = 2;

/** Reads the providers of every network that has providers. */
export async function readProviders({
  networks,
}: {
  readonly networks: Networks;
}): Promise<readonly ProvidersReading[]> {
  const all = MODES.flatMap((mode) => networks.enabled(mode).map((network) => ({ mode, network })));
  const readings = await Promise.all(
    all.map(async ({ mode, network }) => {
      const providers = await network.providers();
      const answering = providers.filter(({ problem }) => problem === null).length;
      const missing = Math.max(0, Math.min(PROVIDERS_TO_AGREE, providers.length) - answering);
      return { mode, network: network.name, providers, answering, missing };
    }),
  );
  return readings.filter(({ providers }) => providers.length > 0);
}
