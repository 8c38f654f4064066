// The rate routes: the rates of one product as a flat object. Rates that are missing or expired are not quoted.
import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import { quoteBook, type RateProduct } from '../../domain/catalogue/rates.ts';
import type { Mode } from '../../domain/values/mode.ts';
import { refusal } from '../../domain/values/refusals.ts';
import type { CatalogueSnapshot } from '../../ports/catalogue.ts';
import type { Clock } from '../../ports/clock.ts';
import { sendRefusal } from '../errors.ts';
import { RATES } from '../reference/examples.ts';
import { errorAnswers, jsonAnswer, KEY_ERRORS, TAGS, WITH_KEY } from '../reference/route-docs.ts';
import { RatesAnswer } from '../reference/schemas.ts';
import { makeAnswer, perSnapshot, sendCached } from '../requests/cached-answer.ts';
import { callerOf } from '../requests/request-context.ts';

const NO_RATES = refusal(
  'rates_unavailable',
  'There is no current rate. Try again later, or ask the operator.',
);

export function addUsdcRateRoute(
  app: FastifyInstance,
  authenticate: onRequestHookHandler,
  clock: Clock,
): void {
  addRateRoute(app, authenticate, clock, '/rates/v1/usdc-ngnc', 'usdc_ngnc', {
    operationId: 'getUsdcRates',
    summary: 'USDC rates',
    description:
      'How much of the naira stablecoin you receive for USDC worth one unit of each currency. USD is the rate of USDC itself.',
  });
}

/** Served on its own port, so the document gives it its own base URL. */
export function addOtcRateRoute(
  app: FastifyInstance,
  authenticate: onRequestHookHandler,
  clock: Clock,
  otcBaseUrl: string,
): void {
  addRateRoute(app, authenticate, clock, '/otc/buy', 'otc_buy', {
    operationId: 'getOtcBuyRates',
    summary: 'OTC buy rates',
    description: 'Price in naira at which the OTC desk sells one unit of each currency.',
    servers: [{ url: otcBaseUrl, description: 'The base URL of /otc/buy' }],
  });
}

function addRateRoute(
  app: FastifyInstance,
  authenticate: onRequestHookHandler,
  clock: Clock,
  url: string,
  product: RateProduct,
  docs: object,
): void {
  const answerFor = perSnapshot((snapshot, mode) => renderBook(snapshot, mode, product));
  const schema = {
    ...docs,
    tags: [TAGS.rates],
    security: WITH_KEY,
    response: {
      200: jsonAnswer('The rates.', RatesAnswer, RATES),
      304: {
        description: 'The rates have not changed (if-none-match, if-modified-since).',
        type: 'null',
      },
      ...errorAnswers(...KEY_ERRORS, 'rates_unavailable'),
    },
  };
  app.get(url, { onRequest: authenticate, schema }, (request, reply) => {
    const { key, catalogue } = callerOf(request);
    const rendered = answerFor(catalogue, key.mode);
    // Rendered once per snapshot, but its end is checked on every request: rates may expire between two snapshots.
    if (rendered === undefined || clock.now() >= rendered.validUntilMs) sendRefusal(reply, NO_RATES);
    else sendCached(request, reply, rendered.answer);
  });
}

function renderBook(snapshot: CatalogueSnapshot, mode: Mode, product: RateProduct) {
  const book = snapshot.rateBooks[mode][product];
  if (book === undefined) return undefined;
  const validUntilMs = book.validUntilMs ?? Number.POSITIVE_INFINITY;
  return { answer: makeAnswer(quoteBook(book), book.updatedAtMs), validUntilMs };
}
