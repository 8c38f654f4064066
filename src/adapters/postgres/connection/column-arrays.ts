// Sends rows as PostgreSQL array literals for `unnest`, one array per column. The array encoding of the driver is general and
// slow. Here every value is text or null.

export type ArrayColumn<Row> = readonly [name: string, type: string, text: (row: Row) => string | null];

export function columnArrays<Row>(columns: readonly ArrayColumn<Row>[], rows: readonly Row[]): string[] {
  return columns.map(([, , text]) => {
    let literal = '{';
    for (const row of rows) {
      if (literal.length > 1) literal += ',';
      literal += quoteArrayItem(text(row));
    }
    return `${literal}}`;
  });
}

export function under<Name extends string, Part>(
  name: Name,
  columns: readonly ArrayColumn<Part>[],
): ArrayColumn<Readonly<Record<Name, Part>>>[] {
  return columns.map(([own, type, text]) => [own, type, (row) => text(row[name])]);
}

export function namesOf(columns: readonly ArrayColumn<never>[]): string {
  return columns.map(([name]) => name).join(', ');
}

/** Returns the SQL of a table `i` with the rows. The parameters of this table come after `before` other parameters. */
export function inputOf(columns: readonly ArrayColumn<never>[], before = 0): string {
  const arrays = columns.map(([, type], index) => `$${before + index + 1}::${type}[]`);
  return `unnest(${arrays.join(', ')}) as i(${namesOf(columns)})`;
}

const NEEDS_ESCAPE = /["\\]/;

function quoteArrayItem(text: string | null): string {
  if (text === null) return 'NULL';
  return NEEDS_ESCAPE.test(text) ? `"${text.replaceAll(/["\\]/g, '\\$&')}"` : `"${text}"`;
}
