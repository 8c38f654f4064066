// The log of requests on PostgreSQL: one insert for a batch of them, one delete for a batch of old ones.
import type { LoggedRequest, RequestLog } from '../../../ports/request-log.ts';
import type { Scope } from '../../../ports/store/reads.ts';
import { type Column, columnArrays } from '../connection/column-arrays.ts';
import { columns, plain, time } from '../connection/columns.ts';
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

const REQUEST = columns<LoggedRequest>({
  businessId: plain,
  mode: plain,
  requestId: plain,
  atMs: time,
  keyId: plain,
  method: plain,
  path: plain,
  status: plain,
  code: plain,
  durationMs: plain,
  body: plain,
  bodyTruncated: plain,
});

async function find(
  database: Database,
  { businessId, mode }: Scope,
  requestId: string,
): Promise<LoggedRequest | undefined> {
  const { rows } = await database.query({
    name: 'find-request',
    text: `select ${REQUEST.list()} from request_log where business_id = $1 and mode = $2 and request_id = $3`,
    values: [businessId, mode, requestId],
  });
  return rows[0] && REQUEST.read(rows[0]);
}
