// Reads the number, age and amount of the items that wait for people in one mode. Each kind of item is read from an index with
// few other rows, and is counted up to a limit.
import type { Mode } from '../../../domain/values/mode.ts';
import {
  MAX_WAITING,
  type WaitingKind,
  type WaitingSum,
} from '../../../ports/operations/operations-store.ts';
import type { Database } from '../connection/database.ts';
import { STUCK_REFUNDS, unknownSince } from '../review/review-store.ts';

const NOW = 'to_timestamp($2::float8 / 1000)';
const SINCE = 'to_timestamp(($2::float8 - $3::float8) / 1000)';
const MOST = `limit ${MAX_WAITING}`;

/** The due time of a retried row is later. So the rows with the most tries are last in the index. */
const UNDER_WAY = `
  select naira_minor as minor, created_at as at from (
    select mode, naira_minor, created_at from movements where due_at is not null and destination is not null
      and kind <> 'sweep' order by due_at desc ${MOST}) m
  where m.mode = $1 and m.created_at < ${SINCE}
  union all
  select t.amount_minor, s.updated_at from unnest(array['paid', 'deposited']::transaction_state[]) as q
  cross join lateral (select transaction_id, mode, updated_at from transaction_states
    where queue = q and due_at is not null order by due_at desc ${MOST}) s
  cross join lateral (select amount_minor from transactions where id = s.transaction_id limit 1) t
  where s.mode = $1 and s.updated_at < ${SINCE}`;

const WAITING: Readonly<Record<WaitingKind, string>> = {
  holds: `select t.amount_minor as minor, s.updated_at as at from (
      select transaction_id, updated_at from transaction_states where listed = 'on_hold' and mode = $1 ${MOST}) s
    cross join lateral (select amount_minor from transactions where id = s.transaction_id limit 1) t`,
  credits: `select amount_minor as minor, received_at as at from bank_credits where state = 'review' and mode = $1 ${MOST}`,
  deposits: `select null::bigint as minor, seen_at as at from deposits where state = 'suspense' and mode = $1 ${MOST}`,
  refunds: `select naira_minor as minor, created_at as at from movements where ${STUCK_REFUNDS} and mode = $1 ${MOST}`,
  notices: `select amount_minor as minor, received_at as at from bank_notices where state = 'review' and mode = $1 ${MOST}`,
  cases: `select amount_minor as minor, opened_at as at from cases where closed_at is null and mode = $1 ${MOST}`,
  quarantined: `select null::bigint as minor, q.at from (
      select at from quarantine where mode = $1 order by id desc ${MOST}) q where q.at > ${NOW} - interval '1 day'`,
  need_two: `select null::bigint as minor, o.decided_at as at from one_provider_deposits o join deposits d
      on d.mode = o.mode and d.network = o.network and d.tx_hash = o.tx_hash and d.tx_index = o.tx_index
    where not o.granted and d.state = 'seen' and o.mode = $1 ${MOST}`,
  stuck: UNDER_WAY,
  unknown_payouts: `select naira_minor as minor, created_at as at from movements
    where ${unknownSince('to_timestamp(($2::float8 - $4::float8) / 1000)')} ${MOST}`,
  freezes: 'select null::bigint as minor, at from freezes where mode = $1',
};

const TEXT = Object.entries(WAITING)
  .map(
    ([kind, rows]) => `select '${kind}' as kind, count(*)::int as count, sum(w.minor)::text as total,
      (extract(epoch from min(w.at)) * 1000)::float8 as since from (${rows}) w having count(*) > 0`,
  )
  .join('\nunion all ');

export async function readWaiting(
  database: Database,
  mode: Mode,
  atMs: number,
  stuckForMs: number,
  unknownPayoutMs: number,
): Promise<readonly WaitingSum[]> {
  const { rows } = await database.query<{
    kind: WaitingKind;
    count: number;
    total: string | null;
    since: number;
  }>({ name: 'operations-waiting', text: TEXT, values: [mode, atMs, stuckForMs, unknownPayoutMs] });
  return rows.map(({ kind, count, total, since }) => ({
    ...{ kind, count, sinceMs: since, totalMinor: total === null ? null : BigInt(total) },
  }));
}
