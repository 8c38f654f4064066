// The current rates of a business, and its quotes. Members of the business create, read and list quotes as keys do. Naira
// amounts are texts with two decimals, and rates are texts with four.
import { Type } from 'typebox';
import { readRateHistory } from '../../../../app/activity/read-rate-history.ts';
import { makeQuote } from '../../../../app/quotes/make-quote.ts';
import { listQuotes, readQuote } from '../../../../app/quotes/read-quotes.ts';
import { type ServedProduct, showServedRates } from '../../../../app/rates/show-book.ts';
import { computeNetAmount, quoteStateOf } from '../../../../domain/quotes/quote.ts';
import { CURRENCIES, RATE_PRODUCTS } from '../../../../domain/rates/rates.ts';
import { formatDecimal } from '../../../../domain/values/money.ts';
import { fail, ok } from '../../../../domain/values/result.ts';
import type { QuoteWithExpiry } from '../../../../ports/quotes.ts';
import * as schemas from '../../../../renderings/parts/schemas.ts';
import { isoOrNull, isoTime } from '../../../../renderings/parts/values.ts';
import {
  historyQuery,
  historySchema,
  missingRate,
  product,
  renderHistory,
  renderRate,
} from '../../../../renderings/rates.ts';
import { idempotencyKeyOf } from '../../../requests/request-context.ts';
import type { ConsoleDeps } from '../../deps.ts';
import { NO_SUCH_RECORD } from '../../refusals.ts';
import { type BusinessCall, businessRoute, type ConsoleRoute } from '../../route.ts';
import { readReader } from './agent.ts';

const GET = { tag: 'Business', method: 'GET' } as const;
const text = Type.String();
const naira = Type.String({ description: 'In naira, with two decimals.' });
const QUOTE_STATES = ['open', 'used', 'expired'] as const;

/** Undefined if the mode in the path is neither live nor test, or if the business no longer exists. */
async function findQuotedBusiness(call: BusinessCall, { backOffice }: ConsoleDeps) {
  const reader = readReader(call);
  const business = (await backOffice.listBusinesses()).find(({ id }) => id === call.businessId);
  if (reader === undefined || business === undefined) return undefined;
  const { id, tier } = business;
  return {
    mode: reader.key.mode,
    tier,
    key: { id: call.actor, mode: reader.key.mode, business: { id, tier } },
  };
}

const rateNow = schemas.nameSchema(
  'RateNow',
  Type.Object({
    ...{ currency: schemas.oneOf(CURRENCIES), rate: text },
    valid_until: schemas.nullable({
      ...schemas.time,
      description: 'Null: a sample rate of test mode, which does not expire.',
    }),
  }),
);
const productRates = schemas.nameSchema(
  'ProductRates',
  Type.Object({
    product,
    served: Type.Boolean({ description: 'False: the API answers 503.' }),
    missing: Type.Array(missingRate),
    changed_at: schemas.nullable({
      ...schemas.time,
      description: 'When the rates last changed.',
    }),
    sample: Type.Boolean(),
    rates: Type.Array(rateNow),
  }),
);

const ratesNowRoute = businessRoute(
  'transactions.read',
  {
    ...GET,
    path: '/rates/:mode',
    name: 'getBusinessRates',
    summary:
      'Read the current rates of the business: all nine currencies of each product, or the currencies without a rate',
    answer: {
      tier: text,
      products: Type.Array(productRates),
    },
    refusals: ['not_found'],
  },
  async (call, deps) => {
    const quoted = await findQuotedBusiness(call, deps);
    if (quoted === undefined) return fail(NO_SUCH_RECORD);
    return ok({ tier: quoted.tier, products: (await showServedRates(deps, quoted)).map(renderProductRates) });
  },
);

function renderProductRates({ product: of, changedAtMs, rates, missing: lacking }: ServedProduct) {
  return {
    ...{ product: of, served: lacking.length === 0, missing: lacking, changed_at: isoOrNull(changedAtMs) },
    sample: rates.some(({ validUntilMs }) => validUntilMs === null),
    rates: rates.map(({ currency, rateE4, validUntilMs }) => ({
      ...{ currency, rate: renderRate(rateE4), valid_until: isoOrNull(validUntilMs) },
    })),
  };
}

const historyRoute = businessRoute(
  'transactions.read',
  {
    ...GET,
    path: '/rates/:mode/:product/history',
    name: 'getBusinessRateHistory',
    summary: 'Read the history of a rate, with the spread that applied to the business at each time',
    query: historyQuery,
    answer: historySchema,
    refusals: ['not_found', 'filter_invalid'],
  },
  async (call, deps) => {
    const quoted = await findQuotedBusiness(call, deps);
    const of = RATE_PRODUCTS.find((each) => each === call.params.product);
    if (quoted === undefined || of === undefined) return fail(NO_SUCH_RECORD);
    const read = await readRateHistory(deps, quoted, { ...call.query, product: of });
    return read.ok ? ok(renderHistory(read.value)) : read;
  },
);

