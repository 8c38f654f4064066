// Defines the columns of a record once: what is selected, how a row becomes the record, and what is sent when the record is
// written. The name of a column is the name of the field in snake_case, unless the definition of the column sets another
// source.
import type { ArrayColumn as Sent } from './column-arrays.ts';

type Kind = 'big' | 'time' | 'other';

/** `Written` is the type of the field when the record is written. It is `never` for a field that is only read. */
export interface RecordColumn<Which extends Kind, Written = never> {
  readonly kind: Which;
  /** The unit at the end of the field's name. The name of the column does not contain the unit. */
  readonly unit?: string;
  readonly table?: string;
  readonly own?: string;
  readonly sql?: string;
  readonly selected?: (sql: string) => string;
  readonly convert?: (stored: never) => unknown;
  readonly type?: string;
  readonly text?: (value: NonNullable<Written>) => string;
}

export const plainColumn: RecordColumn<'other', string | null> = { kind: 'other' };
export const int: RecordColumn<'other', number | null> = { kind: 'other', type: 'int' };
export const flag: RecordColumn<'other', boolean | null> = { kind: 'other', type: 'boolean' };
export const json: RecordColumn<'other', unknown> = {
  kind: 'other',
  type: 'jsonb',
  text: (value) => JSON.stringify(value),
};

/** A column of type `date`, read as a text like 2026-01-31. */
export const day: RecordColumn<'other', string | null> = {
  kind: 'other',
  type: 'date',
  selected: (sql) => `to_char(${sql}, 'YYYY-MM-DD')`,
};

export const bigintColumn: RecordColumn<'big', bigint | null> = {
  kind: 'big',
  type: 'bigint',
  convert: (text: string | null) => text && BigInt(text),
};

/** A column of type `timestamptz`, read in milliseconds. The field `createdAtMs` has the column `created_at`. */
export const timeColumn: RecordColumn<'time', number | null> = {
  kind: 'time',
  unit: 'Ms',
  type: 'timestamptz',
  convert: (at: Date | null) => at?.getTime() ?? null,
  text: (atMs) => new Date(atMs).toISOString(),
};

/**
 * A time column that is read as a number in milliseconds, which needs no decoding. The number is exact, and is written under
 * the name of the field, such as `created_at_ms`.
 */
export const ms: RecordColumn<'time', number | null> = {
  kind: 'time',
  unit: 'Ms',
  type: 'float8',
  selected: (sql) => `(extract(epoch from ${sql}) * 1000)::float8`,
};

/** Reads a field from another column or expression. No table alias is added before this SQL. */
export function columnFrom<Which extends Kind>(
  sql: string,
  column: RecordColumn<Which>,
): RecordColumn<Which> {
  return { ...column, sql };
}

export function named<Which extends Kind, Written>(
  own: string,
  column: RecordColumn<Which, Written>,
): RecordColumn<Which, Written> {
  return { ...column, own };
}

export function convertedColumn(convert: (stored: never) => unknown): RecordColumn<'other'> {
  return { kind: 'other', convert };
}

export function as<Which extends Kind, Written>(
  type: string,
  column: RecordColumn<Which, Written>,
): RecordColumn<Which, Written> {
  return { ...column, type };
}

export function all<Each, Name extends string>(column: Each, ...names: readonly Name[]): Record<Name, Each> {
  return Object.fromEntries(names.map((name) => [name, column])) as Record<Name, Each>;
}

/** Binds these columns to the table with this alias, even if the other columns of the record have another alias. */
export function of<Given extends object>(table: string, fields: Given): Given {
  const each = ([name, column]: [string, object]) => [name, { ...column, table }];
  return Object.fromEntries(Object.entries(fields).map(each)) as Given;
}

type KindOf<Name, Value> = [Value] extends [bigint | null | undefined]
  ? 'big'
  : [Value] extends [number | null | undefined]
    ? Name extends `${string}AtMs` | 'atMs'
      ? 'time'
      : Name extends `${string}Ms`
        ? 'time' | 'other'
        : 'other'
    : 'other';

/** A nested part of the record with its own columns. The part is null if the first of these columns is null. */
interface Part<Value> {
  readonly part: ColumnFields<Value>;
  readonly table?: string;
}
export function part<Value>(fields: ColumnFields<Value>): Part<Value> {
  return { part: fields };
}

type ColumnFields<Result> = {
  readonly [Name in keyof Result]-?:
    | RecordColumn<KindOf<Name, Result[Name]>>
    | (NonNullable<Result[Name]> extends object ? Part<NonNullable<Result[Name]>> : never);
};
type AnyFields = Readonly<Record<string, RecordColumn<Kind> | Part<unknown>>>;

export interface RecordColumns<Result> {
  list(alias?: string): string;
  read(row: object): Result;
}

export function defineColumns<Result extends object>(fields: ColumnFields<Result>): RecordColumns<Result> {
  const read = reader(fields as AnyFields, '');
  return {
    list: (alias) => selected(fields as AnyFields, alias, '').join(', '),
    read: (row) => read(row as Row) as Result,
  };
}

function snakeCase(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function selected(fields: AnyFields, alias: string | undefined, prefix: string): string[] {
  return Object.entries(fields).flatMap(([name, column]) => {
    const table = column.table ?? alias;
    if ('part' in column) return selected(column.part as AnyFields, table, `${prefix}${name}.`);
    const own = column.own ?? snakeCase(name.slice(0, name.length - (column.unit ?? '').length));
    const sql = column.sql ?? (table === undefined ? own : `${table}.${own}`);
    return `${column.selected?.(sql) ?? sql} as "${prefix}${name}"`;
  });
}

type Row = Readonly<Record<string, never>>;
type Read = (row: Row) => unknown;

function reader(fields: AnyFields, prefix: string): Read {
  const each = Object.entries(fields).map(([name, column]): [string, Read] => {
    const key = prefix + name;
    if ('part' in column) return [name, partReader(column.part as AnyFields, `${key}.`)];
    const { convert } = column;
    return [name, convert === undefined ? (row) => row[key] : (row) => convert(row[key]!)];
  });
  return (row) => {
    const result: Record<string, unknown> = {};
    for (const [name, read] of each) result[name] = read(row);
    return result;
  };
}

function partReader(fields: AnyFields, prefix: string): Read {
  const read = reader(fields, prefix);
  const first = prefix + Object.keys(fields)[0];
  return (row) => (row[first] === null ? null : read(row));
}

type Writable<Given> = {
  readonly [Name in keyof Given]: Given[Name] extends RecordColumn<Kind, infer Written> ? Written : never;
};

export function written<Given extends Readonly<Record<string, RecordColumn<Kind>>>>(
  fields: Given,
): Sent<Writable<Given>>[] {
  return Object.entries<RecordColumn<Kind>>(fields).map(([name, column]) => {
    const text = (column.text ?? String) as (value: unknown) => string;
    const own = column.type === 'float8' ? name : name.slice(0, name.length - (column.unit ?? '').length);
    const value = (row: Writable<Given>) => row[name as keyof Given] as unknown;
    return [
      column.own ?? snakeCase(own),
      column.type ?? 'text',
      (row) => (value(row) == null ? null : text(value(row))),
    ];
  });
}
