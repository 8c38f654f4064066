// The changes that operators make to rates: desk prices, spreads and the tiers of businesses. A price far from the last
// accepted value, a live spread and a tier need a second person. Rates are texts with at most four decimals.
import { type Static, type TObject, Type } from 'typebox';
import type { SettingRequest } from '../../../../domain/back-office/setting.ts';
import type { OperatorPermission } from '../../../../domain/people/roles.ts';
import { CURRENCIES, MAX_SPREAD_BPS, RATE_PRODUCTS } from '../../../../domain/rates/rates.ts';
import { TIER_NAME } from '../../../../domain/rates/spread.ts';
import { isMode } from '../../../../domain/values/mode.ts';
import { fail } from '../../../../domain/values/result.ts';
import * as schemas from '../../../../renderings/parts/schemas.ts';
import { settingOutcomeAnswer } from '../../../../renderings/proposals.ts';
import { NO_SUCH_RECORD } from '../../refusals.ts';
import { type ConsoleRoute, operatorRoute, type SignedInCall } from '../../route.ts';
import { answerSettingChange } from './settings.ts';

const MAX_HOURS = 24 * 31;
const HOUR_MS = 3_600_000;

const product = Type.Union(
  RATE_PRODUCTS.map((each) => Type.Literal(each)),
  { description: `one of ${RATE_PRODUCTS.join(', ')}.` },
);
const currency = Type.Union(
  CURRENCIES.map((each) => Type.Literal(each)),
  { description: `one of ${CURRENCIES.join(', ')}.` },
);
const tier = Type.String({
  pattern: TIER_NAME.source,
  description: '1 to 32 characters of a-z, 0-9, hyphen and underscore, beginning with a letter.',
});
const price = Type.Optional(
  Type.String({
    pattern: '^(0|[1-9][0-9]{0,11})([.][0-9]{1,4})?$',
    description: 'naira per unit as a text with at most 4 decimals, for example "1361.5".',
  }),
);

const PricesBody = Type.Object({
  prices: Type.Object(Object.fromEntries(CURRENCIES.map((code) => [code, price])), {
    additionalProperties: false,
    description: `an object with prices by currency: ${CURRENCIES.join(', ')}. A currency that is left out keeps its price and its end time.`,
  }),
  valid_for_hours: Type.Integer({ minimum: 1, maximum: MAX_HOURS, description: `1 to ${MAX_HOURS}.` }),
  override: Type.Optional(
    Type.Boolean({ description: 'true: only these prices are used while they are valid; default: false.' }),
  ),
});

const WithdrawBody = Type.Object({
  currencies: Type.Array(currency, {
    minItems: 1,
    maxItems: CURRENCIES.length,
    description: 'the currencies whose desk price ends now.',
  }),
});

const SpreadBody = Type.Object({
  mode: schemas.mode,
  product,
  currency: Type.Optional(currency),
  tier: Type.Optional(tier),
  spread_bps: Type.Integer({ minimum: 0, maximum: MAX_SPREAD_BPS, description: `0 to ${MAX_SPREAD_BPS}.` }),
});

/** Undefined if the path names no existing mode or product. */
function settingRoute<Body extends TObject>(
  docs: {
    readonly method: 'POST' | 'PUT';
    readonly path: string;
    readonly name: string;
    readonly summary: string;
    readonly body: Body;
  },
  requestOf: (call: SignedInCall<Static<Body>>) => SettingRequest | undefined,
  permission: OperatorPermission = 'settings.propose',
): ConsoleRoute {
  const refusals = ['not_found', 'invalid', 'not_possible', 'busy'] as const;
  return operatorRoute(
    permission,
    'nothing',
    { ...docs, tag: 'Treasury', answer: settingOutcomeAnswer, refusals },
    async (call: SignedInCall<Static<Body>>, deps) => {
      const request = requestOf(call);
      return request === undefined ? fail(NO_SUCH_RECORD) : answerSettingChange(deps, request, call.actor);
    },
  );
}

function bookOf({ mode = '', product: name }: Readonly<Record<string, string>>) {
  const found = RATE_PRODUCTS.find((each) => each === name);
  return isMode(mode) && found !== undefined ? { mode, product: found } : undefined;
}

export const rateRoutes: readonly ConsoleRoute[] = [
  settingRoute(
    {
      method: 'PUT',
      path: '/rates/:mode/:product',
      name: 'setRates',
      summary:
        'Set desk prices of one mode and product, valid from now; a price far from the last accepted value needs two people',
      body: PricesBody,
    },
    ({ params, body: { prices, valid_for_hours: hours, override = false } }) => {
      const book = bookOf(params);
      const given = Object.entries(prices as Record<string, string>);
      const priced = given.map(([code, price]) => ({ currency: code, price }));
      const validForMs = hours * HOUR_MS;
      return book && { setting: 'rates_set', ...book, prices: priced, validForMs, override };
    },
  ),
  settingRoute(
    {
      method: 'POST',
      path: '/rates/:mode/:product/withdraw',
      name: 'withdrawRates',
      summary: 'Withdraw desk prices immediately; one person is enough',
      body: WithdrawBody,
    },
    ({ params, body: { currencies } }) => {
      const book = bookOf(params);
      return book && { setting: 'rates_withdrawn', ...book, currencies };
    },
    'money.stop',
  ),
  settingRoute(
    {
      method: 'PUT',
      path: '/spreads',
      name: 'setSpread',
      summary: 'Set a spread, valid from now, for a product or for one of its currencies or tiers',
      body: SpreadBody,
    },
    ({ body }) => ({
      setting: 'spread_set',
      mode: body.mode,
      product: body.product,
      currency: body.currency ?? null,
      tier: body.tier ?? null,
      spreadBps: body.spread_bps,
    }),
  ),
  settingRoute(
    {
      method: 'PUT',
      path: '/businesses/:business_id/tier',
      name: 'setTier',
      summary: 'Propose the tier of a business; the tier decides its spreads',
      body: Type.Object({ tier }),
    },
    ({ params, body }) => ({ setting: 'tier_set', businessId: params.business_id!, tier: body.tier }),
  ),
];
