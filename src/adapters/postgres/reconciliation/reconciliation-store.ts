// Stores reconciliations in PostgreSQL. A day is read, decided and written in one transaction, under a lock of its account.
import type pg from 'pg';
import type { AccountKey, ReconciliationStore, ReconciliationStores } from '../../../ports/reconciliation.ts';
import type { Database } from '../connection/database.ts';
import { settleDifferenceCases } from './cases.ts';
import { decideDay, readDayFacts } from './day-facts.ts';
import { findFirstDueDay, listReconciledAccounts } from './due-days.ts';
import { makeHolidayStore } from './holidays.ts';
import { findDay, listDays, listDifferencesOn } from './reads.ts';
import { makeSilentVendors } from './silent-vendors.ts';
import { makeThresholdReads } from './threshold-reads.ts';
import { forgetDaysFrom, writeDay } from './write-day.ts';

export function makeReconciliationStore(database: Database): ReconciliationStore {
  /** The work waits for the lock before its first read, so it sees the writes of other processes. */
  const alone = <T>(of: AccountKey, work: (client: pg.ClientBase) => Promise<T>): Promise<T> =>
    database.transaction(async (client) => {
      await client.query(`select pg_advisory_xact_lock(hashtextextended($1, 0))`, [
        `reconciliation ${of.mode} ${of.account}`,
      ]);
      return work(client);
    });
  return {
    accounts: (mode) => listReconciledAccounts(database, mode),
    firstDue: (of, through) => alone(of, (client) => findFirstDueDay(client, of, through)),
    lastDay: async ({ mode, account }) => {
      const { rows } = await database.query<{ day: string | null }>({
        text: `select to_char(max(day), 'YYYY-MM-DD') as day from reconciliations where mode = $1 and account = $2`,
        values: [mode, account],
      });
      return rows[0]?.day ?? null;
    },
    reconcile: (of, decide, atMs) =>
      alone(of, async (client) => {
        await forgetDaysFrom(client, of);
        const read = await readDayFacts(client, of);
        const result = await decideDay(client, of, read.facts, decide);
        await writeDay(client, of, result, { ...read, atMs });
        return result;
      }),
    compare: (of, decide) =>
      database.transaction(async (client) => {
        await client.query('set transaction isolation level repeatable read, read only');
        const { facts } = await readDayFacts(client, of);
        return decideDay(client, of, facts, decide);
      }),
    settleCases: (of, newId, atMs) => alone(of, (client) => settleDifferenceCases(client, of, newId, atMs)),
    list: (filter) => listDays(database, filter),
    find: (of) => findDay(database, of),
    differences: (of) => listDifferencesOn(database, of),
    takeTurn: async (name, nowMs, forMs) => {
      const { rowCount } = await database.query({
        text: `insert into daily_turns as t (name, held_until) values ($1, $3)
          on conflict (name) do update set held_until = excluded.held_until where t.held_until <= $2`,
        values: [name, new Date(nowMs), new Date(nowMs + forMs)],
      });
      return rowCount === 1;
    },
  };
}

export function makeReconciliationStores(database: Database): ReconciliationStores {
  return {
    reconciliation: makeReconciliationStore(database),
    thresholdReads: makeThresholdReads(database),
    silentVendors: makeSilentVendors(database),
    holidays: makeHolidayStore(database),
  };
}
