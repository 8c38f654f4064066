// The history of one rate, for a chart.
import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import { Type } from 'typebox';
import {
  MAX_HISTORY_POINTS,
  type RateHistory,
  type RateHistoryDeps,
  readRateHistory,
} from '../../app/activity/read-rate-history.ts';
import type { ListQuery } from '../../app/input/list-query.ts';
import { CURRENCIES, HISTORY_INTERVALS, RATE_PRODUCTS, rateNumber } from '../../domain/rates/rates.ts';
import { sendRefusal } from '../errors.ts';
import { errorAnswers, jsonAnswer, KEY_ERRORS, TAGS, WITH_KEY } from '../reference/route-docs.ts';
import { callerOf } from '../requests/request-context.ts';

export interface RateHistoryRouteDeps extends RateHistoryDeps {
  readonly authenticate: onRequestHookHandler;
}

export function addRateHistoryRoute(app: FastifyInstance, deps: RateHistoryRouteDeps): void {
  app.get('/rates/v1/history', { onRequest: deps.authenticate, schema }, async (request, reply) => {
    const { mode, business } = callerOf(request).key;
    const read = await readRateHistory(deps, { mode, tier: business.tier }, request.query as ListQuery);
    if (!read.ok) return sendRefusal(reply, read.error);
    const message = read.value.points.length === 0 ? 'No rates in this period.' : 'Rates found.';
    return { status: 'success', message, ...renderRateHistory(read.value) };
  });
}

function renderRateHistory({ product, currency, interval, points }: RateHistory) {
  return {
    product,
    currency,
    interval,
    points: points.map(({ atMs, rateE4, lowE4, highE4 }) => ({
      at: new Date(atMs).toISOString(),
      rate: rateNumber(rateE4),
      low: rateNumber(lowE4),
      high: rateNumber(highE4),
    })),
  };
}

const time = (description: string) =>
  Type.Optional(Type.String({ format: 'date-time', description: `${description} RFC 3339.` }));

const schema = {
  operationId: 'getRateHistory',
  summary: 'Rate history',
  description:
    'The rate of one currency over time, oldest first, with your spread at that time. An interval without a rate has no point. ' +
    `At most ${MAX_HISTORY_POINTS} points. Minutes are kept for 14 days, hours for 400 days, days permanently.`,
  tags: [TAGS.rates],
  security: WITH_KEY,
  querystring: Type.Object({
    product: Type.String({ enum: [...RATE_PRODUCTS], description: 'otc_buy or usdc_ngnc.' }),
    currency: Type.String({ enum: [...CURRENCIES], description: 'One of the nine currency codes.' }),
    from: time('Start of the period. Default: 1 day, 7 days or 365 days before to, depending on interval.'),
    to: time('End of the period, not included. Default: now.'),
    interval: Type.Optional(
      Type.String({
        enum: [...HISTORY_INTERVALS],
        default: '1h',
        description: 'The length of each interval. Hours and days start in UTC.',
      }),
    ),
  }),
  response: {
    200: jsonAnswer(
      'The points.',
      Type.Object({
        status: Type.String({ enum: ['success'] }),
        message: Type.String(),
        product: Type.String({ enum: [...RATE_PRODUCTS] }),
        currency: Type.String({ enum: [...CURRENCIES] }),
        interval: Type.String({ enum: [...HISTORY_INTERVALS] }),
        points: Type.Array(
          Type.Object({
            at: Type.String({ format: 'date-time', description: 'Start of the interval.' }),
            rate: Type.Number({ description: 'The last rate of the interval, in naira per unit.' }),
            low: Type.Number(),
            high: Type.Number(),
          }),
        ),
      }),
      {
        status: 'success',
        message: 'Rates found.',
        product: 'otc_buy',
        currency: 'USD',
        interval: '1h',
        points: [{ at: '2026-11-14T09:00:00.000Z', rate: 1375.115, low: 1374.9, high: 1375.2 }],
      },
    ),
    ...errorAnswers(...KEY_ERRORS, 'filter_invalid'),
  },
};
