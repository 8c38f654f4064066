// RATES_FILE: the sources of rates in live mode, and which of them each product is priced from. It is read whole and strictly: all
// mistakes are reported at once, each with its path.
import { readFileSync } from 'node:fs';
import { RATE_PRODUCTS, type RateProduct } from '../../../domain/rates/rates.ts';
import { DESK, type ProductPlan } from '../../../domain/rates/reading.ts';
import { NetworkSettingsError } from '../../networks/settings/fields.ts';
import { parseJson } from '../../networks/settings/json.ts';
import { SOURCE_KINDS } from '../kinds.ts';
import type { Variables } from './headers.ts';
import { Problems, RateSettingsError, under, WHOLE_FILE } from './problems.ts';
import { readSourceRow, type SourceKinds, type SourceSettings } from './source-row.ts';

export interface RatesFile {
  readonly sources: readonly SourceSettings[];
  /** A product that is left out is priced from the desk alone. */
  readonly products: ReadonlyMap<RateProduct, ProductPlan>;
}

const MOST_SOURCES = 20;

/** Throws a RateSettingsError. */
export function readRatesFile(
  location: string,
  variables: Variables,
  kinds: SourceKinds = SOURCE_KINDS,
): RatesFile {
  const problems = new Problems();
  const file = parseRates(textOf(location), variables, kinds, problems);
  if (problems.found.length > 0) throw new RateSettingsError(location, problems.found);
  return file;
}

function textOf(location: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(location));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const what = error instanceof TypeError ? 'It is not text in UTF-8.' : `It cannot be read (${code}).`;
    throw new RateSettingsError(location, [what]);
  }
}

function parseRates(
  content: string,
  variables: Variables,
  kinds: SourceKinds,
  problems: Problems,
): RatesFile {
  const fields = problems.object(jsonIn(content, problems), WHOLE_FILE, ['sources', 'products']);
  if (fields === undefined) return { sources: [], products: new Map() };
  const { names, sources } = sourcesIn(fields.sources, variables, kinds, problems);
  return { sources, products: productsIn(fields.products, names, problems) };
}

function jsonIn(content: string, problems: Problems): unknown {
  try {
    return parseJson(content);
  } catch (error) {
    if (!(error instanceof NetworkSettingsError)) throw error;
    problems.found.push(error.message);
    return {};
  }
}

function sourcesIn(value: unknown, variables: Variables, kinds: SourceKinds, problems: Problems) {
  if (!Array.isArray(value) || value.length > MOST_SOURCES) {
    problems.add('sources', `must be a list of at most ${MOST_SOURCES} sources`);
    return { names: new Set<string>(), sources: [] };
  }
  const names = new Set<string>();
  const urls = new Map<string, string>();
  const sources = value.flatMap((row: unknown, index) => {
    const path = `sources[${index}]`;
    const name = (row as { readonly name?: unknown } | null)?.name;
    // Also of a row with mistakes: a product that names it makes none.
    if (typeof name === 'string') {
      if (names.has(name))
        problems.add(`${path}.name`, 'is the name of a source before it: each needs a name of its own');
      names.add(name);
    }
    const settings = readSourceRow(row, path, kinds, variables, problems);
    if (settings === undefined) return [];
    const other = urls.get(settings.url);
    if (other !== undefined)
      problems.add(`${path}.url`, `is the URL of ${other}: one source must not count as two`);
    urls.set(settings.url, path);
    return [settings];
  });
  return { names, sources };
}

function productsIn(value: unknown, names: ReadonlySet<string>, problems: Problems): RatesFile['products'] {
  const plans = new Map<RateProduct, ProductPlan>();
  const fields = problems.object(value, 'products', RATE_PRODUCTS);
  for (const product of RATE_PRODUCTS) {
    const plan = fields?.[product];
    if (plan !== undefined) plans.set(product, planIn(plan, product, names, problems));
  }
  return plans;
}

function planIn(
  value: unknown,
  product: RateProduct,
  names: ReadonlySet<string>,
  problems: Problems,
): ProductPlan {
  const path = under('products', product);
  const none: ProductPlan = { product, sources: [], minimum: 1 };
  const fields = problems.object(value, path, ['sources', 'minimum', 'cross_from']);
  if (fields === undefined) return none;
  const sources = namesIn(fields.sources, `${path}.sources`, [...names, DESK], problems);
  if (sources === undefined) return none;
  const minimum = problems.whole(fields, path, 'minimum', [1, sources.length]);
  if (minimum === 1 && fields.minimum === 1 && !sources.includes(DESK))
    problems.add(
      `${path}.minimum`,
      `must be at least 2, or "${DESK}" must be one of the sources: one outside source alone may not set a live price`,
    );
  if (fields.cross_from === undefined) return { product, sources, minimum };
  const crosses = namesIn(fields.cross_from, `${path}.cross_from`, [...names], problems) ?? [];
  return { product, sources, minimum, crosses };
}

function namesIn(
  list: unknown,
  path: string,
  known: readonly string[],
  problems: Problems,
): readonly string[] | undefined {
  if (!Array.isArray(list) || list.length === 0) {
    problems.add(path, 'must be a list of at least one name of a source');
    return undefined;
  }
  list.forEach((name: unknown, index) => {
    const where = `${path}[${index}]`;
    if (!known.includes(name as string))
      problems.add(where, `is not the name of a source. Known names: ${known.join(', ')}`);
    else if (list.indexOf(name) < index) problems.add(where, 'is there twice: remove one of the two');
  });
  return list.map(String);
}
