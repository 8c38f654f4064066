// Makes the OpenAPI document. The routes of both ports are registered on an application that never listens, and
// @fastify/swagger generates the document from them.
import swagger from '@fastify/swagger';
import Fastify from 'fastify';
import type { RefusalCode } from '../domain/values/refusals.ts';
import { wrongKeyRefusal } from './errors.ts';
import { errorExample, UNAUTHORIZED_EXAMPLE } from './reference/error-examples.ts';
import { EventSchema } from './reference/event-docs.ts';
import { BUY_REQUEST } from './reference/examples.ts';
import { allowNullInOptionalFields, TAGS } from './reference/route-docs.ts';
import { ROUTE_EXAMPLES } from './reference/route-examples.ts';
import { ErrorAnswer } from './reference/schemas.ts';
import { TransactionSchema } from './reference/transaction-schema.ts';
import { addBankAccountRoutes } from './routes/bank-accounts.ts';
import { addBankRoutes } from './routes/banks.ts';
import { addEventRoutes, addEventStreamRoutes } from './routes/events.ts';
import { QuoteSchema } from './routes/quote-docs.ts';
import { addQuoteRoutes } from './routes/quotes.ts';
import { addOtcRateRoute, addRateRoutes } from './routes/rates.ts';
import { addRequestRoutes } from './routes/requests.ts';
import { addSandboxRoutes } from './routes/sandbox.ts';
import { addServiceRoutes } from './routes/service.ts';
import { addTransactionRoutes } from './routes/transactions.ts';
import { addVendorRoutes } from './routes/vendors.ts';
import { DeliverySchema, EndpointSchema } from './routes/webhook-schemas.ts';
import { addWebhookRoutes } from './routes/webhooks.ts';

export interface DocumentOptions {
  readonly baseUrl: string;
  readonly otcBaseUrl: string;
  readonly secretKeyHeader: string;
  readonly version: string;
  /** The business of the embedded sandbox. The examples name this business, so that a reader can send them unchanged. */
  readonly sandbox?: { readonly businessId: string; readonly linkTag: string } | null;
}

/** The handlers of the routes are never called while the document is made, so they get no dependencies. */
const NOTHING = {} as never;
const NO_HOOK = () => undefined;

const TAG_NOTES = [
  { name: TAGS.transactions, description: 'Buys and sells.' },
  { name: TAGS.events, description: 'What happened to your transactions, as a list and as streams.' },
  { name: TAGS.quotes, description: 'Prices that hold for one transaction until they expire.' },
  { name: TAGS.vendors, description: 'The bank accounts that buyers pay into.' },
  { name: TAGS.banks, description: 'The bank directory.' },
  { name: TAGS.rates, description: 'Prices of currencies, in naira per unit.' },
  { name: TAGS.webhooks, description: 'Events, sent to your own URLs.' },
  { name: TAGS.sandbox, description: 'Test mode: control the simulated bank and networks.' },
  { name: TAGS.requests, description: 'Your requests and the responses to them.' },
  { name: TAGS.service, description: 'Whether the service is running and ready.' },
] as const;

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
      tags: [...TAG_NOTES],
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
  app.addSchema(EventSchema);
  app.addSchema(QuoteSchema);
  app.addSchema(EndpointSchema);
  app.addSchema(DeliverySchema);
  app.addSchema(ErrorAnswer);
  app.after(() => {
    addTransactionRoutes(app, { authenticate: NO_HOOK } as never);
    addEventRoutes(app, { authenticate: NO_HOOK } as never);
    addEventStreamRoutes(app, { authenticate: NO_HOOK } as never);
    addQuoteRoutes(app, { authenticate: NO_HOOK } as never);
    addVendorRoutes(app, NO_HOOK);
    addBankRoutes(app, NO_HOOK, NOTHING);
    addBankAccountRoutes(app, { authenticate: NO_HOOK } as never);
    addRateRoutes(app, { authenticate: NO_HOOK } as never);
    addOtcRateRoute(app, { authenticate: NO_HOOK } as never, options.otcBaseUrl);
    addSandboxRoutes(app, { authenticate: NO_HOOK } as never);
    addRequestRoutes(app, { authenticate: NO_HOOK } as never);
    addWebhookRoutes(app, { authenticate: NO_HOOK } as never);
    addServiceRoutes(app, NOTHING);
  });
  await app.ready();
  const unauthorized = wrongKeyRefusal(options.secretKeyHeader).message;
  const { businessId, linkTag } = options.sandbox ?? EXAMPLE;
  const document = JSON.parse(JSON.stringify(app.swagger()), (key, value) => {
    if (value === UNAUTHORIZED_EXAMPLE) return unauthorized;
    if (value === EXAMPLE.businessId) return businessId;
    return key === 'link_tag' && value === EXAMPLE.linkTag ? linkTag : value;
  });
  await app.close();
  allowNullInOptionalFields(document);
  useRouteExamples(document);
  return document;
}

interface ErrorDocument {
  readonly paths: Record<
    string,
    Record<string, { operationId: string; responses: Record<string, AnswerDocument> }>
  >;
}

interface AnswerDocument {
  readonly content?: Record<string, { readonly examples?: Record<string, { value: object }> }>;
}

function useRouteExamples({ paths }: ErrorDocument): void {
  for (const { operationId, responses } of Object.values(paths).flatMap((methods) =>
    Object.values(methods),
  )) {
    for (const [code, own] of Object.entries(ROUTE_EXAMPLES[operationId] ?? {})) {
      const example = Object.values(responses)
        .map(({ content }) => content?.['application/json']?.examples?.[code])
        .find((each) => each !== undefined);
      if (example === undefined) throw new Error(`${operationId} does not document ${code}`);
      example.value = errorExample(code as RefusalCode, own);
    }
  }
}

const EXAMPLE = { businessId: BUY_REQUEST.business_id, linkTag: BUY_REQUEST.link_tag };

const DESCRIPTION = `Convert naira in a bank account to a naira stablecoin and back on Stellar, Polygon, Solana
and Avalanche.

Every answer has a \`request-id\` header. Every error has the same body: \`status\`, \`message\`, \`code\`, \`errors\`
and \`request_id\`. Amounts are JSON numbers in naira with at most two decimals; the service never rounds them. A request can
be repeated safely with the same \`reference\` or \`Idempotency-Key\`: it is never carried out twice.`;
