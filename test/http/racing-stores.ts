// Two stores on one database that commit at the same time, as two processes do. Every error of a statement is recorded.
import assert from 'node:assert/strict';
import { type Database, sqlState } from '../../src/adapters/postgres/connection/database.ts';
import { makePostgresStore, type PostgresStore } from '../../src/adapters/postgres/store.ts';
import type { Change } from '../../src/domain/records/change.ts';
import type { CommitOutcome } from '../../src/ports/store/commit.ts';
import { COMMITTED, FUNDING } from './settlement-fixtures.ts';
import { databaseWithKeys, openTestDatabase } from './store-fixtures.ts';

export async function openRacingStores() {
  const { url, database } = await databaseWithKeys();
  /** The SQLSTATE of every statement that failed, or the error itself. */
  const states: string[] = [];
  const open = () => makePostgresStore(noting(openTestDatabase(url), states));
  const [first, second] = [open(), open()];
  const stores: readonly PostgresStore[] = [first, second];
  assert.deepEqual(await first.commit([FUNDING]), [COMMITTED]);
  /** The stores commit at the same time, each with its own list. */
  const race = (lists: readonly (readonly Change[])[]): Promise<(readonly CommitOutcome[])[]> =>
    Promise.all(lists.map((list, index) => stores[index]!.commit(list)));
  return { database, first, second, stores, states, race };
}

function noting(inner: Database, states: string[]): Database {
  const query: Database['query'] = (asked) =>
    inner.query<never>(asked).catch((error) => {
      states.push(sqlState(error) ?? String(error));
      throw error;
    });
  return { ...inner, query };
}

export const countKind = (outcomes: readonly (readonly CommitOutcome[])[], kind: CommitOutcome['kind']) =>
  outcomes.flat().filter((outcome) => outcome.kind === kind).length;
