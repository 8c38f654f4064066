// Counts the blocks that PostgreSQL reads for a piece of work: a test can limit blocks where a time limit would be unreliable.
import pg from 'pg';
import type { Database } from '../../src/adapters/postgres/connection/database.ts';

interface Plan {
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
}

/** For the whole plan. */
function blocksOf(plan: Plan): number {
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  return pg.escapeLiteral(Array.isArray(value) ? `{${value.join(',')}}` : String(value));
}

/** The number of table and index blocks that the statements of this work read, and the result of the work. */
export async function blocksRead<T>(
  database: Database,
  work: (database: Database) => Promise<T>,
): Promise<{ readonly read: number; readonly answer: T }> {
  let read = 0;
  const explaining: Database = {
    ...database,
    query: async (query) => {
      const values = (query.values ?? []).map(literal).join(', ');
      await database.transaction(async (client) => {
        await client.query(`prepare explained as ${query.text}`);
        const text = `explain (analyze, buffers, format json) execute explained${values === '' ? '' : ` (${values})`}`;
        read += blocksOf((await client.query(text)).rows[0]['QUERY PLAN'][0].Plan);
        await client.query('deallocate explained');
      });
      return database.query(query);
    },
  };
  return { answer: await work(explaining), read };
}
