// The rate routes: the rates of one product as a flat object. The object has either all nine rates or none. Missing or expired
// rates are not shown.
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import {
  type BoardSnapshot,
  type RateQuestion,
  ratesUnavailable,
  servedRates,
} from '../../domain/rates/board.ts';
import { type RateProduct, rateNumber } from '../../domain/rates/rates.ts';
import type { Refusal } from '../../domain/values/refusals.ts';
import type { Clock } from '../../ports/clock.ts';
import type { RateBoard } from '../../ports/rates.ts';
import { sendRefusal } from '../errors.ts';
import { RATES } from '../reference/examples.ts';
import { errorAnswers, jsonAnswer, KEY_ERRORS, TAGS, WITH_KEY } from '../reference/route-docs.ts';
import { RatesAnswer } from '../reference/schemas.ts';
import { type CachedAnswer, makeCachedAnswer, sendCachedAnswer } from '../requests/cached-answer.ts';
import { callerOf } from '../requests/request-context.ts';
import { addRateHistoryRoute, type RateHistoryRouteDeps } from './rate-history.ts';

export interface RateRouteDeps {
  readonly authenticate: onRequestHookHandler;
  readonly rateBoard: RateBoard;
  readonly clock: Clock;
}

export function addRateRoutes(app: FastifyInstance, deps: RateRouteDeps & RateHistoryRouteDeps): void {
  addRateHistoryRoute(app, deps);
  addRateRoute(app, deps, '/rates/v1/usdc-ngnc', 'usdc_ngnc', {
    operationId: 'getUsdcRates',
    summary: 'USDC rates',
    description:
      'The amount of naira stablecoin that you receive for USDC worth one unit of each currency. USD is the rate of USDC itself.',
  });
}

/** This route is on the OTC port, so the OpenAPI document gives it its own base URL. */
export function addOtcRateRoute(app: FastifyInstance, deps: RateRouteDeps, otcBaseUrl: string): void {
  addRateRoute(app, deps, '/otc/buy', 'otc_buy', {
    operationId: 'getOtcBuyRates',
    summary: 'OTC buy rates',
    description: 'The price in naira at which the OTC desk sells one unit of each currency.',
    servers: [{ url: otcBaseUrl, description: 'The base URL of /otc/buy' }],
  });
}

function addRateRoute(
  app: FastifyInstance,
  { authenticate, rateBoard, clock }: RateRouteDeps,
  url: string,
  product: RateProduct,
  docs: object,
): void {
  const renderedOf = cacheRenderedRates(product);
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
  const send = (request: FastifyRequest, reply: FastifyReply, board: BoardSnapshot) => {
    const { mode, business } = callerOf(request).key;
    const { answer } = renderedOf(board, { mode, product, tier: business.tier, atMs: clock.now() });
    return 'code' in answer ? sendRefusal(reply, answer) : sendCachedAnswer(request, reply, answer);
  };
  app.get(url, { onRequest: authenticate, schema }, (request, reply) => {
    const board = rateBoard.current();
    if (board !== undefined) return send(request, reply, board);
    return rateBoard.refresh().then((fresh) => send(request, reply, fresh));
  });
}

interface RenderedRates {
  readonly answer: CachedAnswer | Refusal;
  /** From this time on, the same snapshot gives a different response, because a rate expires or a new spread starts. */
  readonly untilMs: number;
}

/** Renders the rates once per snapshot, mode and tier, and again when the rendered response is out of date. */
function cacheRenderedRates(
  product: RateProduct,
): (board: BoardSnapshot, asked: RateQuestion) => RenderedRates {
  let generation = -1;
  const kept = new Map<string, RenderedRates>();
  return (board, asked) => {
    if (board.generation !== generation) {
      kept.clear();
      ({ generation } = board);
    }
    const name = `${asked.mode} ${asked.tier}`;
    const last = kept.get(name);
    if (last !== undefined && asked.atMs < last.untilMs) return last;
    const rendered = {
      answer: renderRates(board, asked),
      untilMs: nextChangeAt(board, { ...asked, product }),
    };
    kept.set(name, rendered);
    return rendered;
  };
}

function renderRates(board: BoardSnapshot, asked: RateQuestion): CachedAnswer | Refusal {
  const served = servedRates(board, asked);
  if (!served.ok) return ratesUnavailable(served.error);
  const { mode, product, atMs } = asked;
  const begun = board.spreads[mode].filter((rule) => rule.product === product && rule.fromMs <= atMs);
  const changedAtMs = Math.max(board.books[mode][product]!.changedAtMs, ...begun.map(({ fromMs }) => fromMs));
  const body = Object.fromEntries(served.value.map(({ currency, rateE4 }) => [currency, rateNumber(rateE4)]));
  return makeCachedAnswer(body, changedAtMs);
}

function nextChangeAt(board: BoardSnapshot, { mode, product, atMs }: RateQuestion): number {
  const ends = Object.values(board.books[mode][product]?.values ?? {}).map(
    ({ validUntilMs }) => validUntilMs,
  );
  const starts = board.spreads[mode].map(({ fromMs }) => fromMs);
  const later = [...ends, ...starts].filter((each) => each !== null && each > atMs) as number[];
  return Math.min(Number.POSITIVE_INFINITY, ...later);
}
