// A log in memory: appended at the end, read after a position without scanning earlier rows.

export interface MemoryLog<Row> {
  append(row: Row): number;
  /** Rows after a position, in order, that the reader still wants. */
  after(position: number, limit: number, wanted: (row: Row, position: number) => boolean): Row[];
}

export function makeMemoryLog<Row>(): MemoryLog<Row> {
  // A row's position is its place, from 1.
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
