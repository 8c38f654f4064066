// The metrics for Prometheus. Each route has one series, independent of the path and the business, so that the number of series
// stays small.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Instruments } from '../ports/instruments.ts';
import type { Traffic } from './admission/traffic.ts';

type WatchedTraffic = Pick<Traffic, 'connections' | 'refused' | 'unanswered'>;

export interface Metrics extends Instruments {
  readonly registry: Registry;
  observeRequest(request: FastifyRequest, reply: FastifyReply): void;
  /** Counts a response to input that did not reach a route. */
  observeRaw(status: number): void;
  /** At each scrape, the metrics read the number of connections and requests in progress. */
  watchTraffic(traffic: WatchedTraffic): void;
  /** Records a group commit: the number of its accepted transactions, and its duration. */
  observeBatch(size: number, seconds: number): void;
  /** Records one batch of a settlement stage: the number of its records, and its duration. */
  observeStage(stage: string, size: number, seconds: number): void;
}

const SECONDS_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export function makeMetrics(gauges: Readonly<Record<string, { help: string; read: () => number }>>): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const [name, { help, read }] of Object.entries(gauges)) addGauge(registry, name, help, read);
  return {
    registry,
    ...makeRequestMetrics(registry),
    ...makeBatchMetrics(registry),
    ...makeInstruments(registry),
    watchTraffic: (traffic) => addTrafficMetrics(registry, traffic),
  };
}

function makeRequestMetrics(registry: Registry): Pick<Metrics, 'observeRequest' | 'observeRaw'> {
  const registers = [registry];
  const requests = new Counter({
    name: 'sliproad_http_requests_total',
    help: 'Number of answers, by route, method and status.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const seconds = new Histogram({
    name: 'sliproad_http_request_seconds',
    help: 'Time from request to answer, by route.',
    labelNames: ['route'],
    buckets: SECONDS_BUCKETS,
    registers,
  });
  return {
    observeRequest: (request, reply) => {
      const route = request.routeOptions.url ?? 'unknown';
      requests.inc({ method: request.method, route, status: reply.statusCode });
      seconds.observe({ route }, reply.elapsedTime / 1_000);
    },
    observeRaw: (status) => requests.inc({ method: 'none', route: 'none', status }),
  };
}

function makeBatchMetrics(registry: Registry): Pick<Metrics, 'observeBatch' | 'observeStage'> {
  const registers = [registry];
  const batchSize = new Histogram({
    name: 'sliproad_accept_batch_size',
    help: 'Number of acceptances in one commit.',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    registers,
  });
  const stageItems = new Counter({
    name: 'sliproad_stage_records_total',
    help: 'Number of records processed by a settlement stage.',
    labelNames: ['stage'],
    registers,
  });
  const stageSeconds = new Counter({
    name: 'sliproad_stage_seconds_total',
    help: 'Time spent in a settlement stage, including waiting for the database, banks and networks.',
    labelNames: ['stage'],
    registers,
  });
  const batchSeconds = new Histogram({
    name: 'sliproad_accept_commit_seconds',
    help: 'Duration of one acceptance commit.',
    buckets: SECONDS_BUCKETS,
    registers,
  });
  return {
    observeBatch: (size, took) => {
      batchSize.observe(size);
      batchSeconds.observe(took);
    },
    observeStage: (stage, size, took) => {
      stageItems.inc({ stage }, size);
      stageSeconds.inc({ stage }, took);
    },
  };
}

function makeInstruments(registry: Registry): Instruments {
  const registers = [registry];
  return {
    gauge: (name, help, labels) => {
      const gauge = new Gauge({ name, help, labelNames: [...labels], registers });
      return (series) => {
        gauge.reset();
        for (const { labels, value } of series) gauge.set({ ...labels }, value);
      };
    },
    totals: (name, help, labels) => {
      const counter = new Counter({ name, help, labelNames: [...labels], registers });
      return (series) => {
        counter.reset();
        for (const { labels, value } of series) counter.inc({ ...labels }, value);
      };
    },
    counter: (name, help) => {
      const counter = new Counter({ name, help, registers });
      return (more) => counter.inc(more);
    },
  };
}

function addTrafficMetrics(registry: Registry, traffic: WatchedTraffic): void {
  addGauge(registry, 'sliproad_http_connections', 'Open connections.', () => traffic.connections);
  addGauge(
    registry,
    'sliproad_http_unanswered_requests',
    'Requests in progress: without an answer, or with an answer that the client has not received yet.',
    () => traffic.unanswered,
  );
  new Counter({
    name: 'sliproad_http_connections_refused_total',
    help: 'Connections closed immediately because of MAX_CONNECTIONS or MAX_CONNECTIONS_PER_ADDRESS.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(traffic.refused);
    },
  });
}

function addGauge(registry: Registry, name: string, help: string, read: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}
