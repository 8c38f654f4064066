// Rails: each is probed and judged, paused while it is sick, and its state is reported.
import { StoreUnavailable } from '../../../ports/store/unavailable.ts';
import { reportRails, startRailChecks } from '../../../workers/rails/watch-rails.ts';
import type { Feature, ServiceParts } from '../../feature.ts';

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
  return { loops: [checks, reportRails({ railDesk, store, clock, instruments: metrics, onError })] };
}
