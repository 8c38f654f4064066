// The columns of a record, written once: what is selected, and how a row becomes the record. A column has the name of the field in
// snake_case, unless it says where it comes from.

interface Column<Kind extends 'big' | 'other'> {
  readonly kind: Kind;
  /** The unit at the end of the field's name, which the column does not have. */
  readonly unit?: string;
  readonly sql?: string;
  readonly convert?: (stored: never) => unknown;
}

/** A value as PostgreSQL gives it. */
export const plain: Column<'other'> = { kind: 'other' };

/** A `bigint` or `numeric`, which comes as text. */
export const big: Column<'big'> = {
  kind: 'big',
  convert: (text: string | null) => text && BigInt(text),
};

/** A `timestamptz` as milliseconds; `createdAtMs` is the column `created_at`. */
export const time: Column<'other'> = {
  kind: 'other',
  unit: 'Ms',
  convert: (at: Date | null) => at?.getTime() ?? null,
};

/** Another column or expression. An alias is not put before it. */
export function from<Kind extends 'big' | 'other'>(sql: string, column: Column<Kind>): Column<Kind> {
  return { ...column, sql };
}

/** A value that is stored in another form. */
export function stored(convert: (stored: never) => unknown): Column<'other'> {
  return { kind: 'other', convert };
}

type Fields<Result> = {
  readonly [Name in keyof Result]-?: Column<[NonNullable<Result[Name]>] extends [bigint] ? 'big' : 'other'>;
};

export interface Columns<Result> {
  /** For `select` and `returning`. `alias` is that of the table. */
  list(alias?: string): string;
  /** Other columns of the row are left out. */
  read(row: object): Result;
}

export function columns<Result extends object>(fields: Fields<Result>): Columns<Result> {
  const all = Object.entries<Column<'big' | 'other'>>(fields);
  return {
    list: (alias) =>
      all
        .map(([name, { unit = '', sql }]) => {
          const column = name
            .slice(0, name.length - unit.length)
            .replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
          return `${sql ?? (alias === undefined ? column : `${alias}.${column}`)} as "${name}"`;
        })
        .join(', '),
    read: (row) => {
      const given = row as Readonly<Record<string, never>>;
      return Object.fromEntries(
        all.map(([name, { convert }]) => [name, convert === undefined ? given[name] : convert(given[name]!)]),
      ) as Result;
    },
  };
}