const quote = schemas.nameSchema(
  'Quote',
  Type.Object({
    ...{ quote_id: text, side: schemas.oneOf(['buy', 'sell']) },
    amount: Type.String({ description: 'In the currency of the quote, with two decimals.' }),
    ...{ currency: text, network: schemas.nullable(text), naira_amount: naira },
    fees: Type.Array(Type.Object({ name: text, amount: naira })),
    net_amount: naira,
    rate: Type.String({ description: 'Naira per unit, with four decimals.' }),
    sources: Type.Array(Type.Object({ name: text, rate: text, as_of: schemas.time })),
    decision_id: schemas.nullable(text),
    state: schemas.oneOf(QUOTE_STATES),
    transaction_id: schemas.nullable(text),
    ...{ created_at: schemas.time, expires_at: schemas.time },
  }),
);

const listRoute = businessRoute(
  'transactions.read',
  {
    ...GET,
    path: '/quotes/:mode',
    name: 'listBusinessQuotes',
    summary: 'List quotes of one mode, newest first',
    query: Type.Object({
      state: Type.Optional(schemas.oneOf(QUOTE_STATES)),
      cursor: Type.Optional(Type.String({ description: 'next_cursor of the previous page.' })),
      limit: Type.Optional(Type.String({ description: '1 to 100; 25 without it.' })),
    }),
    answer: { quotes: Type.Array(quote), next_cursor: schemas.nullable(text) },
    refusals: ['not_found', 'filter_invalid', 'cursor_invalid'],
  },
  async (call, { quoting }) => {
    const reader = readReader(call);
    if (reader === undefined) return fail(NO_SUCH_RECORD);
    const found = await listQuotes(quoting.quotes, reader, call.query);
    if (!found.ok) return found;
    return ok({ quotes: found.value.quotes.map(renderQuote), next_cursor: found.value.nextCursor });
  },
);

const readRoute = businessRoute(
  'transactions.read',
  {
    ...GET,
    path: '/quotes/:mode/:quote_id',
    name: 'getBusinessQuote',
    summary: 'Read a quote',
    answer: { quote },
    refusals: ['not_found', 'quote_not_found'],
  },
  async (call, { quoting }) => {
    const reader = readReader(call);
    if (reader === undefined) return fail(NO_SUCH_RECORD);
    const found = await readQuote(quoting.quotes, reader, call.params.quote_id!);
    return found.ok ? ok({ quote: renderQuote(found.value) }) : found;
  },
);

const makeRoute = businessRoute(
  'transactions.write',
  {
    tag: 'Business',
    method: 'POST',
    path: '/quotes/:mode',
    name: 'makeBusinessQuote',
    summary: 'Create a quote: a price that is valid for one transaction of the business until it expires',
    body: Type.Object({
      side: Type.Union([Type.Literal('buy'), Type.Literal('sell')], { description: 'buy or sell.' }),
      amount: Type.String({ minLength: 1, maxLength: 30, description: 'an amount, for example 100.00.' }),
      currency: Type.Optional(Type.String({ maxLength: 10, description: 'NGN, or one of the nine codes.' })),
      network: Type.Optional(
        Type.String({ minLength: 1, maxLength: 60, description: 'the name of a network.' }),
      ),
    }),
    answer: { quote },
    refusals: [
      ...(['not_found', 'idempotency_key_invalid', 'idempotency_key_reused', 'rates_unavailable'] as const),
      ...([
        'amount_malformed',
        'amount_below_minimum',
        'amount_above_maximum',
        'amount_too_precise',
      ] as const),
      ...(['amount_not_representable', 'network_unknown', 'network_not_enabled'] as const),
      ...(['currency_unknown', 'currency_not_for_sells', 'quote_exposure_exceeded'] as const),
    ],
  },
  async (call, deps) => {
    const key = idempotencyKeyOf(call.request);
    if (!key.ok) return key;
    const quoted = await findQuotedBusiness(call, deps);
    if (quoted === undefined) return fail(NO_SUCH_RECORD);
    const { catalogue } = deps.activity;
    const { amount, ...body } = call.body;
    const made = await makeQuote(deps.quoting, {
      caller: { key: quoted.key, catalogue: catalogue.current() ?? (await catalogue.refresh()) },
      ...{ body, amountText: amount, idempotencyKey: key.value },
    });
    if (!made.ok) return made;
    if (made.value.replayed) call.reply.header('idempotent-replayed', 'true');
    return ok({ quote: renderQuote(made.value) });
  },
);

function renderQuote({ quote: found, expired }: QuoteWithExpiry): schemas.JsonOf<typeof quote> {
  const inNaira = (minor: bigint) => formatDecimal(minor, 2);
  return {
    ...{ quote_id: found.id, side: found.side, currency: found.currency, network: found.network },
    ...{ amount: inNaira(found.amountMinor), naira_amount: inNaira(found.nairaMinor) },
    fees: [{ name: 'service_fee', amount: inNaira(found.feeMinor) }],
    ...{
      net_amount: inNaira(computeNetAmount(found)),
      rate: renderRate(found.rateE4),
      decision_id: found.decisionId,
    },
    sources: found.sources.map(({ name, valueE4, asOfMs }) => ({
      ...{ name, rate: renderRate(valueE4), as_of: isoTime(asOfMs) },
    })),
    ...{ state: quoteStateOf(found, expired), transaction_id: found.transactionId },
    ...{ created_at: isoTime(found.createdAtMs), expires_at: isoTime(found.expiresAtMs) },
  };
}

export const quoteRoutes: readonly ConsoleRoute[] = [
  ratesNowRoute,
  historyRoute,
  listRoute,
  readRoute,
  makeRoute,
];
