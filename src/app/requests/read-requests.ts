// Reads the request log for a business: a page of requests, or one request.
import { type Refusal, refusal } from '../../domain/values/refusals.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type {
  ListedRequest,
  LoggedRequest,
  RequestFilter,
  RequestLog,
  RequestPosition,
} from '../../ports/request-log.ts';
import { type BusinessReader, scopeOf } from '../input/caller.ts';
import { FieldErrors } from '../input/field-rules.ts';
import { addCursorError, type ListQuery, parseLimit, parseTime, singleParam } from '../input/list-query.ts';

/** A page of the requests of a business, newest first. The page never contains requests of another business or mode. */
export const DEFAULT_REQUESTS_PAGE_SIZE = 50;
export const STATUS_CLASSES = ['2xx', '4xx', '5xx'] as const;
const MAX_PATH = 200;

export async function listRequests(
  { requestLog }: { readonly requestLog: Pick<RequestLog, 'list'> },
  reader: BusinessReader,
  query: ListQuery,
): Promise<
  Result<{ readonly requests: readonly ListedRequest[]; readonly nextCursor: string | null }, Refusal>
> {
  const filter = parseRequestFilter(query);
  if (!filter.ok) return filter;
  const { requests, next } = await requestLog.list(scopeOf(reader), filter.value);
  return ok({ requests, nextCursor: next === null ? null : `${next.atMs}-${next.requestId}` });
}

function parseRequestFilter(query: ListQuery): Result<RequestFilter, Refusal> {
  const errors = new FieldErrors();
  const text = (name: string) => singleParam(errors, query, name);
  const statusClass = parseStatusClass(errors, text('status'));
  const pathContains = parsePath(errors, text('path'));
  const fromMs = parseTime(errors, 'from', text('from'));
  const toMs = parseTime(errors, 'to', text('to'));
  const limit = parseLimit(errors, text('limit')) ?? DEFAULT_REQUESTS_PAGE_SIZE;
  const after = parsePosition(errors, text('cursor'));
  const refused = errors.refusal();
  if (refused !== undefined) return fail(refused);
  return ok({
    limit,
    ...(statusClass !== undefined && { statusClass }),
    ...(pathContains !== undefined && { pathContains }),
    ...(fromMs !== undefined && { fromMs }),
    ...(toMs !== undefined && { toMs }),
    ...(after !== undefined && { after }),
  });
}

function parseStatusClass(errors: FieldErrors, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (STATUS_CLASSES.some((each) => each === text)) return Number(text[0]);
  return errors.add('status', 'filter_invalid', `status must be one of ${STATUS_CLASSES.join(', ')}.`);
}

function parsePath(errors: FieldErrors, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const isText = text !== '' && text.length <= MAX_PATH && !text.includes('\0') && text.isWellFormed();
  if (isText) return text.toLowerCase();
  const message = `path must be a part of a path, at most ${MAX_PATH} characters.`;
  return errors.add('path', 'filter_invalid', message);
}

function parsePosition(errors: FieldErrors, text: string | undefined): RequestPosition | undefined {
  if (text === undefined) return undefined;
  const [, atMs, requestId] = /^([0-9]{1,14})-(req_[0-9a-z]{1,40})$/.exec(text) ?? [];
  return atMs === undefined ? addCursorError(errors) : { atMs: Number(atMs), requestId: requestId! };
}

/** Reads one request of a business. It never returns a request of another business or mode than those of the key. */
export interface ReadRequestDeps {
  readonly requestLog: RequestLog;
  /**
   * Writes the requests that this process has not written yet. If this is omitted, a request may be found only after a quarter
   * of a second.
   */
  readonly flush?: () => Promise<void>;
}

/** No id becomes longer than this for thousands of years. The service does not look up longer texts. */
const REQUEST_ID = /^req_[0-9a-z]{1,40}$/;

export async function readRequest(
  { requestLog, flush }: ReadRequestDeps,
  caller: BusinessReader,
  requestId: string,
): Promise<Result<LoggedRequest, Refusal>> {
  if (!REQUEST_ID.test(requestId)) return fail(requestNotFound());
  const scope = scopeOf(caller);
  const stored = await requestLog.find(scope, requestId);
  if (stored !== undefined) return ok(stored);
  if (flush === undefined) return fail(requestNotFound());
  // A client may read a request that was answered a moment ago.
  await flush();
  const written = await requestLog.find(scope, requestId);
  return written === undefined ? fail(requestNotFound()) : ok(written);
}

export function requestNotFound(): Refusal {
  return refusal(
    'request_not_found',
    'There is no such request. Check request_id, and that the key belongs to the same business and mode. Only changes and errors are kept, for a limited time.',
  );
}
