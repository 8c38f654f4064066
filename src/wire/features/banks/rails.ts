// Rails: each is probed and judged, paused while it is sick, compared with our payouts and stopped at the first payment that we do not
// know, and its state is reported.
import { makePayoutGuard } from '../../../adapters/postgres/rails/payout-guard.ts';
import { StoreUnavailable } from '../../../ports/store/unavailable.ts';
import { startPayoutGuard } from '../../../workers/rails/guard-payouts.ts';
import { reportRails, startRailChecks } from '../../../workers/rails/watch-rails.ts';
import type { Feature, ServiceParts } from '../../feature.ts';
import { makeRarely } from '../../say-rarely.ts';

export function railsFeature(parts: ServiceParts): Feature {
  const { railDesk, store, clock, log, metrics, bankRails } = parts;
  const onError = (error: Error) => {
    if (error instanceof StoreUnavailable) log.debug({ why: error.message }, 'rails wait for the database');
    else log.error({ err: error }, 'rails');
  };
  const checks = startRailChecks({
    ...{ banks: bankRails, railDesk, clock, onError },
    onPaused: (message, detail) => log.error(detail, message),
    onResumed: (message, detail) => log.info(detail, message),
  });
  const rarely = makeRarely();
  const guard = startPayoutGuard({
    ...{ banks: bankRails, payoutGuard: makePayoutGuard(parts.database), clock, onError },
    reconciliation: parts.reconciliation,
    onStopped: (message, detail) => log.error(detail, message),
    onUnread: ({ mode, rail, why }) => {
      if (rarely(`${mode} ${rail}`))
        log.warn({ mode, rail, why }, 'the payments of a rail cannot be compared with our payouts');
    },
  });
  return { loops: [checks, guard, reportRails({ railDesk, store, clock, instruments: metrics, onError })] };
}
