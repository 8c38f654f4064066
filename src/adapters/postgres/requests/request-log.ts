// The log of requests on PostgreSQL: one insert for a batch of them, one delete for a batch of old ones.
import type { Mode } from '../../../domain/values/mode.ts';
import type { LoggedRequest, RequestLog } from '../../../ports/request-log.ts';
import type { Scope } from '../../../ports/store/reads.ts';
import { type Column, columnArrays } from '../connection/column-arrays.ts';
import type { Database } from '../connection/database.ts';
import { listRequests } from './list.ts';

const COLUMNS: readonly Column<LoggedRequest>[] = [
  ['business_id', 'text', ({ businessId }) => businessId],
  ['mode', 'text', ({ mode }) => mode],
  ['request_id', 'text', ({ requestId }) => requestId],
  ['at_ms', 'float8', ({ atMs }) => atMs.toString()],
  ['key_id', 'text', ({ keyId }) => keyId],
  ['method', 'text', ({ method }) => method],
  ['path', 'text', ({ path }) => path],
  ['status', 'smallint', ({ status }) => status.toString()],
  ['code', 'text', ({ code }) => code],
  ['duration_ms', 'integer', ({ durationMs }) => durationMs.toString()],
  ['body', 'text', ({ body }) => body],
  ['body_truncated', 'boolean', ({ bodyTruncated }) => String(bodyTruncated)],
];

// The commit does not wait for the disk: these rows may be lost in a crash, and must not take the disk's time from acceptances.
const APPEND = `
with hurried as materialized (select set_config('synchronous_commit', 'off', true))
insert into request_log (business_id, mode, request_id, at, key_id, method, path, status, code, duration_ms, body, body_truncated)
select business_id, mode, request_id, to_timestamp(at_ms / 1000), key_id, method, path, status, code, duration_ms, body, body_truncated
from hurried, unnest(${COLUMNS.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ')})
  as i(${COLUMNS.map(([name]) => name).join(', ')})
on conflict do nothing`;

export function makeRequestLog(database: Database): RequestLog {
  return {
    append: async (requests) => {
      await database.query({
        name: 'append-requests',
        text: APPEND,
        values: columnArrays(COLUMNS, requests),
      });
    },
    find: (scope, requestId) => find(database, scope, requestId),
    list: (scope, filter) => listRequests(database, scope, filter),
    deleteBefore: async (beforeMs, limit) => {
      const { rowCount } = await database.query({
        name: 'delete-requests',
        text: `delete from request_log where ctid = any (array(
          select ctid from request_log where at < to_timestamp($1::float8 / 1000) order by at limit $2))`,
        values: [beforeMs, limit],
      });
      return rowCount ?? 0;
    },
  };
}

interface Row {
  business_id: string;
  mode: Mode;
  request_id: string;
  at: Date;
  key_id: string;
  method: string;
  path: string;
  status: number;
  code: string | null;
  duration_ms: number;
  body: string | null;
  body_truncated: boolean;
}

async function find(
  database: Database,
  { businessId, mode }: Scope,
  requestId: string,
): Promise<LoggedRequest | undefined> {
  const { rows } = await database.query<Row>({
    name: 'find-request',
    text: 'select * from request_log where business_id = $1 and mode = $2 and request_id = $3',
    values: [businessId, mode, requestId],
  });
  const row = rows[0];
  if (row === undefined) return undefined;
  return {
    businessId: row.business_id,
    mode: row.mode,
    requestId: row.request_id,
    atMs: row.at.getTime(),
    keyId: row.key_id,
    method: row.method,
    path: row.path,
    status: row.status,
    code: row.code,
    durationMs: row.duration_ms,
    body: row.body,
    bodyTruncated: row.body_truncated,
  };
}
