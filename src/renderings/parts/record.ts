// Renders a record field by field: snake case, times in ISO 8601, amounts in naira. The type of the JSON follows from the type of
// the record, so that a schema of a record cannot lose a field.
import { minorToWire, NAIRA } from '../../domain/values/money.ts';
import { isoOrNull } from './values.ts';

/** Fields about storage and processing, which readers do not need. */
const INTERNAL_FIELDS = ['version', 'dueAtMs', 'tries', 'payload'] as const;
type InternalField = (typeof INTERNAL_FIELDS)[number];
const IS_INTERNAL: ReadonlySet<string> = new Set(INTERNAL_FIELDS);

type SnakeCase<Name extends string> = Name extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `_${Lowercase<Letter>}`}${SnakeCase<Rest>}`
  : Name;

type FieldName<Name> = Name extends InternalField | `${string}Minor`
  ? never
  : Name extends 'atMs'
    ? 'at'
    : Name extends `${infer Event}AtMs`
      ? SnakeCase<`${Event}At`>
      : Name extends string
        ? SnakeCase<Name>
        : never;

type FieldValue<Name, Value> = Name extends 'atMs' | `${string}AtMs`
  ? Value extends number
    ? string
    : Value
  : RenderedValue<Value>;

type RenderedValue<Value> = Value extends bigint
  ? string
  : Value extends readonly (infer Each)[]
    ? readonly RenderedValue<Each>[]
    : Value extends object
      ? RenderedRecord<Value>
      : Value;

/** `nairaMinor` is in kobo, no matter which asset the record has. */
type InNaira<Name> = Name extends `${infer Amount}Minor` ? SnakeCase<Amount> : never;
type Naira<Value> = Value extends bigint
  ? number
  : Value extends readonly bigint[]
    ? readonly number[]
    : Value;

/** An amount in another asset than naira keeps its name, and is a text of digits. */
type Amounts<Fields> = Fields extends { readonly asset: string }
  ? { readonly [Name in keyof Fields as Name extends 'nairaMinor' ? 'naira' : never]: number } & {
      readonly [Name in keyof Fields as Name extends 'nairaMinor' ? never : InNaira<Name>]?: number;
    } & {
      readonly [Name in keyof Fields as Name extends 'nairaMinor'
        ? never
        : Name extends `${string}Minor`
          ? SnakeCase<Name>
          : never]?: string;
    }
  : { readonly [Name in keyof Fields as InNaira<Name>]: Naira<Fields[Name]> };

/** The JSON of a record. A record whose fields are not known is an open one. */
export type RenderedRecord<Fields> = string extends keyof Fields
  ? Readonly<Record<string, unknown>>
  : Fields extends object
    ? { readonly [Name in keyof Fields as FieldName<Name>]: FieldValue<Name, Fields[Name]> } & Amounts<Fields>
    : never;

/**
 * Renders a record field by field, for operators: `amountMinor` becomes `amount` in naira, and `…AtMs` becomes `…_at`. Token
 * amounts stay texts of digits in minor units, because the number of decimals depends on the network.
 */
export function renderRecord<Fields extends object>(record: Fields): RenderedRecord<Fields> {
  return renderFields(record, true) as RenderedRecord<Fields>;
}

function renderValue(value: unknown, isNaira: boolean): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return value.map((each) => renderValue(each, isNaira));
  return typeof value === 'object' && value !== null ? renderFields(value, isNaira) : value;
}

function renderFields(record: object, isNaira: boolean): Readonly<Record<string, unknown>> {
  const { asset } = record as { asset?: unknown };
  const inNaira = asset === undefined ? isNaira : asset === NAIRA;
  return Object.fromEntries(
    Object.entries(record)
      .filter(([name]) => !IS_INTERNAL.has(name))
      .map(([name, each]) => renderField(name, each, inNaira)),
  );
}

function renderField(name: string, value: unknown, inNaira: boolean): [string, unknown] {
  if (name.endsWith('AtMs') || name === 'atMs')
    return [toSnakeCase(name.slice(0, -2)), isoOrNull(value as number | null)];
  // `nairaMinor` is in kobo, no matter which asset the record has.
  if (name.endsWith('Minor') && (inNaira || name === 'nairaMinor'))
    return [toSnakeCase(name.slice(0, -5)), toNaira(value)];
  return [toSnakeCase(name), renderValue(value, inNaira)];
}

function toNaira(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toNaira);
  return typeof value === 'bigint' ? minorToWire(value) : value;
}

function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
