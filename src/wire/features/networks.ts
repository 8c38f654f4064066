// The networks while the service runs: how their providers do, and those that could not be checked at the start tried again.
import { enableNetworks } from '../../workers/enable-networks.ts';
import { watchProviders } from '../../workers/watch-providers.ts';
import type { Feature, ServiceParts } from '../feature.ts';
import { fundNetwork } from '../test-mode.ts';

const PROVIDERS_EVERY_MS = 15_000;

export function networksFeature(parts: ServiceParts): Feature {
  const { networks, metrics, log, onError } = parts;
  const say = (loudness: 'info' | 'warn' | 'error', message: string, detail: object) =>
    log[loudness](detail, message);
  const watching = watchProviders({ networks, instruments: metrics, say, onError }, PROVIDERS_EVERY_MS);
  const enabling = enableNetworks({
    networks,
    enable: ({ mode, name }) =>
      parts.enableNetwork({ mode, name }, async (network) => {
        if (mode === 'test') await fundNetwork(parts, network);
      }),
    instruments: metrics,
    say,
  });
  return { loops: [watching, enabling] };
}
