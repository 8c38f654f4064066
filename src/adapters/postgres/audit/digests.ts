// Writes digests of activity into the audit log. A digest is one entry with a hash of every timeline line that a range of
// database transactions wrote, and of the facts of the transactions of these lines. The range ends before the oldest running
// transaction, so no line can be added to the range later. Keys act thousands of times a second, and none of these requests
// waits for the audit log.
import type pg from 'pg';
import { serviceActor } from '../../../domain/people/actor.ts';
import type { ActivityDigest, ActivityRange, AuditEntry, ErasedDigest } from '../../../ports/audit.ts';
import type { Database } from '../connection/database.ts';

// This query writes an entry to the audit log, alone or inside another transaction. The database sets the number and the hashes
// of the entry.

export const UTC_TEXT = `'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'`;

/** An audit log entry without a business gets the business of its subject. */
const APPEND = `insert into audit_log (at, actor, action, subject, business_id, detail)
  values (to_timestamp($1::float8 / 1000), $2, $3, $4, coalesce($5, business_of($4)), $6::jsonb)`;

/** This statement locks the head of the audit log until the commit, so it must be the last statement of its transaction. */
export function appendEntryQuery(entry: AuditEntry): { readonly text: string; readonly values: unknown[] } {
  const { atMs, actor, action, subject, businessId, detail } = entry;
  return { text: APPEND, values: [atMs, actor, action, subject, businessId, JSON.stringify(detail)] };
}

const SPAN = 2_000n;
/** A digest reads everything in its range, so it has a longer time limit than other statements. */
const TIMEOUT_MS = 120_000;
/** The key of the database lock that only one digest at a time holds. The number is arbitrary and the same in every process. */
const LOCK_KEY = 727_201_103;

// Rows are written as `row(...)::text`, which quotes values, so two different rows have different texts. Times are numbers,
// because the text of a time depends on the session. The facts of a transaction have version 0, so they come before the
// timeline lines of this transaction. The text contains a quote id only if the transaction has one, so digests from the time
// before quotes stay valid.
export const timelineLineSql = (l: string): string =>
  `row(${l}.transaction_id, ${l}.version, extract(epoch from ${l}.at), ${l}.from_state, ${l}.to_state, ${l}.actor, ${l}.reason,
  ${l}.evidence)::text`;
export const FACTS_LINE = `row(t.id, t.business_id, t.mode, t.type, t.reference, t.link_tag, t.amount_minor, t.fee_minor,
  t.account_number, t.account_name, t.bank_name, t.bank_code, t.flags, t.vendor_id, t.vendor_name, t.vendor_number,
  t.vendor_bank, t.deposits, t.body_hash, t.key_id, extract(epoch from t.created_at),
  extract(epoch from t.expires_at))::text || coalesce(t.quote_id, '')`;

// If the personal data of a row was erased, the digest uses the stored hash of the original line (docs/operate/privacy.md).
const DIGEST = `
with lines as materialized (
  select l.transaction_id, l.version, l.at, ${timelineLineSql('l')} as line
  from timeline l where l.committed_by >= $1::bigint and l.committed_by < $2::bigint
    and ($3::text is null or l.at <= $3::timestamptz)
), facts as materialized (
  select x.* from (select distinct transaction_id from lines) l cross join lateral (
    select t.id, ${FACTS_LINE} as line
    from transactions t where t.id = l.transaction_id offset 0) x
), written as (
  select transaction_id, version, line from lines union all select id, 0, line from facts
)
select (select count(*) from lines)::int as rows,
  (select to_char(max(at) at time zone 'utc', ${UTC_TEXT}) from lines) as newest,
  encode(sha256(coalesce(string_agg(coalesce(
      (select e.line_hash from erased_lines e where e.transaction_id = w.transaction_id and e.version = w.version),
      sha256(convert_to(w.line, 'UTF8'))), ''::bytea
    order by w.transaction_id, w.version), ''::bytea)), 'hex') as sha256
from written w`;

// This query computes the hash in a `privacy.erased` audit log entry. The hash covers the hash of each line before the erasure,
// and the row after the erasure.
const ERASED = `
select count(*)::int as rows, encode(sha256(coalesce(string_agg(
    e.line_hash || sha256(convert_to(coalesce(case e.version when 0
      then (select ${FACTS_LINE} from transactions t where t.id = e.transaction_id)
      else (select ${timelineLineSql('l')} from timeline l where l.transaction_id = e.transaction_id and l.version = e.version) end, ''),
      'UTF8')), ''::bytea order by e.transaction_id, e.version), ''::bytea)), 'hex') as sha256
from erased_lines e where e.batch = $1`;

