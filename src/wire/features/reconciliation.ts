// Reconciles the bank accounts, once a day and whenever a statement arrives. It also watches for vendor accounts that stopped
// receiving credits.
import { StoreUnavailable } from '../../ports/store/store.ts';
import { startDailyReconciliation } from '../../workers/reconcile-daily.ts';
import { startSilentVendorWatch } from '../../workers/watch-silent-vendors.ts';
import type { Feature, ServiceParts } from '../feature.ts';

export function reconciliationFeature(parts: ServiceParts): Feature {
  const { reconciliation, clock, entropy, guards, log, metrics } = parts;
  const onError = (error: Error) => {
    if (error instanceof StoreUnavailable)
      log.debug({ why: error.message }, 'reconciliation waits for the database');
    else log.error({ err: error }, 'reconciliation');
  };
  const loop = startDailyReconciliation({
    ...{ reconciliation, clock, entropy, guards, instruments: metrics, onError },
    onDifferences: (detail) =>
      log.error(detail, 'the books and the bank differ: see bin/sliproad reconcile show'),
  });
  const silentVendors = startSilentVendorWatch({
    ...{ silentVendors: parts.silentVendors, clock, instruments: metrics, onError },
    policy: parts.config.silentVendors,
    onSilent: (message, detail) => log.error(detail, message),
  });
  return { loops: [loop, silentVendors] };
}
