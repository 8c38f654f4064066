// Tests a migration of a database with a ledger. Afterwards every row and every balance is unchanged, and settlement continues.
// The test invents the next migration; a real migration is tested the same way, by its number.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import {
  acceptedBuys,
  attempt,
  credit,
  deposit,
  FUNDING,
  matching,
  movement,
  notice,
  recording,
} from '../../../../test/http/settlement-fixtures.ts';
import { databaseWithKeys, NOW } from '../../../../test/http/store-fixtures.ts';
import { commitAll } from '../../../../test/support/database.ts';
import { afterFile } from '../../../../test/support/sharing/file-group.ts';
import { makeMove } from '../../../domain/records/change.ts';
import { makePostgresStore } from '../store.ts';
import type { Database } from './database.ts';
import { migrate } from './migrate.ts';

const MIGRATIONS = path.resolve(import.meta.dirname, '../../../../migrations');

const NEXT = `
alter table movements add column priority integer not null default 0;
create table notes (transaction_id text collate "C" primary key, note text not null);
insert into notes select id, 'accepted before notes' from transactions;
create index movements_by_priority on movements (priority) where due_at is not null;`;

function withNext(): { directory: string; next: string } {
  const directory = mkdtempSync(path.join(tmpdir(), 'sliproad-migrations-'));
  afterFile(() => rmSync(directory, { recursive: true, force: true }));
  cpSync(MIGRATIONS, directory, { recursive: true });
  const next = `${String(readdirSync(directory).length + 1).padStart(4, '0')}_next.sql`;
  writeFileSync(path.join(directory, next), NEXT);
  return { directory, next };
}

async function rowsOfAll(database: Database, columns: Map<string, string[]>): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>();
  for (const [table, names] of columns) {
    const row = names.map((name) => `"${name}"`).join(', ');
    const text = `select count(*)::int as rows, md5(string_agg(r::text, e'\\n' order by r::text)) as hash
      from (select ${row} from ${table}) r`;
    found.set(table, (await database.query({ text })).rows[0]);
  }
  return found;
}

async function columnsOfAll(database: Database): Promise<Map<string, string[]>> {
  const { rows } = await database.query<{ table: string; columns: string[] }>({
    text: `select table_name as table, array_agg(column_name::text order by ordinal_position) as columns
      from information_schema.columns join information_schema.tables using (table_schema, table_name)
      where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'schema_migrations'
      group by table_name order by table_name`,
  });
  return new Map(rows.map(({ table, columns }) => [table, columns]));
}

async function booksOf(database: Database): Promise<{ key: string; balance: string; posted: string }[]> {
  const text = `select a.key, a.balance::text, coalesce(sum(p.amount_minor), 0)::text as posted
    from accounts a left join postings p on p.account_id = a.id group by a.id order by a.key`;
  return (await database.query<{ key: string; balance: string; posted: string }>({ text })).rows;
}

async function populate(database: Database): Promise<void> {
  const store = makePostgresStore(database);
  await commitAll(store, [FUNDING]);
  for (const buy of await acceptedBuys(database, 20)) {
    const [paid, seen, reported, sent] = [credit(), deposit(), notice(), movement()];
    await commitAll(store, [
      recording(paid),
      {
        atMs: NOW,
        newDeposits: [seen],
        newNotices: [reported],
        newMovements: [sent],
        attempts: [attempt(sent)],
      },
    ]);
    await commitAll(store, [matching(buy, paid)]);
    await commitAll(store, [{ atMs: NOW, deposits: [makeMove(seen, { dueAtMs: null })] }]);
  }
}

test('a populated database is migrated with unchanged books, and settlement continues', async () => {
  const { url, database } = await databaseWithKeys();
  await populate(database);
  const columns = await columnsOfAll(database);
  const [rows, books] = [await rowsOfAll(database, columns), await booksOf(database)];
  assert.ok(books.length > 3, 'there are books');

  const { directory, next } = withNext();
  assert.deepEqual(await migrate({ connectionString: url }, directory), [next]);

  assert.deepEqual(await rowsOfAll(database, columns), rows);
  assert.deepEqual(await booksOf(database), books);
  const { rows: notes } = await database.query({ text: 'select count(*)::int from notes' });
  assert.deepEqual(notes, [{ count: 20 }]);
  await populate(database);
  for (const { balance, posted } of await booksOf(database)) assert.equal(balance, posted);
});
