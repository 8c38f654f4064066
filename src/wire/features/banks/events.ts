// Events of rails: the route that stores them, the figures, and the alert when a rail sends none. Settlement works on them.
import { hash } from 'node:crypto';
import { makeEventQueue } from '../../../adapters/postgres/rails/event-queue.ts';
import type { ReceiveEventDeps } from '../../../app/rails/receive-event.ts';
import { addRailEventRoutes } from '../../../http/routes/rails/events.ts';
import { StoreUnavailable } from '../../../ports/store/unavailable.ts';
import { forgetEvents, reportEvents } from '../../../workers/rails/keep-events.ts';
import type { Feature, ServiceParts } from '../../feature.ts';
import { makeRarely } from '../../say-rarely.ts';

export function railEventsFeature(parts: ServiceParts): Feature {
  const { bankRails, clock, entropy, log, metrics, signals } = parts;
  const railEvents = makeEventQueue(parts.database);
  const rarely = makeRarely();
  const received = countingBy(
    metrics.totals(
      'sliproad_rail_events_received_total',
      'Proven events of rails, by what became of them: stored, known already, or of no use.',
      ['mode', 'rail', 'taken'],
    ),
  );
  const forged = countingBy(
    metrics.totals(
      'sliproad_rail_events_forged_total',
      'Requests that look like events of rails, and are not proven to come from them.',
      ['place'],
    ),
  );
  const deps: ReceiveEventDeps = {
    ...{ banks: bankRails, railEvents, clock, entropy, digest: (bytes) => hash('sha256', bytes) },
    onReceived: ({ mode, rail }, taken) => {
      received({ mode, rail, taken });
      if (taken === 'stored') signals.wakeFeeds('banks');
    },
    onForged: (detail) => {
      forged({ place: detail.place });
      if (rarely(detail.place))
        log.error(detail, 'an event of a rail is not proven to come from it, and is refused');
    },
  };
  const keeping = {
    ...{ bankRails, railEvents, clock, instruments: metrics },
    onSilent: (detail: { readonly mode: string; readonly rail: string }) => {
      if (rarely(`silent ${detail.mode} ${detail.rail}`))
        log.error(detail, 'a rail has credits and sends no events: set our address at the rail');
    },
    onError: (error: Error) => {
      if (error instanceof StoreUnavailable)
        log.debug({ why: error.message }, 'events of rails wait for the database');
      else log.error({ err: error }, 'events of rails');
    },
  };
  return {
    routes: [{ server: 'main', add: (app, { publicly }) => addRailEventRoutes(app, { ...deps, publicly }) }],
    loops: [reportEvents(keeping), forgetEvents(keeping)],
  };
}

/** Counts by labels: few, because they are names of the settings. */
function countingBy<Label extends string>(
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
