// The HTTP client of the session API under /console/v1. It sends the session cookie and the CSRF token, and calls only its own
// origin. If the service refuses a call, the client throws ApiFailure with the message of the service.
import type { ErrorAnswer } from './console-types.ts';
import { ApiFailure } from './failure.ts';

export const ROOT = '/console/v1';

let csrfToken: string | null = null;

export function forgetCsrfToken(): void {
  csrfToken = null;
}

/** The body of an error response of the service. An error response of a proxy has none of these members. */
type RefusalBody = Partial<ErrorAnswer>;

type Headers = Readonly<Record<string, string>>;

export async function upload(path: string, file: File, onSent: (bytes: number) => void): Promise<unknown> {
  await ensureCsrfToken();
  return new Promise((resolve, reject) => {
    // Only XMLHttpRequest reports the upload progress.
    const request = new XMLHttpRequest();
    request.open('POST', ROOT + path);
    request.setRequestHeader('accept', 'application/json');
    request.setRequestHeader('content-type', 'application/octet-stream');
    if (csrfToken !== null) request.setRequestHeader('x-csrf-token', csrfToken);
    request.upload.onprogress = ({ loaded }) => onSent(loaded);
    request.onload = () => {
      const answer = parseAnswer(request.responseText);
      if (request.status < 300) resolve(answer);
      else reject(refusalOf(request.status, request.getResponseHeader('request-id'), answer));
    };
    request.onerror = () => reject(unreachableFailure());
    request.send(file);
  });
}

function parseAnswer(text: string): RefusalBody {
  try {
    return JSON.parse(text) as RefusalBody;
  } catch {
    return {};
  }
}

/** Before a sign-in there is no session, so there is no CSRF token to send. */
async function ensureCsrfToken(): Promise<void> {
  if (csrfToken === null) await call('GET', '/session', {}).catch(() => undefined);
}

/** `path` is relative to /console/v1. Pages use the typed calls of calls.ts instead. */
export async function call(
  method: string,
  path: string,
  { body, headers = {}, signal }: { body?: object; headers?: Headers; signal?: AbortSignal },
): Promise<unknown> {
  if (method !== 'GET') await ensureCsrfToken();
  const response = await fetchOrFail(path, {
    method,
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(method !== 'GET' && csrfToken !== null && { 'x-csrf-token': csrfToken }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal !== undefined && { signal }),
  });
  const answer = (await response.json().catch(() => ({}))) as RefusalBody & { csrf_token?: string };
  if (!response.ok) throw refusal(response, answer);
  if (answer.csrf_token !== undefined) csrfToken = answer.csrf_token;
  return answer;
}

async function fetchOrFail(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(ROOT + path, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw unreachableFailure();
  }
}

const unreachableFailure = () =>
  new ApiFailure(0, {
    code: 'unreachable',
    message: 'Cannot reach the service. Check your connection; the page retries automatically.',
  });

function refusal({ status, headers }: Response, answer: RefusalBody): ApiFailure {
  return refusalOf(status, headers.get('request-id'), answer);
}

function refusalOf(status: number, requestId: string | null, answer: RefusalBody): ApiFailure {
  return new ApiFailure(status, {
    code: answer.code ?? `http_${status}`,
    message: answer.message ?? `The service returned HTTP ${status}.`,
    mistakes: answer.errors ?? [],
    requestId: answer.request_id ?? requestId,
  });
}
