// Reads the operator's settings files strictly: text in UTF-8, JSON without repeated fields, valid by a TypeBox schema. Defaults
// are filled in, and every mistake is reported with its path. No message contains a part of the file. The description of a schema
// is the end of the sentence "must be …".
import { readFileSync } from 'node:fs';
import {
  type Static,
  type TEnum,
  type TInteger,
  type TObject,
  type TSchema,
  type TString,
  Type,
} from 'typebox';
import { Check, Errors } from 'typebox/schema';
import { fieldOf, findRepeatedName, isObject } from './json.ts';
import { SettingsError, SettingsProblems, suggestKnown } from './settings-problems.ts';

export type Variables = (name: string) => string | undefined;

/** Throws a SettingsError. Its message begins with `file`, such as "The banks file /etc/banks.json". */
export function readTextFile(file: string, location: string | URL): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(location));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const what = error instanceof TypeError ? 'It is not text in UTF-8.' : `It cannot be read (${code}).`;
    throw new SettingsError(file, [what]);
  }
}

/** Throws a SettingsError with all mistakes that `read` reported. `read` may return undefined if it reported a mistake. */
export function parseSettings<Settings>(
  file: string,
  text: string,
  read: (json: unknown, at: SettingsProblems) => Settings | undefined,
  problems = new SettingsProblems(),
): Settings {
  const json = parseJson(text, problems.found);
  const settings = problems.found.length === 0 ? read(json, problems) : undefined;
  if (problems.found.length > 0) throw new SettingsError(file, problems.found);
  return settings as Settings;
}

function parseJson(text: string, found: string[]): unknown {
  try {
    const value: unknown = JSON.parse(text);
    const at = findRepeatedName(text);
    if (at === undefined) return value;
    const line = text.slice(0, at).split('\n').length;
    found.push(`The field on line ${line} repeats an earlier one. Remove one of the two.`);
  } catch (error) {
    const at = /\(line \d+ column \d+\)/.exec((error as Error).message)?.[0];
    found.push(`The file is not valid JSON${at === undefined ? '' : ` ${at}`}.`);
  }
  return undefined;
}

export function textSchema(pattern: RegExp, description: string, fallback?: string): TString {
  return Type.String({ pattern, description, ...(fallback !== undefined && { default: fallback }) });
}

export const ANY_TEXT = textSchema(/./, 'a text');

export function integerSchema(minimum: number, maximum: number, fallback?: number): TInteger {
  const description = `a whole number from ${minimum} to ${maximum}, without quotes`;
  return Type.Integer({
    minimum,
    maximum,
    description,
    ...(fallback !== undefined && { default: fallback }),
  });
}

export function enumSchema<const Words extends string[]>(
  words: readonly [...Words],
  fallback?: Words[number],
): TEnum<Words> {
  const description = `one of ${words.map((each) => `"${each}"`).join(', ')}`;
  return Type.Enum([...words] as Words, {
    description,
    ...(fallback !== undefined && { default: fallback }),
  }) as TEnum<Words>;
}

/** An object that refuses other fields. With `isOptional`, an omitted object counts as an empty object. */
export function objectSchema<const Fields extends Record<string, TSchema>>(
  fields: Fields,
  isOptional = false,
): TObject<Fields> {
  return Type.Object(fields, { description: 'an object { … }', ...(isOptional && { default: {} }) });
}

export function nullableSchema<Schema extends TSchema & { readonly properties?: never }>(
  schema: Schema,
  description: string,
  fallback?: Static<Schema> | null,
) {
  return Type.Union([schema, Type.Null()], {
    description,
    ...(fallback !== undefined && { default: fallback }),
  });
}

/**
 * Rules are possible only for single values. An object or a list is read part by part, so a rule about the whole value would
 * not be checked.
 */
type SingleValueSchema = TSchema & { readonly properties?: never; readonly items?: never };

/** Adds a rule to a schema. If the rule has no message, the description of the schema is used. */
export function withRule<Schema extends SingleValueSchema>(
  schema: Schema,
  keeps: (value: Static<Schema>) => boolean,
  mistake: (value: Static<Schema>) => string = () => `must be ${(schema as DescribedSchema).description}`,
): Schema {
  return Type.Refine(schema, keeps, mistake) as Schema;
}

