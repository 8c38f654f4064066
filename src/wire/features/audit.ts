// The audit log while the service runs: digests of what keys do, verification, and the head of the day.
import { watchAudit } from '../../workers/watch-audit.ts';
import type { Feature, ServiceParts } from '../feature.ts';

export function auditFeature(parts: ServiceParts): Feature {
  const { audit, clock, config, guards, metrics, log, onError } = parts;
  const watch = watchAudit({
    ...{ audit, clock, guards, instruments: metrics, onError },
    digestEveryMs: config.auditDigestMs,
    onHead: (head) => log.info({ ...head }, 'audit head'),
    onTrouble: (message, detail) => log.error(detail, message),
  });
  return { loops: [watch] };
}
