// The columns of a database that can hold any text, read from the schema itself.
import type { Database } from '../../src/adapters/postgres/connection/database.ts';

export interface TextColumn {
  readonly table: string;
  readonly column: string;
  readonly isBinary: boolean;
}

const TYPES = ['text', 'character varying', 'character', 'json', 'jsonb', 'bytea', 'xml', 'ARRAY'];

export async function readTextColumns(database: Pick<Database, 'query'>): Promise<readonly TextColumn[]> {
  const { rows } = await database.query<TextColumn & object>({
    text: `select table_name::text as table, column_name::text as column, data_type = 'bytea' as "isBinary"
      from information_schema.columns join information_schema.tables using (table_schema, table_name)
      where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'schema_migrations'
        and data_type = any ($1) and udt_name !~ '^_(int|float|numeric|bool|timestamp|date)'
      order by table_name, ordinal_position`,
    values: [TYPES],
  });
  return rows;
}

/** The columns in whose values the word occurs, whatever its case. */
export async function findWord(database: Pick<Database, 'query'>, word: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { table, column, isBinary } of await readTextColumns(database)) {
    const value = isBinary ? `encode(t.${column}, 'escape')` : `t.${column}::text`;
    const { rows } = await database.query<{ has: boolean }>({
      text: `select exists (select from ${table} t where strpos(lower(${value}), $1) > 0) as has`,
      values: [word.toLowerCase()],
    });
    if (rows[0]!.has) found.push(`${table}.${column}`);
  }
  return found;
}
