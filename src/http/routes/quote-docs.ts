// The documentation of quotes in the OpenAPI document.
import { type Static, Type } from 'typebox';
import { MAX_PAGE_SIZE } from '../../app/input/list-query.ts';
import { QUOTE_CURRENCIES } from '../../app/quotes/quote-currency.ts';
import { QUOTE_STATES } from '../../domain/quotes/quote.ts';
import {
  BODY_ERRORS,
  CHANGE_ERRORS,
  errorAnswers,
  IdempotencyHeaders,
  jsonAnswer,
  KEY_ERRORS,
  REPLAYED_HEADER,
  TAGS,
  WITH_KEY,
} from '../reference/route-docs.ts';
import { nullable } from '../reference/transaction-schema.ts';

export const QuoteBody = Type.Object(
  {
    side: Type.String({ description: 'buy or sell.', enum: ['buy', 'sell'] }),
    amount: Type.Number({ description: 'In the currency of the quote. At most 2 decimals.' }),
    currency: Type.Optional(
      Type.String({
        description: `One of ${QUOTE_CURRENCIES.join(', ')}. Default: NGN. A sell is quoted only in NGN.`,
        enum: [...QUOTE_CURRENCIES],
      }),
    ),
    network: Type.Optional(
      Type.String({
        description:
          'If you send it, the transaction must use this network. Otherwise it may use any network.',
        examples: ['Polygon'],
      }),
    ),
  },
  { title: 'Quote request' },
);

export type QuoteBody = Static<typeof QuoteBody>;

export const QuoteSchema = Type.Object(
  {
    quote_id: Type.String({
      description: 'Starts with quo_. Ids sort by time of creation. Send it in a buy or a sell.',
    }),
    side: Type.String({ enum: ['buy', 'sell'] }),
    amount: Type.Number({ description: 'The requested amount, in its currency.' }),
    currency: Type.String({ enum: [...QUOTE_CURRENCIES] }),
    network: nullable('string', {
      description: 'The network that the transaction must use. Null: any network.',
    }),
    naira_amount: Type.Number({
      description: 'The amount of the transaction: amount at the rate, rounded up to the kobo.',
    }),
    fees: Type.Array(Type.Object({ name: Type.String(), amount: Type.Number() }), {
      description: 'In naira. These fees apply to the transaction even if the fees change.',
    }),
    net_amount: Type.Number({ description: 'naira_amount minus the fees.' }),
    rate: Type.Number({ description: 'Naira per unit of the currency, with your spread; 1 for NGN.' }),
    sources: Type.Array(
      Type.Object({
        name: Type.String(),
        rate: Type.Number({ description: 'Before the spread.' }),
        as_of: Type.String({ format: 'date-time' }),
      }),
      { description: 'The values that the rate was calculated from; empty for NGN.' },
    ),
    decision_id: nullable('string', { description: 'The stored decision about the rate; null for NGN.' }),
    state: Type.String({
      enum: [...QUOTE_STATES],
      description:
        'open: it can be used. used: the transaction in transaction_id used it. expired: it was not used in time.',
    }),
    transaction_id: nullable('string', {}),
    mode: Type.String({ enum: ['live', 'test'] }),
    created_at: Type.String({ format: 'date-time' }),
    expires_at: Type.String({
      format: 'date-time',
      description: 'By the clock of the service. From this time on the quote cannot be used.',
    }),
  },
  { $id: 'Quote', title: 'Quote' },
);

const EXAMPLE: Static<typeof QuoteSchema> = {
  quote_id: 'quo_01kfz3p2r8k4t6m1v7x9c3b5nd',
  side: 'buy',
  amount: 100,
  currency: 'USD',
  network: 'Polygon',
  naira_amount: 160125,
  fees: [{ name: 'service_fee', amount: 0 }],
  net_amount: 160125,
  rate: 1601.25,
  sources: [{ name: 'desk', rate: 1593.2836, as_of: '2026-11-14T09:29:00.000Z' }],
  decision_id: 'rat_01kfz3n0c5v8w2y4a6d1f3h7jk',
  state: 'open',
  transaction_id: null,
  mode: 'test',
  created_at: '2026-11-14T09:30:00.000Z',
  expires_at: '2026-11-14T09:40:00.000Z',
};

const answerFields = { status: Type.String({ enum: ['success'] }), message: Type.String() };
const QuoteAnswer = Type.Object({ ...answerFields, quote: Type.Ref('Quote') });

export const makeQuoteDocs = {
  operationId: 'makeQuote',
  summary: 'Create a quote',
  description:
    'A price that is valid for one transaction until expires_at: the naira amount at the current rate, with the current ' +
    'fee. Send quote_id in a buy or a sell with amount = naira_amount. A quote can be used once; a request that is refused ' +
    'does not use it.',
  tags: [TAGS.quotes],
  security: WITH_KEY,
  headers: IdempotencyHeaders,
  body: { ...QuoteBody, examples: [{ side: 'buy', amount: 100, currency: 'USD', network: 'Polygon' }] },
  response: {
    200: jsonAnswer(
      'The quote is stored durably: it stays valid after restarts and after changes of rates and fees.',
      QuoteAnswer,
      { status: 'success', message: 'Quote made.', quote: EXAMPLE },
      REPLAYED_HEADER,
    ),
    ...errorAnswers(
      ...BODY_ERRORS,
      'amount_not_a_number',
      ...CHANGE_ERRORS,
      'side_invalid',
      'currency_unknown',
      'currency_not_for_sells',
      'amount_below_minimum',
      'amount_above_maximum',
      'amount_too_precise',
      'amount_malformed',
      'amount_not_representable',
      'network_unknown',
      'network_not_enabled',
      'idempotency_key_invalid',
      'idempotency_key_reused',
      'quote_exposure_exceeded',
      'rates_unavailable',
    ),
  },
};

export const readQuoteDocs = {
  operationId: 'getQuote',
  summary: 'Read a quote',
  description: 'An unused quote is deleted 30 days after it expired.',
  tags: [TAGS.quotes],
  security: WITH_KEY,
  params: Type.Object({ quote_id: Type.String({ description: 'The quo_… id of the quote.' }) }),
  response: {
    200: jsonAnswer('The quote.', QuoteAnswer, {
      status: 'success',
      message: 'Quote found.',
      quote: EXAMPLE,
    }),
    ...errorAnswers(...KEY_ERRORS, 'quote_not_found'),
  },
};

export const listQuotesDocs = {
  operationId: 'listQuotes',
  summary: 'List quotes',
  description: 'Newest first.',
  tags: [TAGS.quotes],
  security: WITH_KEY,
  querystring: Type.Object({
    state: Type.Optional(Type.String({ enum: [...QUOTE_STATES] })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE, default: 25 })),
    cursor: Type.Optional(Type.String({ description: 'next_cursor of the previous page.' })),
  }),
  response: {
    200: jsonAnswer(
      'One page of quotes.',
      Type.Object({
        ...answerFields,
        quotes: Type.Array(Type.Ref('Quote')),
        next_cursor: nullable('string', {
          description: 'Send it as cursor to get the next page; null on the last page.',
        }),
      }),
      { status: 'success', message: 'Quotes, newest first.', quotes: [EXAMPLE], next_cursor: null },
    ),
    ...errorAnswers(...KEY_ERRORS, 'filter_invalid', 'cursor_invalid'),
  },
};
