// Opens settlement, its treasuries and its networks.
import { makeSetUpRecords } from '../../adapters/postgres/networks/network-identity.ts';
import { openScreeningList } from '../../adapters/screening/list-file.ts';
import { startEnablingNetworks } from '../../workers/enable-networks.ts';
import { startOutflowWatch } from '../../workers/watch-outflows.ts';
import { startProviderWatch } from '../../workers/watch-providers.ts';
import { startTreasuryWatch } from '../../workers/watch-treasuries.ts';
import type { Feature, ServiceParts } from '../feature.ts';
import { openSettlement } from '../settlement.ts';
import { fundNetwork } from '../test-mode.ts';

export async function settlementFeature(parts: ServiceParts): Promise<Feature> {
  const { config, log, metrics, signals, onError } = parts;
  const screening = await openScreeningList(config.screeningList, onError);
  const settlement = await openSettlement(config, { ...parts, screening }, log, metrics.observeStage);
  signals.listen({ accepted: settlement.accepted, wakeFeeds: settlement.wakeFeeds });
  return { loops: [settlement] };
}

// Watches the treasuries: compares their balances with the ledger, and checks that this service signed every outgoing transfer.
const TREASURIES_EVERY_MS = 15_000;
const OUTFLOWS_EVERY_MS = 10_000;

export function treasuryFeature(parts: ServiceParts): Feature {
  const { treasuryWatch, guard, guards, networks, clock, metrics: instruments, store, log, onError } = parts;
  const outflows = startOutflowWatch(
    { treasuryWatch, guard, guards, networks, clock, instruments, onError },
    OUTFLOWS_EVERY_MS,
  );
  const treasuries = startTreasuryWatch(
    {
      guard,
      guards,
      networks,
      store,
      setUps: makeSetUpRecords(parts.database),
      clock,
      ledgerAudit: parts.ledgerAudit,
      instruments,
      onTrouble: (message, detail) => log.warn(detail, message),
      onError,
    },
    TREASURIES_EVERY_MS,
  );
  return { loops: [outflows, treasuries] };
}

// Looks after the networks while the service runs: watches their providers, and tries again to enable networks that the service
// could not check at the start.
const PROVIDERS_EVERY_MS = 15_000;

export function networksFeature(parts: ServiceParts): Feature {
  const { networks, metrics, log, onError } = parts;
  const say = (loudness: 'info' | 'warn' | 'error', message: string, detail: object) =>
    log[loudness](detail, message);
  const watching = startProviderWatch({ networks, instruments: metrics, say, onError }, PROVIDERS_EVERY_MS);
  const enabling = startEnablingNetworks({
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
