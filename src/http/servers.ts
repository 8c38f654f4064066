// Makes the two servers of the service, on PORT and OTC_PORT. Both have the same application and the same limits, but different
// routes. Each feature adds its own routes.
import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import type { Authenticator } from '../app/intake/authenticate.ts';
import { ID_RANDOM_BYTES, makeId } from '../domain/values/ids.ts';
import type { Clock, Entropy } from '../ports/clock.ts';
import { type AdmissionOptions, makeAdmission } from './admission/admission.ts';
import { type AuthenticationDeps, makeAuthenticationHook } from './admission/authentication.ts';
import { makeIsProxy } from './admission/client-address.ts';
import { makeFailureCounts, makeTokenBuckets } from './admission/limits.ts';
import { makeTraffic, type TrafficLimits } from './admission/traffic.ts';
import { type AppOptions, type AppTransport, makeApp } from './app.ts';

/** The settings of both servers: time limits, HTTPS, proxies, and limits for clients. */
export interface TransportSettings
  extends AppTransport,
    Omit<AdmissionOptions, 'clock' | 'log'>,
    Omit<TrafficLimits, 'isProxy'> {
  readonly secretKeyHeader: string;
  readonly rateLimitPerSecond: number;
  readonly rateLimitBurst: number;
  readonly authFailuresPerMinute: number;
}

/** Every route except /health and /ready has one of these two hooks. */
export interface AdmissionHooks {
  readonly authenticate: onRequestHookHandler;
  /** The hook for routes that need no key. It allows requests within the limits of the client address. */
  readonly publicly: onRequestHookHandler;
}

export interface ServerRoutes {
  readonly server: keyof Servers;
  readonly add: (app: FastifyInstance, door: AdmissionHooks) => void;
}

export interface ServerOptions
  extends Pick<AppOptions, 'log' | 'accessLog' | 'metrics' | 'draining'>,
    Pick<AuthenticationDeps, 'onKeyUse'> {
  readonly transport: TransportSettings;
  readonly authenticator: Authenticator;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly routes: readonly ServerRoutes[];
}

export interface Servers {
  readonly main: FastifyInstance;
  readonly otc: FastifyInstance;
}

export function makeServers(options: ServerOptions): Servers {
  const { transport, clock, log, metrics } = options;
  const admission = makeAdmission({ ...transport, clock, log });
  const traffic = makeTraffic({ ...transport, isProxy: makeIsProxy(transport.trustProxy) });
  metrics.watchTraffic(traffic);
  const authenticate = makeAuthenticationHook({
    authenticator: options.authenticator,
    clock,
    secretKeyHeader: transport.secretKeyHeader,
    buckets: makeTokenBuckets(transport.rateLimitPerSecond, transport.rateLimitBurst),
    failures: makeFailureCounts(transport.authFailuresPerMinute),
    admission,
    onKeyUse: options.onKeyUse,
  });
  const makeRequestId = makeRequestIds(options.entropy);
  const { accessLog, draining } = options;
  const app = () =>
    makeApp({ transport, traffic, admission, log, accessLog, metrics, makeRequestId, draining });
  const servers: Servers = { main: app(), otc: app() };
  const door = { authenticate, publicly: admission.publicly };
  for (const { server, add } of options.routes) add(servers[server], door);
  return servers;
}

/** A request id consists of a random prefix for this process and a counter, so that no request needs its own random number. */
function makeRequestIds(entropy: Entropy): () => string {
  const stem = makeId('req', 0, entropy.bytes(ID_RANDOM_BYTES)).slice(-8);
  let count = 0;
  return () => `req_${stem}${(count++).toString(36).padStart(6, '0')}`;
}
