// Serves events over HTTP: the list of events, and the streams, which share one hub. The hub reads at once after a commit of
// this process, and after a notification from another process.
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { openWakeups } from '../../adapters/postgres/connection/wakeups.ts';
import type { Config } from '../../config.ts';
import type { BusinessEvent } from '../../domain/events/event.ts';
import { makeWorkTurns } from '../../http/admission/work-turns.ts';
import type { Metrics } from '../../http/metrics.ts';
import { addEventRoutes, addEventStreamRoutes } from '../../http/routes/events.ts';
import { renderEvent } from '../../http/routes/render-event.ts';
import { makeEventHub } from '../../http/streams/event-hub.ts';
import { makeOpenStreams } from '../../http/streams/open-streams.ts';
import type { StreamDeps } from '../../http/streams/serve-stream.ts';
import type { Catalogue } from '../../ports/catalogue.ts';
import { StoreUnavailable } from '../../ports/store/store.ts';
import type { Feature, ServiceParts } from '../feature.ts';
import type { Foundation } from '../foundation.ts';

const METRICS_EVERY_MS = 1_000;

export function eventsFeature(parts: ServiceParts): Feature {
  const { log, eventLog, networks, store, signals, entropy, live } = parts;
  const { hub, streams } = live;
  const wakeups = openWakeups({
    ...{ database: parts.database, connection: parts.connection, channel: 'sliproad_events' },
    name: `${hostname()} ${process.pid} ${Buffer.from(entropy.bytes(6)).toString('hex')}`,
    onWake: hub.wake,
    onError: (error) => log.warn({ err: error }, 'event listener failed; retrying'),
  });
  signals.listen({
    committed: () => {
      hub.wake();
      wakeups.wake();
    },
    draining: streams.drain,
  });
  const stopMetrics = reportStreams(parts, () => ({ streams: streams.count, lagMs: hub.lagMs() }));
  return {
    routes: [
      {
        server: 'main',
        add: (app, { authenticate }) => {
          addEventRoutes(app, { eventLog, networks, authenticate });
          addEventStreamRoutes(app, { ...live, store, authenticate });
        },
      },
    ],
    close: async () => {
      stopMetrics();
      hub.close();
      streams.close();
      await wakeups.close();
    },
  };
}

function reportStreams(
  { metrics }: ServiceParts,
  read: () => { readonly streams: number; readonly lagMs: number },
): () => void {
  const showOpen = metrics.gauge('sliproad_event_streams', 'Open event streams.', []);
  const showLag = metrics.gauge(
    'sliproad_event_hub_lag_seconds',
    'Time since this process last read the event log to its end; 0 while no stream is open.',
    [],
  );
  const showing = setInterval(() => {
    const { streams, lagMs } = read();
    showOpen([{ labels: {}, value: streams }]);
    showLag([{ labels: {}, value: lagMs / 1_000 }]);
  }, METRICS_EVERY_MS).unref();
  return () => clearInterval(showing);
}

// Opens the hub and the streams. The hub reads the event log once for all streams of this process, for keys and for sessions.

/** The heartbeat tells the client and all proxies in between that the stream is still open. */
const HEARTBEAT_MS = 15_000;
/** The maximum number of streams that read missed events at the same time. */
const MOST_CATCHING_UP = 2;

export interface LiveEventParts extends Pick<Foundation, 'eventLog' | 'networks' | 'clock'> {
  readonly config: Config;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly catalogue: Catalogue;
}

export function makeLiveEvents(parts: LiveEventParts): StreamDeps {
  const { config, log, metrics, eventLog, networks, catalogue, clock } = parts;
  const onError = (error: Error) => {
    if (error instanceof StoreUnavailable) log.debug({ why: error.message }, 'events wait for the database');
    else log.error({ err: error }, 'events');
  };
  const renderChunk = (event: BusinessEvent): Buffer => {
    const data = JSON.stringify(renderEvent(event, networks));
    return Buffer.from(`id: ${event.id}\nevent: ${event.type}\ndata: ${data}\n\n`);
  };
  const countRead = metrics.counter('sliproad_events_read_total', 'Events read for open streams.');
  const hub = makeEventHub({ log: eventLog, render: renderChunk, onRead: countRead, onError });
  // A connection without traffic is closed after the write timeout, so the heartbeat must be shorter.
  const heartbeatMs = Math.min(HEARTBEAT_MS, config.writeTimeoutMs / 3);
  const streams = makeOpenStreams({ ...config, heartbeatMs }, { catalogue, clock });
  return { eventLog, hub, streams, renderChunk, onError, turns: makeWorkTurns(MOST_CATCHING_UP) };
}
