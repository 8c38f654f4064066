// Checks the ledger again and again, and measures the queues.
import { makeQueueMetrics } from '../../adapters/postgres/reads/queue-metrics.ts';
import { startLedgerWatch } from '../../workers/ledger-watch.ts';
import type { Feature, ServiceParts } from '../feature.ts';

export function ledgerWatchFeature(parts: ServiceParts): Feature {
  const { ledgerAudit, claimLimits, database, networks, clock, guards, metrics, log, onError } = parts;
  const watch = startLedgerWatch({
    ledgerAudit,
    queueMetrics: makeQueueMetrics(database),
    claimLimits,
    networks,
    clock,
    guards,
    instruments: metrics,
    onTrouble: (message, detail) => log.error(detail, message),
    onError,
  });
  return { loops: [watch] };
}
