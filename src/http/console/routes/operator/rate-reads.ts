// The rates for the operator: the rate books with their decisions, the rate sources, desk prices, spreads and history.
import { Type } from 'typebox';
import { readRateHistory } from '../../../../app/activity/read-rate-history.ts';
import { planSetting } from '../../../../app/back-office/plan-setting.ts';
import { showBooks } from '../../../../app/rates/show-book.ts';
import { showDeskPrices, showSpreads } from '../../../../app/rates/show-desk.ts';
import { showSources } from '../../../../app/rates/show-sources.ts';
import { describeSetting } from '../../../../domain/back-office/describe-setting.ts';
import { needsTwoPeople } from '../../../../domain/people/people-needed.ts';
import { CURRENCIES, RATE_PRODUCTS, type RateProduct } from '../../../../domain/rates/rates.ts';
import { isMode, type Mode } from '../../../../domain/values/mode.ts';
import { fail, ok } from '../../../../domain/values/result.ts';
import * as schemas from '../../../../renderings/parts/schemas.ts';
import { isoTime } from '../../../../renderings/parts/values.ts';
import * as rates from '../../../../renderings/rates.ts';
import type { ConsoleDeps } from '../../deps.ts';
import { NO_SUCH_RECORD } from '../../refusals.ts';
import {
  type AnswerMembers,
  type ConsoleRoute,
  type HandlerResult,
  operatorRoute,
  type SignedInCall,
} from '../../route.ts';
import { reviewFailure } from './decisions.ts';

const DECISIONS_SHOWN = 20;
const HOUR_MS = 3_600_000;

interface ReadDocs<Answer extends AnswerMembers> {
  /** The path of the route, relative to /rates/:mode. */
  readonly path: string;
  readonly name: string;
  readonly summary: string;
  readonly answer: Answer;
  readonly query?: NonNullable<ConsoleRoute['query']>;
  readonly refusals?: NonNullable<ConsoleRoute['refusals']>;
}

function modeRoute<Answer extends AnswerMembers>(
  { path, refusals = [], ...docs }: ReadDocs<Answer>,
  read: (deps: ConsoleDeps, mode: Mode, call: SignedInCall) => HandlerResult<Answer>,
): ConsoleRoute {
  return operatorRoute(
    'operations.read',
    'nothing',
    {
      ...docs,
      tag: 'Treasury',
      method: 'GET',
      path: `/rates/:mode${path}`,
      refusals: ['not_found', ...refusals],
    },
    async (call, deps) => {
      const { mode = '' } = call.params;
      return isMode(mode) ? read(deps, mode, call) : fail(NO_SUCH_RECORD);
    },
  );
}

function productRoute<Answer extends AnswerMembers>(
  docs: ReadDocs<Answer>,
  read: (
    deps: ConsoleDeps,
    of: { mode: Mode; product: RateProduct },
    call: SignedInCall,
  ) => HandlerResult<Answer>,
): ConsoleRoute {
  return modeRoute({ ...docs, path: `/:product${docs.path}` }, async (deps, mode, call) => {
    const product = RATE_PRODUCTS.find((each) => each === call.params.product);
    return product === undefined ? fail(NO_SUCH_RECORD) : read(deps, { mode, product }, call);
  });
}

const ABOUT_RATES = new Set(['rates_set', 'rates_withdrawn', 'spread_set']);

async function readOpenProposals({ settingDesk }: ConsoleDeps, mode: Mode) {
  const open = await settingDesk.listOpenProposals(mode);
  return open
    .filter(({ request }) => ABOUT_RATES.has(request.setting))
    .map(({ id, request, why, proposedBy, proposedAtMs }) => ({
      ...{ proposal_id: id, what: describeSetting(request), why },
      ...{ proposed_by: proposedBy, proposed_at: isoTime(proposedAtMs) },
    }));
}

const proposal = schemas.nameSchema(
  'RateProposal',
  Type.Object({
    ...{ proposal_id: Type.String(), what: Type.String(), why: schemas.nullable(Type.String()) },
    ...{ proposed_by: Type.String(), proposed_at: schemas.time },
  }),
);

const booksRoute = modeRoute(
  {
    path: '',
    name: 'getRates',
    summary: 'Read the served rates of one mode, and the decision about each rate',
    answer: {
      as_of: schemas.time,
      tiers: Type.Array(Type.String(), { description: 'The standard tier, and all tiers with a spread.' }),
      books: Type.Array(rates.bookSchema),
      proposals: Type.Array(proposal),
    },
  },
  async (deps, mode) => {
    const shown = await showBooks(deps, mode);
    return ok({
      ...{ as_of: isoTime(shown.asOfMs), tiers: shown.tiers, books: shown.books.map(rates.renderBook) },
      proposals: await readOpenProposals(deps, mode),
    });
  },
);

