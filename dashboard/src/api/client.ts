// The one way to the service: the session API under /console/v1, same origin, with the session's cookie and its CSRF token. A
// call that was refused throws ApiFailure with the words of the service.
import { ApiFailure, type FieldMistake } from './failure.ts';

const ROOT = '/console/v1';

let csrfToken: string | null = null;

/** After a sign-in or a sign-out the token of the session is another one. */
export function forgetCsrfToken(): void {
  csrfToken = null;
}

interface Refused {
  readonly message?: string;
  readonly code?: string;
  readonly errors?: readonly FieldMistake[];
  readonly request_id?: string;
}

type Headers = Readonly<Record<string, string>>;

/** `path`: below /console/v1. */
export function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return call<T>('GET', path, { signal });
}

export function post<T>(path: string, body: object = {}, headers: Headers = {}): Promise<T> {
  return change<T>('POST', path, body, headers);
}

export function put<T>(path: string, body: object = {}): Promise<T> {
  return change<T>('PUT', path, body, {});
}

export function del<T>(path: string): Promise<T> {
  return change<T>('DELETE', path, undefined, {});
}

/** The same key for the same click: a repeated request is answered, and not carried out again. */
export function idempotencyKey(): Headers {
  return { 'idempotency-key': crypto.randomUUID() };
}

/** Where a browser downloads from. */
export function downloadUrl(path: string): string {
  return ROOT + path;
}

/** A file as it is. `onSent`: how many bytes of it are with the service. */
export async function sendFile<T>(path: string, file: File, onSent: (bytes: number) => void): Promise<T> {
  if (csrfToken === null) await get('/session').catch(() => undefined);
  return new Promise<T>((resolve, reject) => {
    // Only this older interface of browsers says how much of a body was sent.
    const request = new XMLHttpRequest();
    request.open('POST', ROOT + path);
    request.setRequestHeader('accept', 'application/json');
    request.setRequestHeader('content-type', 'application/octet-stream');
    if (csrfToken !== null) request.setRequestHeader('x-csrf-token', csrfToken);
    request.upload.onprogress = ({ loaded }) => onSent(loaded);
    request.onload = () => {
      const answer = answerIn(request.responseText);
      if (request.status < 300) resolve(answer as T);
      else reject(refusalOf(request.status, request.getResponseHeader('request-id'), answer));
    };
    request.onerror = () => reject(UNREACHABLE());
    request.send(file);
  });
}

function answerIn(text: string): Refused {
  try {
    return JSON.parse(text) as Refused;
  } catch {
    return {};
  }
}

async function change<T>(
  method: string,
  path: string,
  body: object | undefined,
  headers: Headers,
): Promise<T> {
  // Before a sign-in there is no session, and no token to send.
  if (csrfToken === null) await get('/session').catch(() => undefined);
  return call<T>(method, path, { body, headers });
}

async function call<T>(
  method: string,
  path: string,
  { body, headers = {}, signal }: { body?: object; headers?: Headers; signal?: AbortSignal },
): Promise<T> {
  const response = await reach(path, {
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
  const answer = (await response.json().catch(() => ({}))) as Refused & { csrf_token?: string };
  if (!response.ok) throw refusal(response, answer);
  if (answer.csrf_token !== undefined) csrfToken = answer.csrf_token;
  return answer as T;
}

async function reach(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(ROOT + path, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw UNREACHABLE();
  }
}

const UNREACHABLE = () =>
  new ApiFailure(0, {
    code: 'unreachable',
    message: 'The service cannot be reached. Check your connection; the page tries again by itself.',
  });

function refusal({ status, headers }: Response, answer: Refused): ApiFailure {
  return refusalOf(status, headers.get('request-id'), answer);
}

function refusalOf(status: number, requestId: string | null, answer: Refused): ApiFailure {
  return new ApiFailure(status, {
    code: answer.code ?? `http_${status}`,
    message: answer.message ?? `The service answered ${status}.`,
    mistakes: answer.errors ?? [],
    requestId: answer.request_id ?? requestId,
  });
}
