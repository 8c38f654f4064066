// Reads one rate source in RATES_FILE.
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { DESK } from '../../../domain/rates/reading.ts';
import { fieldOf } from '../../json.ts';
import { type SettingsProblems, suggestKnown } from '../../settings-problems.ts';
import {
  ANY_TEXT,
  integerSchema,
  objectSchema,
  readBySchema,
  safeUrlSchema,
  textSchema,
  type Variables,
  withRule,
} from '../../settings-reader.ts';
import { MEBIBYTE, type SourceKind } from '../source-kind.ts';
import { headersIn } from './headers.ts';

export interface SourceSettings {
  readonly name: string;
  readonly kindName: string;
  readonly kind: SourceKind;
  readonly url: string;
  readonly everyMs: number;
  readonly ageLimitMs: number;
  readonly timeoutMs: number;
  readonly mostBytes: number;
  /** The headers are a function, so that printed settings do not show a key. */
  headers(): Readonly<Record<string, string>>;
}

export type SourceKinds = ReadonlyMap<string, SourceKind>;

const NAME = withRule(
  textSchema(
    /^[a-z][a-z0-9_-]{0,31}$/,
    'a name of up to 32 small letters, digits, - and _, beginning with a letter',
  ),
  (name) => name !== DESK,
  () => `must not be "${DESK}": that name is reserved for the desk's own prices`,
);
const URL_OF_SOURCE = safeUrlSchema(': send them in "headers"');

/** Returns undefined if the row has mistakes, and adds the mistakes to `at`. */
export function readSourceRow(
  value: unknown,
  kinds: SourceKinds,
  variables: Variables,
  at: SettingsProblems,
): SourceSettings | undefined {
  const before = at.found.length;
  const kind = kinds.get(`${fieldOf(value, 'kind')}`);
  const common = commonFields(kinds, kind);
  const row = readBySchema(objectSchema({ ...common, ...optionFields(kinds, kind) }), value, at) as
    | Static<TObject<typeof common>>
    | undefined;
  const headers = headersIn(fieldOf(value, 'headers'), variables, at.at('headers'));
  if (row === undefined || kind === undefined) return undefined;
  const [everyMs, ageLimitMs] = [parseDuration(row.every), parseDuration(row.age_limit)];
  if (ageLimitMs <= everyMs)
    at.at('age_limit').add(
      'must be longer than "every": otherwise each number is too old before the next one is read',
    );
  const url = urlOf(row.url, row, kind, at.at('url'));
  if (at.found.length > before) return undefined;
  return {
    name: row.name,
    kindName: row.kind,
    kind,
    url,
    everyMs,
    ageLimitMs,
    timeoutMs: parseDuration(row.timeout),
    mostBytes: row.max_bytes,
    headers,
  };
}

function commonFields(kinds: SourceKinds, kind: SourceKind | undefined) {
  const known = [...kinds.keys()];
  return {
    name: NAME,
    kind: withRule(
      ANY_TEXT,
      (name) => kinds.has(name),
      (name) => `is not a known kind.${suggestKnown(name, known)} Known kinds: ${known.join(', ')}`,
    ),
    url: ANY_TEXT,
    every: durationSchema('5s', '7d'),
    age_limit: durationSchema('10s', '30d'),
    timeout: durationSchema('1s', '2m'),
    max_bytes: integerSchema(1_024, 64 * MEBIBYTE, kind?.mostBytes ?? MEBIBYTE),
    headers: Type.Optional(Type.Unknown()),
  };
}

/** Returns the option fields of a kind. If the kind is unknown, returns the options of all kinds. */
function optionFields(kinds: SourceKinds, kind: SourceKind | undefined): Record<string, TSchema> {
  const options = [...kinds.values()].flatMap((each) =>
    (kind ?? each) === each ? Object.entries(each.options) : [],
  );
  return Object.fromEntries(
    options.map(([name, { pattern, what }]) => {
      const schema = textSchema(pattern, what);
      return [name, kind === undefined ? Type.Optional(schema) : schema];
    }),
  );
}

function urlOf(template: string, row: object, kind: SourceKind, at: SettingsProblems): string {
  let url = template;
  for (const name of Object.keys(kind.options)) {
    if (!url.includes(`{${name}}`)) at.add(`must contain {${name}}, where the value of "${name}" goes`);
    url = url.replaceAll(`{${name}}`, encodeURIComponent(`${fieldOf(row, name)}`));
  }
  const isUrl = readBySchema(URL_OF_SOURCE, url, at) !== undefined;
  if (isUrl && /[{}]/.test(url))
    at.add('has a { or } that does not enclose the name of a field of this kind');
  return url;
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Returns NaN if the text is not a duration. */
function parseDuration(text: string): number {
  const match = /^(\d{1,6})([smhd])$/.exec(text);
  return match === null ? Number.NaN : Number(match[1]) * UNIT_MS[match[2]!]!;
}

function durationSchema(shortest: string, longest: string) {
  const description = `a duration from "${shortest}" to "${longest}", such as "30s", "5m", "26h" or "4d"`;
  return withRule(
    Type.String({ description }),
    (value) =>
      parseDuration(value) >= parseDuration(shortest) && parseDuration(value) <= parseDuration(longest),
  );
}
