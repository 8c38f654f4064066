// A page of the requests of a business, newest first. Nothing outside the business and mode is ever found.
import type { Refusal } from '../../domain/values/refusals.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { ListedRequest, RequestFilter, RequestLog, RequestPosition } from '../../ports/request-log.ts';
import { type Reader, scopeOf } from '../input/caller.ts';
import { FieldErrors } from '../input/field-rules.ts';
import { type ListQuery, once, parseLimit, parseTime, wrongCursor } from '../input/list-query.ts';

export const DEFAULT_PAGE = 50;
export const STATUS_CLASSES = ['2xx', '4xx', '5xx'] as const;
const MAX_PATH = 200;

export async function listRequests(
  { requestLog }: { readonly requestLog: Pick<RequestLog, 'list'> },
  reader: Reader,
  query: ListQuery,
): Promise<
  Result<{ readonly requests: readonly ListedRequest[]; readonly nextCursor: string | null }, Refusal>
> {
  const filter = parseFilter(query);
  if (!filter.ok) return filter;
  const { requests, next } = await requestLog.list(scopeOf(reader), filter.value);
  return ok({ requests, nextCursor: next === null ? null : `${next.atMs}-${next.requestId}` });
}

function parseFilter(query: ListQuery): Result<RequestFilter, Refusal> {
  const errors = new FieldErrors();
  const text = (name: string) => once(errors, query, name);
  const statusClass = parseClass(errors, text('status'));
  const pathContains = parsePath(errors, text('path'));
  const fromMs = parseTime(errors, 'from', text('from'));
  const toMs = parseTime(errors, 'to', text('to'));
  const limit = parseLimit(errors, text('limit')) ?? DEFAULT_PAGE;
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

function parseClass(errors: FieldErrors, text: string | undefined): number | undefined {
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
  return atMs === undefined ? wrongCursor(errors) : { atMs: Number(atMs), requestId: requestId! };
}
