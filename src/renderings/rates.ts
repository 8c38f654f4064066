// Renders rates, their sources, desk prices, spreads and history. Values are texts with four decimals, and times are ISO 8601.
import { Type } from 'typebox';
import type { RateHistory } from '../app/activity/read-rate-history.ts';
import type { ShownBook, ShownValue } from '../app/rates/show-book.ts';
import type { ShownPrice, ShownSpread } from '../app/rates/show-desk.ts';
import type { ShownSource } from '../app/rates/show-sources.ts';
import type { RateCandidate, ValueDecision } from '../domain/rates/rate-decision.ts';
import { CURRENCIES, HISTORY_INTERVALS, RATE_PRODUCTS, type RateProduct } from '../domain/rates/rates.ts';
import { formatDecimal } from '../domain/values/money.ts';
import type { StoredDecision } from '../ports/rates.ts';
import * as schemas from './parts/schemas.ts';
import { isoOrNull, isoTime } from './parts/values.ts';

const RATE_DECIMALS = 4;
const maybe = schemas.nullable;
const text = Type.String();
const rate = Type.String({ description: 'Naira per unit, with four decimals.' });
const currency = schemas.oneOf(CURRENCIES);

export const renderRate = (valueE4: bigint): string => formatDecimal(valueE4, RATE_DECIMALS);

const namedActor = schemas.nameSchema('NamedActor', Type.Object({ actor: text, name: maybe(text) }));
export const product = schemas.oneOf(RATE_PRODUCTS);
export const missingRate = schemas.nameSchema('MissingRate', Type.Object({ currency, why: text }));

const VERDICTS = [
  ...(['used', 'stale', 'from_the_future', 'out_of_bounds', 'outlier', 'jump', 'overridden'] as const),
] satisfies readonly RateCandidate['verdict'][];

const candidate = schemas.nameSchema(
  'RateCandidate',
  Type.Object({
    ...{ source: text, value: rate, as_of: schemas.time },
    crossed: Type.Boolean({
      description: 'Calculated through USD, because the source does not list the currency.',
    }),
    verdict: schemas.oneOf(VERDICTS),
    why: Type.String({ description: 'One sentence: what was measured, and against what.' }),
  }),
);

const decidedFields = {
  currency,
  value: maybe(rate),
  valid_until: maybe(schemas.time),
  gap: maybe(Type.String({ description: 'Why there is no value.' })),
  sample: Type.Boolean({ description: 'A sample value of test mode, which never expires.' }),
  candidates: Type.Array(candidate),
};

const decidedValue = schemas.nameSchema('DecidedValue', Type.Object(decidedFields));
const quotedRate = schemas.nameSchema(
  'QuotedRate',
  Type.Object({
    tier: text,
    spread_bps: maybe(Type.Integer()),
    rate: maybe(rate),
    missing: maybe(Type.String({ description: 'Why the tier gets no rate.' })),
  }),
);
const bookLine = schemas.nameSchema(
  'RateBookLine',
  Type.Object({
    ...decidedFields,
    last_value: maybe(Type.String({ description: 'The last accepted value, however old it is.' })),
    quoted: Type.Array(quotedRate),
  }),
);

export const bookSchema = schemas.nameSchema(
  'RateBook',
  Type.Object({
    mode: schemas.mode,
    product,
    served: Type.Boolean({ description: 'For the standard tier: all nine rates, or none.' }),
    missing: Type.Array(missingRate),
    plan: Type.Object({ sources: Type.Array(text), minimum: Type.Integer() }),
    decision_id: maybe(text),
    decided_at: maybe(schemas.time),
    currencies: Type.Array(bookLine),
  }),
);

export const sourceSchema = schemas.nameSchema(
  'RateSource',
  Type.Object({
    ...{ name: text, kind: text, products: Type.Array(product) },
    state: schemas.oneOf(['working', 'stale', 'failing', 'stopped', 'not_read']),
    failures: Type.Integer({ description: 'Since its last answer.' }),
    last_read_at: maybe(schemas.time),
    last_failure: maybe(Type.Object({ code: text, message: text, at: schemas.time })),
    next_read_at: maybe(schemas.time),
    open_until: maybe(schemas.time),
    age_limit_seconds: Type.Integer({ description: 'Numbers older than this are not used.' }),
    rates: Type.Array(Type.Object({ currency, value: rate, as_of: schemas.time })),
  }),
);

export const decisionSchema = schemas.nameSchema(
  'RateDecision',
  Type.Object({
    ...{ decision_id: text, at: schemas.time },
    values: Type.Array(decidedValue),
  }),
);

export const deskPriceSchema = schemas.nameSchema(
  'DeskPrice',
  Type.Object({
    ...{ currency, value: rate, set_at: schemas.time, valid_until: maybe(schemas.time) },
    ...{ override: Type.Boolean(), sample: Type.Boolean(), in_force: Type.Boolean() },
    ...{ set_by: namedActor, approved_by: maybe(namedActor) },
  }),
);

export const spreadSchema = schemas.nameSchema(
  'Spread',
  Type.Object({
    ...{
      mode: schemas.mode,
      product,
      currency: maybe(currency),
      tier: maybe(text),
      spread_bps: Type.Integer(),
    },
    ...{ from: schemas.time, set_by: namedActor },
  }),
);

