// Rows of one table, found through an index on one column.
import type { Database } from '../connection/database.ts';
import type { Reader } from './settlement-rows.ts';

export async function rowsBy<Record>(
  database: Database,
  { table, columns, read }: Reader<Record>,
  column: string,
  ids: readonly string[],
): Promise<Record[]> {
  if (ids.length === 0) return [];
  const { rows } = await database.query({
    name: `${table}-by-${column}`,
    text: `select ${columns} from ${table} where ${column} = any ($1::text[])`,
    values: [ids],
  });
  // Sorted here and not by the statement: with `order by` the planner would read a small table whole through the index of
  // that order, and keep that plan while the table grows.
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1)).map(read);
}
