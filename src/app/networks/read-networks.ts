// The state of the networks: the health of their providers, and for pages also the treasuries.
import { MODES, type Mode } from '../../domain/values/mode.ts';
import type { Clock } from '../../ports/clock.ts';
import type { DisabledNetwork, Networks } from '../../ports/networks/network.ts';
import type { ProviderState } from '../../ports/networks/network-watch.ts';
import { readTreasuries, type TreasuryDeps, type TreasuryReading } from '../treasury/read-treasuries.ts';

export interface ProvidersReading {
  readonly mode: Mode;
  readonly network: string;
  readonly providers: readonly ProviderState[];
  readonly answering: number;
  readonly missing: number;
}

/** The number of providers that must agree to prove something. */
const PROVIDERS_TO_AGREE = 2;

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

// Reads the state of networks and treasuries for pages. It reads once for all readers and caches the result for a few seconds,
// because every reading may cost a request to a provider.

const KEPT_MS = 10_000;

export interface NetworksReading {
  readonly providers: readonly ProvidersReading[];
  readonly treasuries: readonly TreasuryReading[];
  readonly disabled: readonly DisabledNetwork[];
}

export function makeNetworksReader(
  deps: TreasuryDeps & { readonly clock: Clock },
): () => Promise<NetworksReading> {
  let kept: { readonly untilMs: number; readonly reading: Promise<NetworksReading> } | undefined;
  return () => {
    const nowMs = deps.clock.now();
    if (kept !== undefined && nowMs < kept.untilMs) return kept.reading;
    const reading = readNetworks(deps);
    kept = { untilMs: nowMs + KEPT_MS, reading };
    // A failure is not cached, so the next reader reads again.
    reading.catch(() => {
      kept = undefined;
    });
    return reading;
  };
}

async function readNetworks(deps: TreasuryDeps): Promise<NetworksReading> {
  const [providers, treasuries] = await Promise.all([readProviders(deps), readTreasuries(deps)]);
  return { providers, treasuries, disabled: MODES.flatMap((mode) => deps.networks.disabled(mode)) };
}
