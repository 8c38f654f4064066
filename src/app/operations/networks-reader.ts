// The state of networks and treasuries, for pages. It is read once for all readers and cached for a few seconds, because every
// reading may cost a request to a provider.
import { MODES } from '../../domain/values/mode.ts';
import type { Clock } from '../../ports/clock.ts';
import type { DisabledNetwork } from '../../ports/networks/network.ts';
import { type ProvidersReading, readProviders } from '../networks/read-providers.ts';
import { readTreasuries, type TreasuryDeps, type TreasuryReading } from '../treasury/read-treasuries.ts';

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
    // A failure is not cached: the next reader reads again.
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
