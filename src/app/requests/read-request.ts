// Reads one request of a business. Nothing outside the key's business and mode is ever found.
import { type Refusal, refusal } from '../../domain/values/refusals.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { LoggedRequest, RequestLog } from '../../ports/request-log.ts';
import { type Reader, scopeOf } from '../input/caller.ts';

export interface ReadRequestDeps {
  readonly requestLog: RequestLog;
  /** Writes what this process has not written yet. Left out where a quarter of a second makes no difference. */
  readonly flush?: () => Promise<void>;
}

/** As long as ids are for thousands of years; what is longer is not looked up. */
const REQUEST_ID = /^req_[0-9a-z]{1,40}$/;

export async function readRequest(
  { requestLog, flush }: ReadRequestDeps,
  caller: Reader,
  requestId: string,
): Promise<Result<LoggedRequest, Refusal>> {
  if (!REQUEST_ID.test(requestId)) return fail(requestNotFound());
  const scope = scopeOf(caller);
  const stored = await requestLog.find(scope, requestId);
  if (stored !== undefined) return ok(stored);
  if (flush === undefined) return fail(requestNotFound());
  // A client may ask about a request that was answered a moment ago.
  await flush();
  const written = await requestLog.find(scope, requestId);
  return written === undefined ? fail(requestNotFound()) : ok(written);
}

export function requestNotFound(): Refusal {
  return refusal(
    'request_not_found',
    'There is no such request. Check request_id, and that the key is of the same business and mode. Only changes and errors are kept, for a limited time.',
  );
}
