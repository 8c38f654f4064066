// Writes the request log to PostgreSQL, with one insert per batch of new requests and one delete per batch of old requests.
import type { LoggedRequest, RequestLog } from '../../../ports/request-log.ts';
import type { BusinessScope } from '../../../ports/store/reads.ts';
import { columnArrays, inputOf, namesOf } from '../connection/column-arrays.ts';
import type { Database } from '../connection/database.ts';
import { defineColumns, flag, plainColumn, written } from '../connection/record-columns.ts';
import { LISTED_FIELDS, listRequests } from './list-requests.ts';

const FIELDS = { ...LISTED_FIELDS, body: plainColumn, bodyTruncated: flag };
const REQUEST = defineColumns<LoggedRequest>(FIELDS);
const COLUMNS = written(FIELDS);

// The commit does not wait for the disk. These rows must not slow down the acceptance of transactions, and the operator can
// accept their loss in a crash.
const APPEND = `
with hurried as materialized (select set_config('synchronous_commit', 'off', true))
insert into request_log (${namesOf(COLUMNS)}) select i.* from hurried, ${inputOf(COLUMNS)}
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
    find: (scope, requestId) => findRequest(database, scope, requestId),
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

async function findRequest(
  database: Database,
  { businessId, mode }: BusinessScope,
  requestId: string,
): Promise<LoggedRequest | undefined> {
  const { rows } = await database.query({
    name: 'find-request',
    text: `select ${REQUEST.list()} from request_log where business_id = $1 and mode = $2 and request_id = $3`,
    values: [businessId, mode, requestId],
  });
  return rows[0] && REQUEST.read(rows[0]);
}