/** Renders the rate books of one product. The rate book of the standard tier comes first. */
export function renderBook([standard, ...others]: readonly [ShownBook, ...ShownBook[]]): schemas.JsonOf<
  typeof bookSchema
> {
  const { mode, product: of, plan, decision, values } = standard;
  const lacking = values.flatMap(({ currency, notServed }) =>
    notServed === null ? [] : [{ currency, why: notServed }],
  );
  return {
    ...{ mode, product: of, served: lacking.length === 0, missing: lacking },
    plan: { sources: plan.sources, minimum: plan.minimum },
    decision_id: decision?.id ?? null,
    decided_at: isoOrNull(decision?.atMs ?? null),
    currencies: values.map((value, index) => ({
      ...renderValue({ ...value, gap: gapOf(value) }),
      last_value: value.accepted === null ? null : renderRate(value.accepted.valueE4),
      quoted: [standard, ...others].map((book) => renderQuoted(book.tier, book.values[index]!)),
    })),
  };
}

/**
 * Null if the decision made a value, even if this value has expired. Otherwise the result is the reason why no value is served.
 */
function gapOf({ valueE4, notServed }: ShownValue): string | null {
  return valueE4 === null ? notServed : null;
}

function renderQuoted(
  tier: string,
  { spreadBps, quotedE4, notServed }: ShownValue,
): schemas.JsonOf<typeof quotedRate> {
  return {
    ...{ tier, spread_bps: spreadBps, missing: notServed },
    rate: quotedE4 === null ? null : renderRate(quotedE4),
  };
}

type DecidedValueInput = Pick<ValueDecision, 'currency' | 'valueE4' | 'validUntilMs' | 'candidates'> & {
  readonly gap: string | null;
};

function renderValue(given: DecidedValueInput): schemas.JsonOf<typeof decidedValue> {
  const { currency, valueE4, validUntilMs, gap, candidates } = given;
  return {
    ...{
      currency,
      value: valueE4 === null ? null : renderRate(valueE4),
      valid_until: isoOrNull(validUntilMs),
    },
    ...{ gap, sample: valueE4 !== null && validUntilMs === null },
    candidates: candidates.map(renderCandidate),
  };
}

function renderCandidate(given: RateCandidate): schemas.JsonOf<typeof candidate> {
  const { source, valueE4, asOfMs, crossed, verdict, why } = given;
  return { source, value: renderRate(valueE4), as_of: isoTime(asOfMs), crossed, verdict, why };
}

export function renderSource(
  { name, kind, ageLimitMs, health, state }: ShownSource,
  products: readonly RateProduct[],
): schemas.JsonOf<typeof sourceSchema> {
  const failure = state?.lastFailure ?? null;
  return {
    ...{ name, kind, products, state: health, failures: state?.failures ?? 0 },
    last_read_at: isoOrNull(state?.lastReadAtMs ?? null),
    last_failure: failure === null ? null : { ...failure, at: isoTime(state!.lastFailureAtMs!) },
    next_read_at: isoOrNull(state?.nextReadAtMs ?? null),
    open_until: isoOrNull(state?.openUntilMs ?? null),
    age_limit_seconds: Math.round(ageLimitMs / 1_000),
    rates: (state?.rates ?? []).map(({ currency, valueE4, asOfMs }) => ({
      ...{ currency, value: renderRate(valueE4), as_of: isoTime(asOfMs) },
    })),
  };
}

export function renderDecision({ id, atMs, values }: StoredDecision): schemas.JsonOf<typeof decisionSchema> {
  return { decision_id: id, at: isoTime(atMs), values: values.map(renderValue) };
}

export function renderDeskPrice(shown: ShownPrice): schemas.JsonOf<typeof deskPriceSchema> {
  const { price, inForce, setBy, approvedBy } = shown;
  const { currency, valueE4, asOfMs, validUntilMs, override, sample } = price;
  return {
    ...{
      currency,
      value: renderRate(valueE4),
      set_at: isoTime(asOfMs),
      valid_until: isoOrNull(validUntilMs),
    },
    ...{ override, sample, in_force: inForce, set_by: setBy, approved_by: approvedBy },
  };
}

export const historyQuery = Type.Object({
  currency: Type.Optional(Type.String({ description: 'One of the nine currency codes.' })),
  interval: Type.Optional(schemas.oneOf(HISTORY_INTERVALS)),
  from: Type.Optional(schemas.time),
  to: Type.Optional(schemas.time),
});

export const historySchema = {
  ...{ product, currency, interval: schemas.oneOf(HISTORY_INTERVALS) },
  points: Type.Array(
    schemas.nameSchema('RatePoint', Type.Object({ at: schemas.time, rate, low: rate, high: rate })),
    { description: 'Oldest first.' },
  ),
};

export function renderHistory({ product: of, currency, interval, points }: RateHistory) {
  return {
    ...{ product: of, currency, interval },
    points: points.map(({ atMs, rateE4, lowE4, highE4 }) => ({
      at: isoTime(atMs),
      ...{ rate: renderRate(rateE4), low: renderRate(lowE4), high: renderRate(highE4) },
    })),
  };
}

export function renderSpread({ spread, setBy }: ShownSpread): schemas.JsonOf<typeof spreadSchema> {
  const { mode, product: of, currency, tier, spreadBps, fromMs } = spread;
  return { mode, product: of, currency, tier, spread_bps: spreadBps, from: isoTime(fromMs), set_by: setBy };
}
