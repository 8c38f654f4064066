// Rows as PostgreSQL array literals, one per column, for `unnest`. The driver's own array encoding is general and slow;
// here every value is text or null.

/** A column's name, its type, and its text in a row. */
export type Column<Row> = readonly [name: string, type: string, text: (row: Row) => string | null];

export function columnArrays<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string[] {
  return columns.map(([, , text]) => {
    let literal = '{';
    for (const row of rows) {
      if (literal.length > 1) literal += ',';
      literal += quoted(text(row));
    }
    return `${literal}}`;
  });
}

const NEEDS_ESCAPE = /["\\]/;

function quoted(text: string | null): string {
  if (text === null) return 'NULL';
  return NEEDS_ESCAPE.test(text) ? `"${text.replaceAll(/["\\]/g, '\\$&')}"` : `"${text}"`;
}
