// The numbers behind the names: accounts by key, made when first used, and entry numbers drawn in blocks, so that a
// commit has nothing to look up.
import { partsOf } from '../../../domain/ledger.ts';
import type { Database } from '../database.ts';

const BLOCK = 512;

export interface AccountNumbers {
  accounts(keys: readonly string[]): Promise<ReadonlyMap<string, number>>;
  nextEntry(): Promise<number>;
}

export function makeAccountNumbers(database: Database): AccountNumbers {
  const known = new Map<string, number>();
  let free: number[] = [];
  return {
    accounts: async (keys) => {
      const missing = [...new Set(keys)].filter((key) => !known.has(key)).sort();
      if (missing.length > 0) {
        await makeAccounts(database, missing);
        const { rows } = await database.query<{ id: number; key: string }>({
          text: 'select id, key from accounts where key = any ($1::text[])',
          values: [missing],
        });
        for (const { id, key } of rows) known.set(key, id);
      }
      return known;
    },
    nextEntry: async () => {
      const id = free.pop();
      if (id !== undefined) return id;
      const { rows } = await database.query<{ id: string }>({
        text: `select nextval('entry_ids') as id from generate_series(1, ${BLOCK})`,
      });
      free = rows.map((row) => Number(row.id)).reverse();
      return free.pop()!;
    },
  };
}

async function makeAccounts(database: Database, keys: readonly string[]): Promise<void> {
  const parts = keys.map(partsOf);
  await database.query({
    text: `insert into accounts (key, mode, asset, name, side)
      select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) on conflict (key) do nothing`,
    values: [
      keys,
      parts.map(({ mode }) => mode),
      parts.map(({ asset }) => asset),
      parts.map(({ name }) => name),
      parts.map(({ side }) => side),
    ],
  });
}
