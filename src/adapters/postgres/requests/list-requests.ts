// Reads a page of the request log of one business by an index. The number of rows that it reads is limited, no matter how many
// rows the filter excludes.
import type {
  ListedRequest,
  RequestFilter,
  RequestPage,
  RequestPosition,
} from '../../../ports/request-log.ts';
import type { BusinessScope } from '../../../ports/store/reads.ts';
import type { Database } from '../connection/database.ts';
import { all, as, defineColumns, int, part, plainColumn, timeColumn } from '../connection/record-columns.ts';

export const MOST_SCANNED = 2_000;

export const LISTED_FIELDS = {
  ...all(plainColumn, 'businessId', 'mode', 'requestId', 'keyId', 'method', 'path', 'code'),
  ...{ status: as('smallint', int), durationMs: int, atMs: timeColumn },
};
const LISTED = defineColumns<ListedRequest>(LISTED_FIELDS);
const LAST = defineColumns<{ readonly last: RequestPosition }>({
  last: part<RequestPosition>({ atMs: timeColumn, requestId: plainColumn }),
});

const LIST = `
with scanned as materialized (
  select business_id, mode, request_id, at, key_id, method, path, status, code, duration_ms from request_log
  where business_id = $1 and mode = $2 and at >= to_timestamp($3::float8 / 1000) and at <= to_timestamp($4::float8 / 1000)
    and (at, request_id) < (to_timestamp($5::float8 / 1000), $6)
  order by at desc, request_id desc limit $7),
page as (
  select * from scanned where ($8::integer is null or status / 100 = $8) and ($9::text is null or strpos(lower(path), $9) > 0)
  order by at desc, request_id desc limit $10),
last as (select at, request_id from scanned order by at, request_id limit 1)
select ${LISTED.list('p')}, ${LAST.list('last')}, (select count(*)::integer from scanned) as scanned
from last left join page p on true order by p.at desc, p.request_id desc`;

/** This position sorts after every request id, and its time is a valid timestamp. */
const END = { atMs: 253_402_300_799_000, requestId: '~' };

export async function listRequests(
  database: Database,
  scope: BusinessScope,
  { statusClass, pathContains, fromMs, toMs, after = END, limit }: RequestFilter,
): Promise<RequestPage> {
  const { rows } = await database.query<{ requestId: string | null; scanned: number }>({
    name: 'list-requests',
    text: LIST,
    values: [
      ...[scope.businessId, scope.mode, fromMs ?? 0, toMs ?? END.atMs, after.atMs, after.requestId],
      // One row more than requested shows whether there is a next page.
      ...[MOST_SCANNED, statusClass ?? null, pathContains ?? null, limit + 1],
    ],
  });
  const found = rows.filter(({ requestId }) => requestId !== null).map(LISTED.read);
  const requests = found.slice(0, limit);
  if (found.length > limit) return { requests, next: requests.at(-1)! };
  const [first] = rows;
  const isCutOff = first !== undefined && first.scanned === MOST_SCANNED;
  return { requests, next: isCutOff ? LAST.read(first).last : null };
}
