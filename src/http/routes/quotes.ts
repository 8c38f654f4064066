// The quote routes. Each route parses its request, calls one use-case and renders the response.
import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import { makeQuote, type QuoteDeps } from '../../app/quotes/make-quote.ts';
import { listQuotes, readQuote } from '../../app/quotes/read-quotes.ts';
import { computeNetAmount, quoteStateOf } from '../../domain/quotes/quote.ts';
import { rateNumber } from '../../domain/rates/rates.ts';
import { minorToWire } from '../../domain/values/money.ts';
import type { QuoteStore, QuoteWithExpiry } from '../../ports/quotes.ts';
import { sendRefusal } from '../errors.ts';
import { amountTextOf, callerOf, idempotencyKeyOf } from '../requests/request-context.ts';
import { listQuotesDocs, makeQuoteDocs, type QuoteBody, readQuoteDocs } from './quote-docs.ts';

/** In the JSON of a quote, amounts and rates are numbers with exact decimals. */
function renderQuote({ quote, expired }: QuoteWithExpiry) {
  return {
    quote_id: quote.id,
    side: quote.side,
    amount: minorToWire(quote.amountMinor),
    currency: quote.currency,
    network: quote.network,
    naira_amount: minorToWire(quote.nairaMinor),
    fees: [{ name: 'service_fee', amount: minorToWire(quote.feeMinor) }],
    net_amount: minorToWire(computeNetAmount(quote)),
    rate: rateNumber(quote.rateE4),
    sources: quote.sources.map(({ name, valueE4, asOfMs }) => ({
      name,
      rate: rateNumber(valueE4),
      as_of: new Date(asOfMs).toISOString(),
    })),
    decision_id: quote.decisionId,
    state: quoteStateOf(quote, expired),
    transaction_id: quote.transactionId,
    mode: quote.mode,
    created_at: new Date(quote.createdAtMs).toISOString(),
    expires_at: new Date(quote.expiresAtMs).toISOString(),
  };
}

export interface QuoteRouteDeps extends QuoteDeps {
  readonly authenticate: onRequestHookHandler;
  readonly quotes: QuoteStore;
}

export function addQuoteRoutes(app: FastifyInstance, deps: QuoteRouteDeps): void {
  addMakeQuote(app, deps);
  app.get<{ Params: { quote_id: string } }>(
    '/quotes/v1/:quote_id',
    { onRequest: deps.authenticate, schema: readQuoteDocs },
    async (request, reply) => {
      const found = await readQuote(deps.quotes, callerOf(request), request.params.quote_id);
      if (!found.ok) return sendRefusal(reply, found.error);
      return { status: 'success', message: 'Quote found.', quote: renderQuote(found.value) };
    },
  );
  app.get<{ Querystring: Record<string, unknown> }>(
    '/quotes/v1',
    { onRequest: deps.authenticate, schema: listQuotesDocs },
    async (request, reply) => {
      const page = await listQuotes(deps.quotes, callerOf(request), request.query);
      if (!page.ok) return sendRefusal(reply, page.error);
      const { quotes, nextCursor } = page.value;
      const message = 'Quotes, newest first.';
      return { status: 'success', message, quotes: quotes.map(renderQuote), next_cursor: nextCursor };
    },
  );
}

function addMakeQuote(app: FastifyInstance, deps: QuoteRouteDeps): void {
  app.post<{ Body: QuoteBody }>(
    '/quotes/v1',
    { onRequest: deps.authenticate, schema: makeQuoteDocs },
    async (request, reply) => {
      const key = idempotencyKeyOf(request);
      if (!key.ok) return sendRefusal(reply, key.error);
      const made = await makeQuote(deps, {
        caller: callerOf(request),
        body: request.body,
        amountText: amountTextOf(request),
        idempotencyKey: key.value,
      });
      if (!made.ok) return sendRefusal(reply, made.error);
      if (made.value.replayed) reply.header('idempotent-replayed', 'true');
      return { status: 'success', message: 'Quote made.', quote: renderQuote(made.value) };
    },
  );
}
