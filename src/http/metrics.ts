// The metrics for Prometheus. Series are per route, never per path or per business, so their number stays small.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Instruments } from '../ports/instruments.ts';
import type { Traffic } from './door/traffic.ts';

export interface Metrics extends Instruments {
  readonly registry: Registry;
  observeRequest(request: FastifyRequest, reply: FastifyReply): void;
  /** An answer to input that never became a request of a route. */
  observeRaw(status: number): void;
  /** Connections and requests in progress, read whenever the metrics are. */
  watchTraffic(traffic: Pick<Traffic, 'connections' | 'refused' | 'unanswered'>): void;
  /** A group commit: its number of acceptances, and its duration. */
  observeBatch(size: number, seconds: number): void;
  /** A batch of one settlement stage: its number of records, and its duration. */
  observeStage(stage: string, size: number, seconds: number): void;
}

export function makeMetrics(gauges: Readonly<Record<string, { help: string; read: () => number }>>): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'sliproad_http_requests_total',
    help: 'Answers, by route, method and status.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'sliproad_http_request_seconds',
    help: 'Time to answer, by route.',
    labelNames: ['route'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  const batchSize = new Histogram({
    name: 'sliproad_accept_batch_size',
    help: 'Acceptances that shared one commit.',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    registers: [registry],
  });
  const stageItems = new Counter({
    name: 'sliproad_stage_records_total',
    help: 'Records processed by a settlement stage.',
    labelNames: ['stage'],
    registers: [registry],
  });
  const stageSeconds = new Counter({
    name: 'sliproad_stage_seconds_total',
    help: 'Time spent in a settlement stage, including waiting for databases, banks and networks.',
    labelNames: ['stage'],
    registers: [registry],
  });
  const batchSeconds = new Histogram({
    name: 'sliproad_accept_commit_seconds',
    help: 'Time of one acceptance commit.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  const gaugeOf = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  for (const [name, { help, read }] of Object.entries(gauges)) gaugeOf(name, help, read);
  return {
    registry,
    watchTraffic: (traffic) => {
      gaugeOf('sliproad_http_connections', 'Open connections.', () => traffic.connections);
      gaugeOf(
        'sliproad_http_unanswered_requests',
        'Requests in progress: not answered yet, or the answer not received yet.',
        () => traffic.unanswered,
      );
      new Counter({
        name: 'sliproad_http_connections_refused_total',
        help: 'Connections closed at once because of MAX_CONNECTIONS or MAX_CONNECTIONS_PER_ADDRESS.',
        registers: [registry],
        collect() {
          this.reset();
          this.inc(traffic.refused);
        },
      });
    },
    gauge: (name, help, labels) => {
      const gauge = new Gauge({ name, help, labelNames: [...labels], registers: [registry] });
      return (series) => {
        gauge.reset();
        for (const { labels, value } of series) gauge.set({ ...labels }, value);
      };
    },
    totals: (name, help, labels) => {
      const counter = new Counter({ name, help, labelNames: [...labels], registers: [registry] });
      return (series) => {
        counter.reset();
        for (const { labels, value } of series) counter.inc({ ...labels }, value);
      };
    },
    counter: (name, help) => {
      const counter = new Counter({ name, help, registers: [registry] });
      return (more) => counter.inc(more);
    },
    observeRequest: (request, reply) => {
      const route = request.routeOptions.url ?? 'unknown';
      requests.inc({ method: request.method, route, status: reply.statusCode });
      seconds.observe({ route }, reply.elapsedTime / 1_000);
    },
    observeRaw: (status) => requests.inc({ method: 'none', route: 'none', status }),
    observeStage: (stage, size, took) => {
      stageItems.inc({ stage }, size);
      stageSeconds.inc({ stage }, took);
    },
    observeBatch: (size, took) => {
      batchSize.observe(size);
      batchSeconds.observe(took);
    },
  };
}
