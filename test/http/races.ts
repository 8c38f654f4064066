// Races between transactions: two stores on one database that commit at the same time, as two processes do, and statements that
// wait for a lock.
import assert from 'node:assert/strict';
import { type Database, sqlState } from '../../src/adapters/postgres/connection/database.ts';
import { makePostgresStore, type PostgresStore } from '../../src/adapters/postgres/store.ts';
import type { Change } from '../../src/domain/records/change.ts';
import type { CommitOutcome } from '../../src/ports/store/commit.ts';
import { until } from '../support/patience.ts';
import { COMMITTED, FUNDING } from './settlement-fixtures.ts';
import { databaseWithKeys, openTestDatabase } from './store-fixtures.ts';

export async function openRacingStores() {
  const { url, database } = await databaseWithKeys();
  /** The SQLSTATE of every statement that failed, or the error itself if it has no SQLSTATE. */
  const states: string[] = [];
  const open = () => makePostgresStore(noting(openTestDatabase(url), states));
  const [first, second] = [open(), open()];
  const stores: readonly PostgresStore[] = [first, second];
  assert.deepEqual(await first.commit([FUNDING]), [COMMITTED]);
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

const WAITING = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

/** While this runs, no other statement of the test file may wait for a lock. */
export async function endsOrWaits(database: Database, begun: Promise<unknown>): Promise<'ends' | 'waits'> {
  let ended = false;
  const end = () => {
    ended = true;
  };
  begun.then(end, end);
  let waits = false;
  await until('it has ended or waits for a lock', async () => {
    waits = !ended && (await database.query({ text: WAITING })).rows.length > 0;
    return ended || waits;
  });
  return ended ? 'ends' : 'waits';
}
