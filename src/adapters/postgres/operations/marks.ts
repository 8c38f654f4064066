// Marks by which a page notices that something changed, each read from the end of an index or from a queue that is short. Read
// every second while pages are open, so nothing here may depend on how much there is.
import type { ChangeMarks } from '../../../ports/operations/operations-desk.ts';
import type { Database } from '../connection/database.ts';
import { STUCK_REFUNDS } from '../review/review-desk.ts';

const QUEUES = [
  `bank_credits where state = 'review'`,
  `deposits where state = 'suspense'`,
  `bank_notices where state = 'review'`,
  `movements where ${STUCK_REFUNDS}`,
];
/** A queue that is longer changes at its end unnoticed; the pages ask again by themselves, too. */
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

export async function readMarks(database: Database): Promise<ChangeMarks> {
  const { rows } = await database.query<ChangeMarks>({ name: 'operations-marks', text: TEXT });
  return rows[0]!;
}
