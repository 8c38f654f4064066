// The two servers of the service, on PORT and OTC_PORT: the same application, with other routes.
import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import type { Authenticator } from '../app/intake/authenticate.ts';
import { ID_RANDOM_BYTES, makeId } from '../domain/values/ids.ts';
import type { Entropy } from '../ports/clock.ts';
import { type AppOptions, makeApp } from './app.ts';
import { makeAdmission } from './door/admission.ts';
import { makeAuthenticationHook } from './door/authentication.ts';
import { makeIsProxy } from './door/client-address.ts';
import { makeFailureCounts, makeTokenBuckets } from './door/limits.ts';
import { makeTraffic } from './door/traffic.ts';
import { makeOpenApiDocument } from './openapi.ts';
import { type HomePageFacts, homePage } from './pages/home-page.ts';
import { makePage, sendPage } from './pages/page-headers.ts';
import { referencePages } from './pages/reference-pages.ts';
import { addOtcRateRoute, addUsdcRateRoute } from './routes/rates.ts';
import { addSandboxRoutes, type SandboxRouteDeps } from './routes/sandbox.ts';
import { addServiceRoutes, type ServiceRouteDeps } from './routes/service.ts';
import { addTransactionRoutes, type TransactionRouteDeps } from './routes/transactions.ts';
import { addVendorRoutes } from './routes/vendors.ts';

export interface ServerOptions
  extends Omit<AppOptions, 'makeRequestId' | 'traffic' | 'admission'>,
    Omit<ServiceRouteDeps, 'metrics' | 'publicly'>,
    Omit<TransactionRouteDeps, 'authenticate'>,
    Omit<SandboxRouteDeps, 'authenticate'> {
  readonly authenticator: Authenticator;
  readonly entropy: Entropy;
  readonly secretKeyHeader: string;
  readonly rateLimitPerSecond: number;
  readonly rateLimitBurst: number;
  readonly authFailuresPerMinute: number;
  readonly publicRateLimitPerSecond: number;
  readonly publicRateLimitBurst: number;
  readonly requestsInFlight: number;
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
  readonly baseUrl: string;
  readonly otcBaseUrl: string;
  readonly version: string;
  readonly home: Omit<HomePageFacts, 'baseUrl' | 'secretKeyHeader'>;
  /** More routes beside the product's own, for benchmarks; they share its hooks. */
  readonly extend?: (app: FastifyInstance, authenticate: TransactionRouteDeps['authenticate']) => void;
}

export interface Servers {
  readonly main: FastifyInstance;
  readonly otc: FastifyInstance;
}

export async function makeServers(options: ServerOptions): Promise<Servers> {
  const admission = makeAdmission(options);
  const traffic = makeTraffic({ ...options, isProxy: makeIsProxy(options.trustProxy) });
  options.metrics.watchTraffic(traffic);
  const authenticate = makeAuthenticationHook({
    authenticator: options.authenticator,
    clock: options.clock,
    secretKeyHeader: options.secretKeyHeader,
    buckets: makeTokenBuckets(options.rateLimitPerSecond, options.rateLimitBurst),
    failures: makeFailureCounts(options.authFailuresPerMinute),
    admission,
  });
  const addMainRoutes = (app: FastifyInstance) => {
    addTransactionRoutes(app, { ...options, authenticate });
    addSandboxRoutes(app, { ...options, authenticate });
    addVendorRoutes(app, authenticate);
    addUsdcRateRoute(app, authenticate, options.clock);
    addServiceRoutes(app, { ...options, publicly: admission.publicly });
  };
  const addOtcRoutes = (app: FastifyInstance) =>
    addOtcRateRoute(app, authenticate, options.clock, options.otcBaseUrl);
  const document = await makeOpenApiDocument(options);

  const shared = { ...options, admission, traffic, makeRequestId: requestIds(options.entropy) };
  const main = makeApp(shared);
  addMainRoutes(main);
  options.extend?.(main, authenticate);
  await addPages(main, document, options, admission.publicly);

  const otc = makeApp(shared);
  addOtcRoutes(otc);
  return { main, otc };
}

/** The home page, the document and its viewer, all from memory. */
async function addPages(
  app: FastifyInstance,
  document: object,
  options: ServerOptions,
  publicly: onRequestHookHandler,
): Promise<void> {
  const home = homePage({
    ...options.home,
    baseUrl: options.baseUrl,
    secretKeyHeader: options.secretKeyHeader,
  });
  const pages = new Map(await referencePages());
  pages.set(
    '/',
    await makePage(home.html, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': home.contentSecurityPolicy,
      'referrer-policy': 'no-referrer',
    }),
  );
  pages.set(
    '/openapi.json',
    await makePage(JSON.stringify(document), {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-cache',
    }),
  );
  for (const [url, page] of pages) {
    const docs = { onRequest: publicly, schema: { hide: true } };
    app.get(url, docs, (request, reply) => sendPage(request, reply, page));
  }
}

/** Unique without drawing chance for every request: a random stem for this process, and a count. */
function requestIds(entropy: Entropy): () => string {
  const stem = makeId('req', 0, entropy.bytes(ID_RANDOM_BYTES)).slice(-8);
  let count = 0;
  return () => `req_${stem}${(count++).toString(36).padStart(6, '0')}`;
}
