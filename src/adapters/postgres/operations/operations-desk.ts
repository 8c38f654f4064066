// What the operator's pages read, on PostgreSQL.
import type { OperationsDesk } from '../../../ports/operations/operations-desk.ts';
import type { Database } from '../connection/database.ts';
import type { AnyRow } from '../reads/settlement-rows.ts';
import { UNKNOWN_PAYOUT_MS } from '../review/review-desk.ts';
import { findBusinessRow, listBusinessRows } from './businesses.ts';
import { findCaseRow, listCaseRows } from './cases.ts';
import { readMarks } from './marks.ts';
import { findPayoutRow, listPayoutRows } from './payouts.ts';
import { makeRecordSearch } from './search.ts';
import { readWaiting } from './waiting.ts';

export function makeOperationsDesk(database: Database, unknownPayoutMs = UNKNOWN_PAYOUT_MS): OperationsDesk {
  const one = async (name: string, text: string, values: unknown[]): Promise<AnyRow> =>
    (await database.query<AnyRow>({ name, text, values })).rows[0];
  return {
    ...makeRecordSearch(database),
    waiting: (mode, atMs, stuckForMs) => readWaiting(database, mode, atMs, stuckForMs, unknownPayoutMs),
    activeVendors: async (mode) => {
      const text = 'select count(*)::int as count from vendors where active and mode = $1';
      return (await one('active-vendors', text, [mode])).count;
    },
    waitingSignUps: async () => {
      const text = `select count(*)::int as count, (extract(epoch from min(created_at)) * 1000)::float8 as "sinceMs"
        from sign_ups where state = 'waiting'`;
      return one('waiting-sign-ups', text, []);
    },
    lastMatch: (creditId) => {
      const text =
        'select candidates, verdict from match_decisions where credit_id = $1 order by version desc limit 1';
      return one('last-match', text, [creditId]);
    },
    listCases: (filter) => listCaseRows(database, filter),
    findCase: (id) => findCaseRow(database, id),
    listPayouts: (filter) => listPayoutRows(database, filter),
    findPayout: (id) => findPayoutRow(database, id),
    listBusinesses: (filter) => listBusinessRows(database, filter),
    findBusiness: (id, mode, sinceMs) => findBusinessRow(database, id, mode, sinceMs),
    businessNames: async (ids) => {
      const text = 'select id, name from businesses where id = any ($1::text[])';
      const { rows } = await database.query<AnyRow>({ name: 'business-names', text, values: [ids] });
      return new Map(rows.map(({ id, name }) => [id, name]));
    },
    marks: () => readMarks(database),
  };
}
