// Reads responses of the service: the body of a success, or the error in the common error body. A response from a proxy is also
// an error. The secret key is removed from every text.
import type { ErrorAnswer } from '../api-types.ts';
import { SliproadApiError, type SliproadError, SliproadUnexpectedAnswerError } from '../errors.ts';

const SHOWN_CHARACTERS = 200;

export interface Reading {
  readonly now: () => number;
  readonly redact: (text: string) => string;
}

/** Returns the parsed body of a success. Otherwise throws the error that the response contains. */
export async function readAnswer(response: Response, reading: Reading): Promise<unknown> {
  const text = await response.text();
  if (!response.ok) throw errorOf(response, text, reading);
  if (text === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    throw unexpected(response, text, reading);
  }
}

export async function readError(response: Response, reading: Reading): Promise<SliproadError> {
  return errorOf(response, await response.text(), reading);
}

function errorOf(response: Response, text: string, reading: Reading): SliproadError {
  const body = parseError(text);
  if (body === undefined) return unexpected(response, text, reading);
  const { redact } = reading;
  const errors = body.errors.map(({ field, code, message }) => ({
    field: String(field),
    code: String(code),
    message: redact(String(message)),
  }));
  return new SliproadApiError(body.code, redact(body.message), {
    status: response.status,
    errors,
    requestId: body.request_id ?? requestIdOf(response),
    retryAfterMs: retryAfterOf(response, reading.now()),
  });
}

function parseError(text: string): ErrorAnswer | undefined {
  try {
    const body = JSON.parse(text);
    const whole =
      typeof body.code === 'string' && typeof body.message === 'string' && Array.isArray(body.errors);
    return whole ? body : undefined;
  } catch {
    return undefined;
  }
}

export function unexpected(response: Response, text: string, { redact, now }: Reading): SliproadError {
  const { status } = response;
  const isRedirect = response.type === 'opaqueredirect' || (status >= 300 && status < 400);
  const message = isRedirect
    ? `The answer is a redirect (status ${status}). It is not followed, because it would carry the secret key elsewhere: set baseUrl to the final address.`
    : `The answer with status ${status} does not come from Sliproad. Check baseUrl and any proxy in front of the service. The answer begins: ${redact(text.slice(0, SHOWN_CHARACTERS))}`;
  return new SliproadUnexpectedAnswerError('unexpected_answer', message, {
    status,
    requestId: requestIdOf(response),
    retryAfterMs: retryAfterOf(response, now()),
  });
}

function requestIdOf(response: Response): string | undefined {
  return response.headers.get('request-id') ?? undefined;
}

/** Parses a number of seconds or an HTTP date. */
function retryAfterOf(response: Response, nowMs: number): number | undefined {
  const value = response.headers.get('retry-after')?.trim();
  if (value === undefined || value === '') return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const atMs = Date.parse(value);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
