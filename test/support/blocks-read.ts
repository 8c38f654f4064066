// Counts the blocks that PostgreSQL reads for a piece of work. A test can limit blocks where a time limit would be unreliable.
import pg from 'pg';
import type { Database } from '../../src/adapters/postgres/connection/database.ts';

interface Plan {
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
}

/** The figures of the top node include all nodes of the plan. */
function blocksOf(plan: Plan): number {
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  return pg.escapeLiteral(Array.isArray(value) ? `{${value.join(',')}}` : String(value));
}

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
