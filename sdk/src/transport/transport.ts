// Sends requests, and repeats only safe ones. These are requests that change nothing, requests that are idempotent by
// definition, and requests with an idempotency key. The secret key stays in a private field.
import {
  invalidArgument,
  SliproadApiError,
  SliproadConnectionError,
  SliproadError,
  SliproadTimeoutError,
  SliproadUnexpectedAnswerError,
} from '../errors.ts';
import type { Settings } from '../options.ts';
import { type Reading, readAnswer, readError, unexpected } from './answer.ts';
import { type Deadline, deadline, sleep, type Timers } from './timers.ts';

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

export type QueryValue = string | number | readonly string[] | undefined;

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly base?: string;
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Only for routes that document this header. The key makes the request safe to repeat. */
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 8_000;
/**
 * If the service asks for a longer pause, the SDK does not retry. The caller decides with the help of retryAfterMs of the
 * error.
 */
const LONGEST_RETRY_AFTER_MS = 20_000;
const GATEWAY_STATUSES = [502, 503, 504];
const IDEMPOTENT_METHODS = ['GET', 'PUT', 'DELETE'];

export class Transport {
  readonly #settings: Settings;
  readonly #reading: Reading;

  constructor(settings: Settings) {
    this.#settings = settings;
    const { secretKey, timers } = settings;
    this.#reading = {
      now: () => timers.now(),
      redact: (text) => text.replaceAll(secretKey, '[secret key]'),
    };
  }

  get timers(): Timers {
    return this.#settings.timers;
  }

  newKey(): string {
    return crypto.randomUUID();
  }

  /** Returns one field of the response body. */
  async field<Value>(request: ApiRequest, name: string): Promise<Value> {
    const body = await this.call<Record<string, unknown>>(request);
    if (body[name] !== undefined) return body[name] as Value;
    const message = `The answer to ${request.method} ${request.path} has no field ${name}. Check baseUrl, and that the service is not older than this SDK.`;
    throw new SliproadUnexpectedAnswerError('unexpected_answer', message, { status: 200 });
  }

  async call<Body>(request: ApiRequest): Promise<Body> {
    for (let retries = 0; ; retries++) {
      try {
        return (await this.#attempt(request)) as Body;
      } catch (error) {
        // The first attempt deleted the record, but its response was lost.
        if (retries > 0 && request.method === 'DELETE' && isStatus(error, 404)) return {} as Body;
        const delayMs =
          retries < this.#settings.maxRetries ? this.#retryDelay(request, error, retries) : undefined;
        if (delayMs === undefined) throw error;
        await sleep(this.timers, delayMs, request.signal);
      }
    }
  }

  /** Opens a stream. The time limit covers only the headers. The caller reads the body and clears the deadline. */
  async open(request: ApiRequest): Promise<{ readonly response: Response; readonly limit: Deadline }> {
    const limit = deadline(this.timers, this.#settings.timeoutMs, request.signal);
    try {
      const response = await this.#fetch(request, limit.signal);
      const type = response.headers.get('content-type') ?? '';
      if (!response.ok) throw await readError(response, this.#reading);
      if (!type.startsWith('text/event-stream') || response.body === null) {
        throw unexpected(response, `content-type ${type}`, this.#reading);
      }
      limit.pause();
      return { response, limit };
    } catch (error) {
      limit.clear();
      throw this.#describe(error, request, limit);
    }
  }

  async #attempt(request: ApiRequest): Promise<unknown> {
    const limit = deadline(this.timers, this.#settings.timeoutMs, request.signal);
    try {
      return await readAnswer(await this.#fetch(request, limit.signal), this.#reading);
    } catch (error) {
      throw this.#describe(error, request, limit);
    } finally {
      limit.clear();
    }
  }

  #fetch(request: ApiRequest, signal: AbortSignal): Promise<Response> {
    const { secretKey, secretKeyHeader, fetch } = this.#settings;
    const { method, body, idempotencyKey, headers } = request;
    return fetch(this.#urlOf(request), {
      method,
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        ...headers,
        [secretKeyHeader]: secretKey,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      // Following a redirect would send the key to a different address.
      redirect: 'manual',
      signal,
    });
  }

  #urlOf({ base, path, query = {} }: ApiRequest): string {
    const url = new URL(`${base ?? this.#settings.baseUrl}${path}`);
    for (const [name, value] of Object.entries(query)) {
      if (value === undefined) continue;
      url.searchParams.set(name, Array.isArray(value) ? value.join(',') : String(value));
    }
    return url.href;
  }

  /** An abort by the caller is passed on unchanged. Every other failure becomes an error of the SDK. */
  #describe(error: unknown, { method, path, signal }: ApiRequest, { passed }: Deadline): unknown {
    if (signal?.aborted) return signal.reason;
    if (error instanceof SliproadError) return error;
    if (passed) {
      const message = `${method} ${path} was not answered within ${this.#settings.timeoutMs} ms.`;
      return new SliproadTimeoutError('timeout', message);
    }
    const cause = this.#plain(error);
    const inner = cause.cause === undefined ? '' : ` (${cause.cause})`;
    const message = `${method} ${path} failed without an answer: ${cause.message}${inner}. Check baseUrl and the network.`;
    return new SliproadConnectionError('connection_failed', message, { cause });
  }

  /** The runtime's error may contain the request with its headers, so only its message is kept. */
  #plain(error: unknown): Error {
    const { message = String(error), cause } = (error ?? {}) as {
      message?: string;
      cause?: { message?: string };
    };
    const words = this.#reading.redact(String(message));
    const inner = cause?.message === undefined ? undefined : this.#reading.redact(String(cause.message));
    return new Error(words, inner === undefined ? undefined : { cause: inner });
  }

  /** The delay in milliseconds before the next attempt. Undefined means that the SDK does not retry. */
  #retryDelay(request: ApiRequest, error: unknown, retries: number): number | undefined {
    if (!(error instanceof SliproadError) || !isRepeatable(request, error)) return undefined;
    const { retryAfterMs = 0 } = error;
    if (retryAfterMs > LONGEST_RETRY_AFTER_MS) return undefined;
    const backOffMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** retries);
    return Math.max(retryAfterMs, backOffMs * (0.5 + this.timers.random() / 2));
  }
}

/**
 * A response 429 means that the request was not executed. After a lost response the request may have been executed, so only a
 * safe request is repeated.
 */
function isRepeatable({ method, idempotencyKey }: ApiRequest, error: SliproadError): boolean {
  if (error.status === 429) return true;
  const isSafe = IDEMPOTENT_METHODS.includes(method) || idempotencyKey !== undefined;
  const isLost =
    error instanceof SliproadConnectionError ||
    error instanceof SliproadTimeoutError ||
    GATEWAY_STATUSES.includes(error.status ?? 0);
  return isSafe && isLost;
}

function isStatus(error: unknown, status: number): boolean {
  return error instanceof SliproadApiError && error.status === status;
}

/** Checks an id that becomes part of a path, because a wrong id must not reach a different route. */
export function pathPart(field: string, value: unknown): string {
  if (typeof value === 'string' && /^[\w:.-]+$/.test(value) && !/^\.+$/.test(value))
    return encodeURIComponent(value);
  throw invalidArgument(field, `${field} must be an id of the service, a string such as txn_….`);
}
