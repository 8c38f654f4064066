// Opens the rails. The service probes each rail, pauses it while it is unhealthy, and compares its transfers with our payouts.
// It stops a rail at the first payment that no payout explains, and reports the state of each rail.
import { hash } from 'node:crypto';
import { makeEventQueue } from '../../adapters/postgres/rails/event-queue.ts';
import { makePayoutApprovals } from '../../adapters/postgres/rails/payout-approvals.ts';
import { makePayoutGuard } from '../../adapters/postgres/rails/payout-guard.ts';
import type { ReceiveRailEventDeps } from '../../app/rails/receive-rail-event.ts';
import { addRailEventRoutes } from '../../http/routes/rail-events.ts';
import { addValidationRoutes } from '../../http/routes/rail-validation.ts';
import { StoreUnavailable } from '../../ports/store/store.ts';
import { startPayoutGuard } from '../../workers/rails/guard-payouts.ts';
import { startForgettingRailEvents, startRailEventReport } from '../../workers/rails/rail-event-upkeep.ts';
import { startRailChecks, startRailReport } from '../../workers/rails/watch-rails.ts';
import type { Feature, ServiceParts } from '../feature.ts';
import { makeLogThrottle } from '../log-throttle.ts';

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
  const rarely = makeLogThrottle();
  const guard = startPayoutGuard({
    ...{ banks: bankRails, payoutGuard: makePayoutGuard(parts.database), clock, onError },
    reconciliation: parts.reconciliation,
    onStopped: (message, detail) => log.error(detail, message),
    onUnread: ({ mode, rail, why }) => {
      if (rarely(`${mode} ${rail}`))
        log.warn({ mode, rail, why }, 'the payments of a rail could not be compared with our payouts');
    },
  });
  return {
    loops: [checks, guard, startRailReport({ railDesk, store, clock, instruments: metrics, onError })],
  };
}

/**
 * Serves rails that ask for approval before they pay: the route for their requests, and the alert when the service rejects a
 * request.
 */
export function railQuestionsFeature(parts: ServiceParts): Feature {
  const { bankRails: banks, database, audit, clock, catalogue, guards, log, metrics } = parts;
  const rejected = metrics.counter(
    'sliproad_rail_questions_rejected_total',
    'Approval requests of rails that were rejected: another party may have the key of the rail.',
  );
  const forged = metrics.counter(
    'sliproad_rail_questions_forged_total',
    'Requests that look like approval requests of rails but are not proven to come from them.',
  );
  const rarely = makeLogThrottle();
  const deps = {
    ...{
      banks,
      audit,
      clock,
      approvals: makePayoutApprovals(database),
      catalogue: () => catalogue.current(),
      isUnwatched: guards.isUnwatched,
    },
    onRejected: (detail: object) => {
      rejected(1);
      log.error(detail, 'a rail asks about a payout that must not be paid: its key may be stolen');
    },
    onPaused: (detail: object) => log.warn(detail, 'a rail asks about a payout while payouts are stopped'),
    onForged: (detail: { readonly place?: unknown }) => {
      forged(1);
      if (rarely(String(detail.place)))
        log.error(detail, 'refused a payout question that is not proven to come from the rail');
    },
  };
  return {
    routes: [{ server: 'main', add: (app, { publicly }) => addValidationRoutes(app, { ...deps, publicly }) }],
  };
}

/**
 * Serves rail events: the route that stores them, the metrics, and the alert when a rail sends no events. Settlement processes
 * the stored events.
 */
export function railEventsFeature(parts: ServiceParts): Feature {
  const { bankRails, clock, entropy, log, metrics, signals } = parts;
  const railEvents = makeEventQueue(parts.database);
  const rarely = makeLogThrottle();
  const received = makeLabelledCounter(
    metrics.totals(
      'sliproad_rail_events_received_total',
      'Authentic events of rails, by outcome: stored, already known, or not relevant.',
      ['mode', 'rail', 'taken'],
    ),
  );
  const forged = makeLabelledCounter(
    metrics.totals(
      'sliproad_rail_events_forged_total',
      'Requests that look like events of rails but are not proven to come from them.',
      ['place'],
    ),
  );
  const deps: ReceiveRailEventDeps = {
    ...{ banks: bankRails, railEvents, clock, entropy, digest: (bytes) => hash('sha256', bytes) },
    onReceived: ({ mode, rail }, taken) => {
      received({ mode, rail, taken });
      if (taken === 'stored') signals.wakeFeeds('banks');
    },
    onForged: (detail) => {
      forged({ place: detail.place });
      if (rarely(detail.place))
        log.error(detail, 'refused an event that is not proven to come from the rail');
    },
  };
  const keeping = {
    ...{ bankRails, railEvents, clock, instruments: metrics },
    onSilent: (detail: { readonly mode: string; readonly rail: string }) => {
      if (rarely(`silent ${detail.mode} ${detail.rail}`))
        log.error(
          detail,
          'a rail has credits but sends no events: configure our webhook URL with the provider',
        );
    },
    onError: (error: Error) => {
      if (error instanceof StoreUnavailable)
        log.debug({ why: error.message }, 'events of rails wait for the database');
      else log.error({ err: error }, 'processing rail events failed; retrying');
    },
  };
  return {
    routes: [{ server: 'main', add: (app, { publicly }) => addRailEventRoutes(app, { ...deps, publicly }) }],
    loops: [startRailEventReport(keeping), startForgettingRailEvents(keeping)],
  };
}

/** Makes a counter with labels. The number of label values is small, because all of them are names from the settings. */
function makeLabelledCounter<Label extends string>(
  set: (
    series: readonly { readonly labels: Readonly<Record<Label, string>>; readonly value: number }[],
  ) => void,
) {
  const counted = new Map<string, { readonly labels: Readonly<Record<Label, string>>; value: number }>();
  return (labels: Readonly<Record<Label, string>>): void => {
    const key = JSON.stringify(labels);
    const series = counted.get(key) ?? { labels, value: 0 };
    series.value += 1;
    counted.set(key, series);
    set([...counted.values()]);
  };
}
