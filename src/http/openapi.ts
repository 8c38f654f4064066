// The OpenAPI document: the routes of both ports are registered on an application that never listens, and @fastify/swagger
// makes the document from them.
import swagger from '@fastify/swagger';
import Fastify from 'fastify';
import { wrongKey } from './errors.ts';
import { UNAUTHORIZED_EXAMPLE } from './reference/error-examples.ts';
import { TAGS } from './reference/route-docs.ts';
import { ErrorAnswer, TransactionSchema } from './reference/schemas.ts';
import { addOtcRateRoute, addUsdcRateRoute } from './routes/rates.ts';
import { addSandboxRoutes } from './routes/sandbox.ts';
import { addServiceRoutes } from './routes/service.ts';
import { addTransactionRoutes } from './routes/transactions.ts';
import { addVendorRoutes } from './routes/vendors.ts';

export interface DocumentOptions {
  readonly baseUrl: string;
  readonly otcBaseUrl: string;
  readonly secretKeyHeader: string;
  readonly version: string;
}

/** The handlers of the routes are never called here, so they get no dependencies. */
const NOTHING = {} as never;
const NO_HOOK = () => undefined;

export async function makeOpenApiDocument(options: DocumentOptions): Promise<object> {
  const app = Fastify({ logger: false, exposeHeadRoutes: false });
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => JSON.stringify);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Sliproad',
        version: options.version,
        summary: 'Naira bank money to a naira stablecoin and back.',
        description: DESCRIPTION,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: options.baseUrl, description: 'This service' }],
      tags: [
        { name: TAGS.transactions, description: 'Buys and sells.' },
        { name: TAGS.vendors, description: 'The bank accounts that buyers pay into.' },
        { name: TAGS.rates, description: 'Naira for one unit of a currency.' },
        { name: TAGS.sandbox, description: 'Test mode: control the simulated bank and networks.' },
        { name: TAGS.service, description: 'Whether the service is running and ready.' },
      ],
      components: {
        securitySchemes: {
          secretKey: {
            type: 'apiKey',
            in: 'header',
            name: options.secretKeyHeader,
            description: 'Your secret key: sk_test_… for test mode, sk_live_… for live mode.',
          },
        },
      },
    },
    refResolver: { buildLocalReference: (schema) => String(schema.$id) },
  });
  app.addSchema(TransactionSchema);
  app.addSchema(ErrorAnswer);
  app.after(() => {
    addTransactionRoutes(app, { authenticate: NO_HOOK } as never);
    addVendorRoutes(app, NO_HOOK);
    addUsdcRateRoute(app, NO_HOOK, NOTHING);
    addOtcRateRoute(app, NO_HOOK, NOTHING, options.otcBaseUrl);
    addSandboxRoutes(app, { authenticate: NO_HOOK } as never);
    addServiceRoutes(app, NOTHING);
  });
  await app.ready();
  const unauthorized = wrongKey(options.secretKeyHeader).message;
  const document = JSON.parse(JSON.stringify(app.swagger()), (_key, value) =>
    value === UNAUTHORIZED_EXAMPLE ? unauthorized : value,
  );
  await app.close();
  return document;
}

const DESCRIPTION = `Move a business between naira in a bank account and a naira stablecoin on Stellar, Polygon, Solana
and Avalanche.

Every answer has a \`request-id\` header. Every error has the same body: \`status\`, \`message\`, \`code\`, \`errors\`
and \`request_id\`. Amounts are JSON numbers in naira with at most two decimals; the service never rounds them. A request can
be repeated safely with the same \`reference\` or \`Idempotency-Key\`: it is never carried out twice.`;
