// Events over HTTP: the list, and streams fed by one hub. The hub looks at once after a commit of this process, and after a
// notification of another one.
import { hostname } from 'node:os';
import { openWakeups } from '../../adapters/postgres/connection/wakeups.ts';
import { addEventStreamRoutes } from '../../http/routes/event-streams.ts';
import { addEventRoutes } from '../../http/routes/events.ts';
import type { Feature, ServiceParts } from '../feature.ts';

const METRICS_EVERY_MS = 1_000;

export function eventsFeature(parts: ServiceParts): Feature {
  const { log, eventLog, networks, store, signals, entropy, live } = parts;
  const { hub, streams } = live;
  const wakeups = openWakeups({
    ...{ database: parts.database, connection: parts.connection, channel: 'sliproad_events' },
    name: `${hostname()} ${process.pid} ${Buffer.from(entropy.bytes(6)).toString('hex')}`,
    onWake: hub.wake,
    onError: (error) => log.warn({ err: error }, 'hearing of events'),
  });
  signals.listen({
    committed: () => {
      hub.wake();
      wakeups.wake();
    },
    draining: streams.drain,
  });
  const stopMetrics = showStreams(parts, () => ({ streams: streams.count, lagMs: hub.lagMs() }));
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

function showStreams(
  { metrics }: ServiceParts,
  read: () => { readonly streams: number; readonly lagMs: number },
): () => void {
  const showOpen = metrics.gauge('sliproad_event_streams', 'Open streams of events.', []);
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
