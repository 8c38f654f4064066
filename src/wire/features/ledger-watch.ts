// Checks the ledger again and again, measures the queues, and says which guards of this process do not complete.
import { makeQueueMetrics } from '../../adapters/postgres/reads/queue-metrics.ts';
import { startLedgerWatch } from '../../workers/ledger-watch.ts';
import { reportGuards } from '../../workers/report-guards.ts';
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
  const say = (loudness: 'info' | 'error', message: string, detail: object) => log[loudness](detail, message);
  return { loops: [watch, reportGuards({ guards, instruments: metrics, say, onError })] };
}
