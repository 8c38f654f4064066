// Appends entries to the audit log in PostgreSQL and reads them as they are stored. This file also finds the business that a
// record belongs to.
import type pg from 'pg';
import type { AuditHead, ChainedEntry } from '../../../domain/audit/audit-chain.ts';
import type { AuditFilter, AuditStore } from '../../../ports/audit.ts';
import type { Database } from '../connection/database.ts';
import {
  appendDigest,
  appendEntryQuery,
  countErasedLines,
  readDigest,
  readErasedDigest,
  UTC_TEXT,
} from './digests.ts';

const ENTRY = `select no::text, to_char(at at time zone 'utc', ${UTC_TEXT}) as at, actor, action, subject,
  business_id as "businessId", detail::text as detail, encode(previous_hash, 'hex') as "previousHash",
  encode(hash, 'hex') as hash from audit_log`;

export function makeAuditLog(database: Database): AuditStore {
  const entries = async (query: pg.QueryConfig): Promise<ChainedEntry[]> =>
    (await database.query<AuditEntryRow>(query)).rows.map((row) => ({ ...row, no: Number(row.no) }));
  return {
    record: async (entry) => {
      await database.query(appendEntryQuery(entry));
    },
    list: (filter) => entries(listQuery(filter)),
    newestOf: (actions, beforeNo, limit) =>
      entries({
        name: 'audit-newest-of',
        text: `${ENTRY} where no = any (array(
          select l.no from unnest($1::text[]) a(action) cross join lateral (
            select no from audit_log where action = a.action and no < coalesce($2::bigint, 9223372036854775807)
            order by no desc limit $3) l
          order by l.no desc limit $3)) order by audit_log.no desc`,
        values: [actions, beforeNo, limit],
      }),
    entriesFrom: (no, limit) =>
      entries({
        name: 'audit-from',
        text: `${ENTRY} where no >= $1 order by audit_log.no limit $2`,
        values: [no, limit],
      }),
    head: () => readHead(database),
    headOfDay: async (day) => {
      const { rows } = await database.query<AuditHeadRow>({
        name: 'audit-head-of-day',
        text: `update audit_head set announced_on = $1::date where no > 0 and coalesce(announced_on < $1::date, true)
          returning no::text, encode(hash, 'hex') as hash`,
        values: [day],
      });
      return rows[0] && headOf(rows[0]);
    },
    digestOf: (range) => readDigest(database, range),
    erasedOf: (batch) => readErasedDigest(database, batch),
    erasedLines: (lastNo) => countErasedLines(database, lastNo),
    businessOf: async (recordId) => {
      const { rows } = await database.query<{ id: string | null }>({
        // If the given record is the number of a ledger entry, the query uses the record that this ledger entry explains.
        text: `select business_of(coalesce(
          (select subject_id from entries where id = case when $1 ~ '^[0-9]{1,18}$' then $1::bigint end), $1)) as id`,
        values: [recordId],
      });
      return rows[0]?.id ?? undefined;
    },
    append: (atMs) => appendDigest(database, atMs),
  };
}

type AuditEntryRow = Omit<ChainedEntry, 'no'> & { no: string };
type AuditHeadRow = Omit<AuditHead, 'no'> & { no: string };

function headOf({ no, hash }: AuditHeadRow): AuditHead {
  return { no: Number(no), hash };
}

/** If the audit log has no head row, the returned hash is empty. */
async function readHead(database: Database): ReturnType<AuditStore['head']> {
  const { rows } = await database.query<AuditHeadRow & { last: string }>({
    name: 'audit-head',
    text: `select coalesce(h.no, 0)::text as no, coalesce(encode(h.hash, 'hex'), '') as hash,
        coalesce((select max(no) from audit_log), 0)::text as last
      from (values (true)) as one(one) left join audit_head h on h.one = one.one`,
  });
  return { ...headOf(rows[0]!), lastNo: Number(rows[0]!.last) };
}

function listQuery(filter: AuditFilter): pg.QueryConfig {
  const values: unknown[] = [];
  const where: string[] = [];
  const narrow = (condition: (place: string) => string, value: unknown) => {
    if (value === undefined) return;
    values.push(value);
    where.push(condition(`$${values.length}`));
  };
  narrow((place) => `business_id = ${place}`, filter.businessId);
  narrow((place) => `actor = ${place}`, filter.actor);
  narrow((place) => `subject = ${place}`, filter.subject);
  narrow((place) => `starts_with(action, ${place})`, filter.action);
  narrow((place) => `at >= to_timestamp(${place}::float8 / 1000)`, filter.sinceMs);
  narrow((place) => `at < to_timestamp(${place}::float8 / 1000)`, filter.untilMs);
  narrow((place) => `no < ${place}`, filter.beforeNo);
  values.push(filter.limit);
  const condition = where.length === 0 ? '' : `where ${where.join(' and ')}`;
  return { text: `${ENTRY} ${condition} order by audit_log.no desc limit $${values.length}`, values };
}
