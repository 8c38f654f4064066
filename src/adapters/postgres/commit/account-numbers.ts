// Assigns the database numbers of ledger accounts and ledger entries. Accounts are created on first use and then remembered.
// Entry numbers are reserved in blocks, so a commit needs no lookup.
import { parseLedgerKey } from '../../../domain/ledger/chart-of-accounts.ts';
import type { Database } from '../connection/database.ts';

/**
 * This number must be the increment of the sequence in migrations/0003_ledger.sql. One call returns the first number of a block
 * of this size.
 */
const BLOCK = 8_192;

export interface AccountNumbers {
  accounts(keys: readonly string[]): Promise<ReadonlyMap<string, number>>;
  entries(count: number): Promise<readonly number[]>;
}

export function makeAccountNumbers(database: Database): AccountNumbers {
  const known = new Map<string, number>();
  let next = 0;
  let left = 0;
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
    entries: async (count) => {
      const numbers: number[] = [];
      while (numbers.length < count) {
        if (left === 0) {
          const text = `select nextval('entry_ids') as first`;
          const { rows } = await database.query<{ first: string }>({ name: 'draw-entry-numbers', text });
          next = Number(rows[0]!.first);
          left = BLOCK;
        }
        numbers.push(next++);
        left--;
      }
      return numbers;
    },
  };
}

async function makeAccounts(database: Database, keys: readonly string[]): Promise<void> {
  const parts = keys.map(parseLedgerKey);
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
