// Settings that limit the load that clients may put on one process: request rates, connections, sizes and times.
import type { SettingReader } from './setting-reader.ts';

export interface LimitsConfig {
  readonly rateLimitPerSecond: number;
  readonly rateLimitBurst: number;
  readonly authFailuresPerMinute: number;
  readonly publicRateLimitPerSecond: number;
  readonly publicRateLimitBurst: number;
  readonly requestsInFlight: number;
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
  readonly bodyLimitBytes: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  readonly writeTimeoutMs: number;
  readonly drainMs: number;
}

const MILLION = 1_000_000;

export function readLimitsConfig(settings: SettingReader): LimitsConfig {
  const rate = (name: string, fallback: number) =>
    settings.integer(name, { fallback, min: 1, max: 10 * MILLION });
  const count = (name: string, fallback: number, min = 1) =>
    settings.integer(name, { fallback, min, max: MILLION });
  const ms = (name: string, fallback: number, min = 100) =>
    settings.integer(name, { fallback, min, max: 600_000 });
  const limits: LimitsConfig = {
    rateLimitPerSecond: rate('RATE_LIMIT_PER_SECOND', 500),
    rateLimitBurst: rate('RATE_LIMIT_BURST', 1_000),
    authFailuresPerMinute: count('AUTH_FAILURES_PER_MINUTE', 60),
    publicRateLimitPerSecond: rate('PUBLIC_RATE_LIMIT_PER_SECOND', 50),
    publicRateLimitBurst: rate('PUBLIC_RATE_LIMIT_BURST', 500),
    requestsInFlight: count('REQUESTS_IN_FLIGHT', 1_000),
    maxConnections: count('MAX_CONNECTIONS', 10_000, 10),
    maxConnectionsPerAddress: count('MAX_CONNECTIONS_PER_ADDRESS', 1_000),
    bodyLimitBytes: settings.integer('BODY_LIMIT_BYTES', { fallback: 65_536, min: 1_024, max: 10_485_760 }),
    headersTimeoutMs: ms('HEADERS_TIMEOUT_MS', 10_000),
    requestTimeoutMs: ms('REQUEST_TIMEOUT_MS', 30_000),
    keepAliveTimeoutMs: ms('KEEP_ALIVE_TIMEOUT_MS', 72_000, 1_000),
    writeTimeoutMs: ms('WRITE_TIMEOUT_MS', 30_000),
    drainMs: settings.integer('DRAIN_MS', { fallback: 500, min: 0, max: 60_000 }),
  };
  settings.require(
    limits.headersTimeoutMs <= limits.requestTimeoutMs,
    ['HEADERS_TIMEOUT_MS', 'REQUEST_TIMEOUT_MS'],
    'must not be above REQUEST_TIMEOUT_MS.',
  );
  return limits;
}