export function erasedQuery(batch: string): pg.QueryConfig {
  return { name: 'audit-erased', text: ERASED, values: [batch] };
}

export async function readErasedDigest(database: Database, batch: string): Promise<ErasedDigest> {
  const { rows } = await database.query<ErasedDigest & pg.QueryResultRow>(erasedQuery(batch));
  return rows[0]!;
}

/** Counts erased lines. It does not count lines of batches whose audit log entry has a number above `lastNo`. */
export async function countErasedLines(database: Database, lastNo: number): Promise<number> {
  const { rows } = await database.query<{ count: number }>({
    text: `select count(*)::int from erased_lines where batch <> all (array(
      select detail ->> 'batch' from audit_log
      where action = 'privacy.erased' and no > $1 and detail ->> 'batch' is not null))`,
    values: [lastNo],
  });
  return rows[0]!.count;
}

function digestQuery({ from, to, newest }: ActivityRange): pg.QueryConfig & pg.ClientConfig {
  return { name: 'audit-digest', text: DIGEST, values: [from, to, newest], query_timeout: TIMEOUT_MS };
}

export async function readDigest(database: Database, range: ActivityRange): Promise<ActivityDigest> {
  const { rows } = await database.query<ActivityDigest & pg.QueryResultRow>(digestQuery(range));
  return rows[0]!;
}

const LAST = `
select action, detail ->> 'to_xid' as to_xid, detail ->> 'server' as server from (
  (select * from audit_log where action = 'activity.digest' order by no desc limit 1) union all
  (select * from audit_log where action = 'activity.restarted' order by no desc limit 1)) as last
order by no desc limit 1`;

const INSTANT = `select pg_snapshot_xmin(pg_current_snapshot())::text as below,
  (select system_identifier::text from pg_control_system()) as server`;

interface DigestInstant {
  /** All database transactions with a number below this one have ended. */
  readonly below: string;
  /**
   * Identifies the database server. A dump that is restored into another server gets another value, because transaction numbers
   * start again there.
   */
  readonly server: string;
}

/** The audit log entry is written last, so the head of the log is locked only during the commit. */
export function appendDigest(database: Database, atMs: number): Promise<{ readonly more: boolean }> {
  return database.transaction(async (client) => {
    const lock = await client.query('select pg_try_advisory_xact_lock($1) as mine', [LOCK_KEY]);
    if (!lock.rows[0].mine) return { more: false };
    const { below, server }: DigestInstant = (await client.query(INSTANT)).rows[0];
    const last = (await client.query<{ to_xid: string; server: string }>(LAST)).rows[0];
    const record = (action: string, detail: Readonly<Record<string, unknown>>) =>
      client.query(
        appendEntryQuery({
          actor: serviceActor('audit'),
          atMs,
          action,
          subject: null,
          businessId: null,
          detail,
        }),
      );
    const from = last?.to_xid ?? '0';
    const isBehind = BigInt(from) > BigInt(below);
    if (last !== undefined && (isBehind || last.server !== server)) {
      await record('activity.restarted', { to_xid: isBehind ? '0' : from, server });
      return { more: true };
    }
    const to = await findEndOfRange(client, BigInt(from), BigInt(below));
    if (to === undefined) return { more: false };
    const { rows } = await client.query<ActivityDigest>(digestQuery({ from, to: String(to), newest: null }));
    await record('activity.digest', { from_xid: from, to_xid: String(to), server, ...rows[0]! });
    return { more: to < BigInt(below) };
  });
}

/**
 * Finds the end of a range that contains timeline lines of only a few database transactions. Returns undefined if there are no
 * lines. The steps get longer while no line is found, and become short again when a line is found.
 */
async function findEndOfRange(
  client: pg.ClientBase,
  from: bigint,
  below: bigint,
): Promise<bigint | undefined> {
  let span = SPAN;
  for (let start = from; start < below; ) {
    const end = start + span < below ? start + span : below;
    const { rows } = await client.query({
      text: 'select from timeline where committed_by >= $1::bigint and committed_by < $2::bigint limit 1',
      values: [String(start), String(end)],
    });
    if (rows.length > 0 && end - start <= SPAN) return end;
    if (rows.length === 0) start = end;
    span = rows.length > 0 ? span / 2n : span * 2n;
  }
  return undefined;
}