interface DescribedSchema {
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  /** Only nullableSchema sets this field. */
  readonly anyOf?: readonly (TSchema & DescribedSchema)[];
  readonly items?: TSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
}

/** Reads a value. If the value does not match the schema, reports the mistakes and returns undefined. */
export function readBySchema<Schema extends TSchema>(
  schema: Schema,
  value: unknown,
  at: SettingsProblems,
): Static<Schema> | undefined {
  const before = at.found.length;
  const read = readValue(schema, value, at);
  return at.found.length === before ? (read as Static<Schema>) : undefined;
}

function readValue(schema: TSchema & DescribedSchema, value: unknown, at: SettingsProblems): unknown {
  if (schema.properties !== undefined && isObject(value))
    return readFields(schema.properties, schema, value, at);
  const list: DescribedSchema = schema.anyOf?.[0] ?? schema;
  const { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = list;
  if (items !== undefined && Array.isArray(value) && value.length >= minItems && value.length <= maxItems)
    return value.map((each, index) => readValue(items, each, at.at(index)));
  if (schema.properties !== undefined || !Check(schema, value)) at.add(mistakeOf(schema, value));
  return value;
}

function readFields(
  properties: Readonly<Record<string, TSchema & DescribedSchema>>,
  { required = [] }: DescribedSchema,
  value: object,
  at: SettingsProblems,
): unknown {
  at.refuseUnknown(value, Object.keys(properties));
  const given = new Map<string, unknown>(Object.entries(value));
  const read = Object.entries(properties).flatMap(([name, schema]) => {
    const found = given.has(name) ? given.get(name) : schema.default;
    if (found !== undefined) return [[name, readValue(schema, found, at.at(name))] as const];
    if (required.includes(name)) noteMissing(schema, at.at(name));
    return [];
  });
  return Object.fromEntries(read);
}

/** Reports a missing value. If the value is an object, reports each of its required fields. */
function noteMissing(schema: TSchema & DescribedSchema, at: SettingsProblems): void {
  const before = at.found.length;
  if (schema.properties !== undefined) readFields(schema.properties, schema, {}, at);
  if (at.found.length === before) at.add(`is missing: it must be ${schema.description}`);
}

/** The message of an additional rule is used only if the value matches the rest of the schema. */
function mistakeOf(schema: TSchema & DescribedSchema, value: unknown): string {
  const [, errors] = Errors(schema.anyOf?.[0] ?? schema, value);
  if (errors.every(({ keyword }) => keyword === '~refine')) return errors[0]!.message;
  const near = schema.enum === undefined ? '' : suggestKnown(value, schema.enum);
  return near === '' ? `must be ${schema.description}` : `must be ${schema.description}.${near}`;
}

/** Returns the entries of a list even if the file has mistakes elsewhere. Returns an empty list if the value is not a list. */
export function listOf(value: unknown, name: string): readonly unknown[] {
  const list = fieldOf(value, name);
  return Array.isArray(list) ? list : [];
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

export function parseUrl(value: unknown): URL | undefined {
  return typeof value === 'string' ? (URL.parse(value) ?? undefined) : undefined;
}

export function isOnThisMachine(url: URL | undefined): boolean {
  return url !== undefined && /^https?:$/.test(url.protocol) && LOOPBACK.test(url.hostname);
}

/** An attacker can change plain HTTP in transit, so plain HTTP is accepted only on this machine. */
export function isSafeUrl(url: URL | undefined): boolean {
  return url?.protocol === 'https:' || isOnThisMachine(url);
}

/**
 * The URL of a bank or of a rate source. `wayOut` is the part of the error message that says where to put a password instead.
 */
export function safeUrlSchema(wayOut = '') {
  return withRule(
    withRule(
      ANY_TEXT,
      (value) => isSafeUrl(parseUrl(value)),
      () => 'must be an https:// URL (http:// only on this machine)',
    ),
    (value) => `${parseUrl(value)?.username ?? ''}${parseUrl(value)?.password ?? ''}` === '',
    () => `must not contain a user name or a password${wayOut}`,
  );
}
