// The queries of the operator's pages, on PostgreSQL.
import { MODES } from '../../../domain/values/mode.ts';
import type { ChangeMarks, OperationsStore } from '../../../ports/operations/operations-store.ts';
import type { Database } from '../connection/database.ts';
import type { AnyRow } from '../reads/settlement-rows.ts';
import { listCaseGroupRows } from '../review/file-cases.ts';
import { STUCK_REFUNDS, UNKNOWN_PAYOUT_MS } from '../review/review-store.ts';
import { findBusinessRow, listBusinessRows } from './businesses.ts';
import { findCaseRow, listCaseRows } from './cases.ts';
import { findPayoutRow, listPayoutRows } from './payouts.ts';
import { makeRecordSearch } from './search.ts';
import { readWaiting } from './waiting.ts';

// These marks show a page whether something changed. Each mark is read from the end of an index or from a short queue. They are
// read every second while pages are open, so their cost must not depend on the amount of data.
const QUEUES = [
  `bank_credits where state = 'review'`,
  `deposits where state = 'suspense'`,
  `bank_notices where state = 'review'`,
  `movements where ${STUCK_REFUNDS}`,
];
/** A change at the end of a longer queue does not change the mark, but the pages also refresh regularly. */
const queueMark = (rows: string, id = 'id') =>
  `(select count(*) || ' ' || coalesce(max(${id}), '') from (select ${id} from ${rows} limit 1000) q)`;

const TEXT = `select
  (select coalesce(max(committed_by), 0) from timeline) || ' '
    || (select coalesce(max(committed_by), 0) from transactions) as transactions,
  (select coalesce(max(id), 0)::text from entries) as ledger,
  concat_ws('|', ${QUEUES.map((rows) => queueMark(rows)).join(', ')},
    ${queueMark(`transaction_states where listed = 'on_hold'`, 'transaction_id')}) as review,
  (select coalesce(max(id), '') from proposals) || ' ' || (select count(*) from proposal_decisions) as proposals,
  concat_ws('|', (select max(updated_at) from controls), (select count(*) from halts), (select count(*) from freezes),
    ${queueMark('cases where closed_at is null')}) as stops,
  (select count(*) || ' ' || coalesce(max(id), '') from sign_ups where state = 'waiting') as people,
  concat_ws('|', (select string_agg(decision_id, ' ' order by decision_id) from rate_books),
    (select max(id) from desk_prices), (select max(id) from spreads)) as rates`;

async function readMarks(database: Database): Promise<ChangeMarks> {
  const { rows } = await database.query<ChangeMarks>({ name: 'operations-marks', text: TEXT });
  return rows[0]!;
}

export function makeOperationsStore(
  database: Database,
  unknownPayoutMs = UNKNOWN_PAYOUT_MS,
): OperationsStore {
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
    listCaseGroups: (mode) => listCaseGroupRows(database, mode === null ? MODES : [mode]),
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
