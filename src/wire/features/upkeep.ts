// Maintains and checks stored data while the service runs: the audit log, the ledger, Idempotency-Keys, personal data and the
// request log.
import { makeQueueMetrics } from '../../adapters/postgres/reads/queue-metrics.ts';
import { makeRequestLog } from '../../adapters/postgres/requests/request-log.ts';
import { keepRequests } from '../../http/requests/keep-requests.ts';
import { addRequestRoutes } from '../../http/routes/requests.ts';
import { startLedgerWatch } from '../../workers/check-ledger.ts';
import { startErasingPersonalData } from '../../workers/erase-personal-data.ts';
import { startForgettingIdempotencyKeys, startForgettingRequests } from '../../workers/forget-old-rows.ts';
import { startGuardReport } from '../../workers/report-guards.ts';
import { startAuditWatch } from '../../workers/watch-audit.ts';
import { startRequestLogWriter } from '../../workers/write-request-log.ts';
import type { Feature, ServiceParts } from '../feature.ts';

/**
 * Maintains the audit log while the service runs: writes digests of key activity, verifies the log, and reports its head once a
 * day.
 */
export function auditFeature(parts: ServiceParts): Feature {
  const { audit, clock, config, guards, metrics, log, onError } = parts;
  const watch = startAuditWatch({
    ...{ audit, clock, guards, instruments: metrics, onError },
    digestEveryMs: config.auditDigestMs,
    onHead: (head) => log.info({ ...head }, 'audit head'),
    onTrouble: (message, detail) => log.error(detail, message),
  });
  return { loops: [watch] };
}

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
  return { loops: [watch, startGuardReport({ guards, instruments: metrics, say, onError })] };
}

export function idempotencyKeysFeature({ store, clock, onError, config }: ServiceParts): Feature {
  return { loops: [startForgettingIdempotencyKeys({ store, clock, onError }, config.idempotencyKeepMs)] };
}

export function privacyFeature({ privacy, clock, config, metrics, onError }: ServiceParts): Feature {
  const { personalDataKeepMs: keepMs, legalRetentionMs: byLawMs } = config;
  const deps = { privacy, clock, keepMs, byLawMs, instruments: metrics, onError };
  return { loops: [startErasingPersonalData(deps)] };
}

export function requestsFeature({ database, clock, config, metrics, onError }: ServiceParts): Feature {
  const requestLog = makeRequestLog(database);
  const writer = startRequestLogWriter({ requestLog, instruments: metrics, onError });
  const { record, flush } = writer;
  return {
    routes: [
      {
        server: 'main',
        add: (app, { authenticate }) => {
          keepRequests(app, { record, clock });
          addRequestRoutes(app, { requestLog, flush, authenticate });
        },
      },
      { server: 'otc', add: (app) => keepRequests(app, { record, clock }) },
    ],
    loops: [writer, startForgettingRequests({ requestLog, clock, onError }, config.requestLogKeepMs)],
  };
}
