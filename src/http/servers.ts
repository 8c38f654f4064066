// The two servers of the service, on PORT and OTC_PORT: the same application, with other routes.
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import type { Authenticator } from '../app/authenticate.ts';
import { ID_RANDOM_BYTES, makeId } from '../domain/ids.ts';
import type { Entropy } from '../ports/clock.ts';
import { type AppOptions, makeApp } from './app.ts';
import { makeAuthenticationHook } from './authentication.ts';
import { type HomePageFacts, homePage } from './home-page.ts';
import { makeFailureCounts, makeTokenBuckets } from './limits.ts';
import { makeOpenApiDocument } from './openapi.ts';
import { addOtcRateRoute, addUsdcRateRoute } from './routes/rates.ts';
import { addSandboxRoutes, type SandboxRouteDeps } from './routes/sandbox.ts';
import { addServiceRoutes, type ServiceRouteDeps } from './routes/service.ts';
import { addTransactionRoutes, type TransactionRouteDeps } from './routes/transactions.ts';
import { addVendorRoutes } from './routes/vendors.ts';

export interface ServerOptions
  extends Omit<AppOptions, 'makeRequestId'>,
    Omit<ServiceRouteDeps, 'metrics'>,
    Omit<TransactionRouteDeps, 'authenticate'>,
    Omit<SandboxRouteDeps, 'authenticate'> {
  readonly authenticator: Authenticator;
  readonly entropy: Entropy;
  readonly secretKeyHeader: string;
  readonly rateLimitPerSecond: number;
  readonly rateLimitBurst: number;
  readonly authFailuresPerMinute: number;
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
  const authenticate = makeAuthenticationHook({
    authenticator: options.authenticator,
    clock: options.clock,
    secretKeyHeader: options.secretKeyHeader,
    buckets: makeTokenBuckets(options.rateLimitPerSecond, options.rateLimitBurst),
    failures: makeFailureCounts(options.authFailuresPerMinute),
  });
  const addMainRoutes = (app: FastifyInstance) => {
    addTransactionRoutes(app, { ...options, authenticate });
    addSandboxRoutes(app, { ...options, authenticate });
    addVendorRoutes(app, authenticate);
    addUsdcRateRoute(app, authenticate, options.clock);
    addServiceRoutes(app, options);
  };
  const addOtcRoutes = (app: FastifyInstance) =>
    addOtcRateRoute(app, authenticate, options.clock, options.otcBaseUrl);
  const document = await makeOpenApiDocument(options);

  const makeRequestId = requestIds(options.entropy);
  const main = makeApp({ ...options, makeRequestId });
  addMainRoutes(main);
  options.extend?.(main, authenticate);
  await addPages(main, document, options);

  const otc = makeApp({ ...options, makeRequestId });
  addOtcRoutes(otc);
  return { main, otc };
}

/** The home page, the document and its viewer. The viewer's files come from its package, not from elsewhere. */
async function addPages(app: FastifyInstance, document: object, options: ServerOptions): Promise<void> {
  const documentText = JSON.stringify(document);
  app.get('/openapi.json', { schema: { hide: true } }, (_request, reply) =>
    reply.header('content-type', 'application/json; charset=utf-8').send(documentText),
  );
  const page = homePage({
    ...options.home,
    baseUrl: options.baseUrl,
    secretKeyHeader: options.secretKeyHeader,
  });
  app.get('/', { schema: { hide: true } }, (_request, reply) =>
    reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': page.contentSecurityPolicy,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      })
      .send(page.html),
  );
  await app.register(swagger, { mode: 'static', specification: { document: document as never } });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: VIEWER_CSP,
    uiConfig: { docExpansion: 'list', deepLinking: true, persistAuthorization: false, layout: 'BaseLayout' },
    theme: { title: 'Sliproad API reference' },
  });
}

/** The viewer's own files and the service itself; nothing from elsewhere. Inline styles are how it draws. */
const VIEWER_CSP = {
  'default-src': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'style-src': ["'self'", "'unsafe-inline'"],
  'base-uri': ["'none'"],
  'object-src': ["'none'"],
  'frame-ancestors': ["'none'"],
};

/** Unique without drawing chance for every request: a random stem for this process, and a count. */
function requestIds(entropy: Entropy): () => string {
  const stem = makeId('req', 0, entropy.bytes(ID_RANDOM_BYTES)).slice(-8);
  let count = 0;
  return () => `req_${stem}${(count++).toString(36).padStart(6, '0')}`;
}
