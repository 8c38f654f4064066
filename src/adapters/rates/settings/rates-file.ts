// Reads RATES_FILE, which lists the rate sources of live mode and which sources each product uses. All mistakes are reported at
// once, each with its path.
import { type Static, type TOptional, Type } from 'typebox';
import { RATE_PRODUCTS, type RateProduct } from '../../../domain/rates/rates.ts';
import { DESK, type ProductPlan } from '../../../domain/rates/reading.ts';
import { fieldOf } from '../../json.ts';
import type { SettingsProblems } from '../../settings-problems.ts';
import {
  integerSchema,
  listOf,
  objectSchema,
  parseSettings,
  readBySchema,
  readTextFile,
  type Variables,
  withRule,
} from '../../settings-reader.ts';
import { SOURCE_KINDS } from '../kinds.ts';
import { readSourceRow, type SourceKinds, type SourceSettings } from './source-row.ts';

export interface RatesFile {
  readonly sources: readonly SourceSettings[];
  /** A product that is missing here uses only the desk price. */
  readonly products: ReadonlyMap<RateProduct, ProductPlan>;
}

const MOST_SOURCES = 20;
const FILE = objectSchema({
  sources: Type.Array(Type.Unknown(), {
    maxItems: MOST_SOURCES,
    description: `a list of at most ${MOST_SOURCES} sources`,
  }),
  products: Type.Unknown({ description: 'an object { … }' }),
});

/** Throws a SettingsError if the file has mistakes. */
export function readRatesFile(
  location: string,
  variables: Variables,
  kinds: SourceKinds = SOURCE_KINDS,
): RatesFile {
  const file = `The rates file ${location}`;
  return parseSettings(file, readTextFile(file, location), (json, at) => {
    readBySchema(FILE, json, at);
    const rows = listOf(json, 'sources');
    const sources = sourcesIn(rows, kinds, variables, at.at('sources'));
    // This includes the names of rows with mistakes, so that a product that uses such a row is not reported too.
    const names = new Set(rows.map((row) => fieldOf(row, 'name')).filter((name) => typeof name === 'string'));
    return { sources, products: productsIn(fieldOf(json, 'products') ?? {}, names, at.at('products')) };
  });
}

function sourcesIn(
  rows: readonly unknown[],
  kinds: SourceKinds,
  variables: Variables,
  at: SettingsProblems,
): readonly SourceSettings[] {
  const names = new Set<unknown>();
  const urls = new Map<string, number>();
  return rows.flatMap((row, index) => {
    const place = at.at(index);
    const name = fieldOf(row, 'name');
    if (names.has(name))
      place.at('name').add('is already the name of an earlier source: each needs a name of its own');
    if (name !== undefined) names.add(name);
    const settings = readSourceRow(row, kinds, variables, place);
    if (settings === undefined) return [];
    const other = urls.get(settings.url);
    if (other !== undefined)
      place.at('url').add(`is the URL of sources[${other}]: one source must not count as two`);
    urls.set(settings.url, index);
    return [settings];
  });
}

function productsIn(value: unknown, names: ReadonlySet<string>, at: SettingsProblems): RatesFile['products'] {
  const schemas = RATE_PRODUCTS.map((product) => [
    product,
    Type.Optional(planSchema(names, listOf(fieldOf(value, product), 'sources').length)),
  ]);
  const products = readBySchema(
    objectSchema(
      Object.fromEntries(schemas) as Record<RateProduct, TOptional<ReturnType<typeof planSchema>>>,
    ),
    value,
    at,
  );
  const plans = new Map<RateProduct, ProductPlan>();
  for (const product of RATE_PRODUCTS) {
    const given = products?.[product];
    if (given !== undefined) plans.set(product, planOf(product, given, at.at(product)));
  }
  return plans;
}

function planSchema(names: ReadonlySet<string>, count: number) {
  const listed = (known: readonly string[]) =>
    Type.Array(
      withRule(
        Type.Unsafe<string>(Type.Unknown()),
        (name) => known.includes(name),
        () => `is not the name of a source. Known names: ${known.join(', ')}`,
      ),
      { minItems: 1, description: 'a list of at least one name of a source' },
    );
  return objectSchema({
    sources: listed([...names, DESK]),
    minimum: integerSchema(1, count === 0 ? MOST_SOURCES : count),
    cross_from: Type.Optional(listed([...names])),
  });
}

function planOf(
  product: RateProduct,
  { sources, minimum, cross_from }: Static<ReturnType<typeof planSchema>>,
  at: SettingsProblems,
): ProductPlan {
  refuseTwice(sources, at.at('sources'));
  refuseTwice(cross_from ?? [], at.at('cross_from'));
  if (minimum === 1 && !sources.includes(DESK))
    at.at('minimum').add(
      `must be at least 2, or "${DESK}" must be one of the sources: one outside source alone may not set a live price`,
    );
  return { product, sources, minimum, ...(cross_from !== undefined && { crosses: cross_from }) };
}

function refuseTwice(names: readonly string[], at: SettingsProblems): void {
  names.forEach((name, index) => {
    if (names.indexOf(name) < index) at.at(index).add('appears twice: remove one of the two');
  });
}
