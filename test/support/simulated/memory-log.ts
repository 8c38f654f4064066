// A log in memory: rows are appended at the end, and reads after a position do not scan earlier rows.

export interface MemoryLog<Row> {
  append(row: Row): number;
  /** Rows after a position, in order, for which `wanted` returns true. */
  after(position: number, limit: number, wanted: (row: Row, position: number) => boolean): Row[];
}

export function makeMemoryLog<Row>(): MemoryLog<Row> {
  // The position of a row is its index plus one.
  const rows: Row[] = [];
  return {
    append: (row) => rows.push(row),
    after: (position, limit, wanted) => {
      const found: Row[] = [];
      for (let place = position + 1; place <= rows.length && found.length < limit; place++) {
        const row = rows[place - 1]!;
        if (wanted(row, place)) found.push(row);
      }
      return found;
    },
  };
}