const sourcesRoute = modeRoute(
  {
    path: '/sources',
    name: 'listRateSources',
    summary: 'List the sources of one mode, their health and the age of their numbers',
    answer: { sources: Type.Array(rates.sourceSchema) },
  },
  async (deps, mode) => {
    const productsOf = (name: string) =>
      RATE_PRODUCTS.filter((product) => deps.ratePlan.planOf(mode, product).sources.includes(name));
    const shown = await showSources(deps);
    const used = shown.map((source) => ({ source, products: productsOf(source.name) }));
    return ok({
      sources: used
        .filter(({ products }) => products.length > 0)
        .map(({ source, products }) => rates.renderSource(source, products)),
    });
  },
);

const spreadsRoute = modeRoute(
  {
    path: '/spreads',
    name: 'listSpreads',
    summary: 'List the current spread rules of one mode, and whether a change needs two people',
    answer: { spreads: Type.Array(rates.spreadSchema), needs_two: Type.Boolean() },
  },
  async (deps, mode) => {
    const shown = await showSpreads(deps, mode);
    return ok({ spreads: shown.map(rates.renderSpread), needs_two: needsTwoPeople('spread_set', mode) });
  },
);

const decisionsRoute = productRoute(
  {
    path: '/decisions',
    name: 'listRateDecisions',
    summary: `List the last ${DECISIONS_SHOWN} decisions about a product, newest first`,
    answer: { decisions: Type.Array(rates.decisionSchema) },
  },
  async ({ rateStore }, { mode, product }) => {
    const found = await rateStore.listDecisions(mode, product, DECISIONS_SHOWN);
    return ok({ decisions: found.map(rates.renderDecision) });
  },
);

const deskPricesRoute = productRoute(
  {
    path: '/desk-prices',
    name: 'listDeskPrices',
    summary: 'List the desk prices of the last seven days, newest first',
    answer: { prices: Type.Array(rates.deskPriceSchema) },
  },
  async (deps, { mode, product }) => {
    const shown = await showDeskPrices(deps, mode, product);
    return ok({ prices: shown.map(rates.renderDeskPrice) });
  },
);

const historyRoute = productRoute(
  {
    path: '/history',
    name: 'getRateHistory',
    summary: 'Read the history of the value of a currency, before the spread',
    query: rates.historyQuery,
    answer: rates.historySchema,
    refusals: ['filter_invalid'],
  },
  async (deps, { mode, product }, { query }) => {
    const read = await readRateHistory(deps, { mode, tier: null }, { ...query, product });
    return read.ok ? ok(rates.renderHistory(read.value)) : read;
  },
);

/** The service checks the prices again when a person sets them, because the known values may have changed by then. */
const judgedPricesRoute = operatorRoute(
  'settings.propose',
  'nothing',
  {
    tag: 'Treasury',
    method: 'GET',
    path: '/rates/:mode/:product/judged',
    name: 'judgePrices',
    summary: 'Check whether desk prices would need a second person, and why; nothing is changed',
    query: Type.Object(
      Object.fromEntries(
        CURRENCIES.map((code) => [code, Type.Optional(Type.String({ description: 'Naira per unit.' }))]),
      ),
    ),
    answer: { needs_two: Type.Boolean(), why: schemas.nullable(Type.String()) },
    refusals: ['not_found', 'invalid'],
  },
  async ({ params, query }, deps) => {
    const { mode = '' } = params;
    const product = RATE_PRODUCTS.find((each) => each === params.product);
    if (!isMode(mode) || product === undefined) return fail(NO_SUCH_RECORD);
    const prices = Object.entries(query).map(([code, given]) => ({ currency: code, price: String(given) }));
    // The check treats the prices as an override, because the rules are the same for an override and every product allows one.
    const terms = { validForMs: HOUR_MS, override: true };
    const planned = await planSetting(deps, { setting: 'rates_set', mode, product, prices, ...terms });
    if (!planned.ok) return reviewFailure(planned.error);
    const why = planned.value.whyTwo ?? null;
    return ok({ needs_two: why !== null, why });
  },
);

export const rateReadRoutes: readonly ConsoleRoute[] = [
  ...[
    booksRoute,
    sourcesRoute,
    spreadsRoute,
    decisionsRoute,
    deskPricesRoute,
    historyRoute,
    judgedPricesRoute,
  ],
];
