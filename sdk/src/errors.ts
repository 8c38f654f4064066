// Every error that the SDK throws. `code` says what happened, in words that a program may compare; no error ever contains the
// secret key.
import type { ErrorAnswer, Transaction } from './api-types.ts';

export interface FieldError {
  /** Empty when the whole body is meant. */
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

export interface ErrorDetails {
  readonly status?: number | undefined;
  readonly errors?: readonly FieldError[] | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

export class SliproadError extends Error {
  override name = 'SliproadError';
  readonly code: string;
  /** The HTTP status; undefined when there was no answer. */
  readonly status: number | undefined;
  /** What is wrong with each field; empty when no field is to blame. */
  readonly errors: readonly FieldError[];
  /** Name it when you ask the operator: `requests.get(requestId)` shows what the service saw. */
  readonly requestId: string | undefined;
  /** How long the service asks you to wait before you try again. */
  readonly retryAfterMs: number | undefined;

  constructor(code: string, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.status = details.status;
    this.errors = details.errors ?? [];
    this.requestId = details.requestId;
    this.retryAfterMs = details.retryAfterMs;
  }
}

/** The service refused the request. `code` is a code of the API, for example `amount_below_minimum`. */
export class SliproadApiError extends SliproadError {
  override name = 'SliproadApiError';
  declare readonly code: ErrorAnswer['code'];
  declare readonly status: number;
}

/** No answer came: `connection_failed`. Whether the request was carried out is not known. */
export class SliproadConnectionError extends SliproadError {
  override name = 'SliproadConnectionError';
}

/** No answer came in time: `timeout`. Whether the request was carried out is not known. */
export class SliproadTimeoutError extends SliproadError {
  override name = 'SliproadTimeoutError';
}

/** An answer that the service does not give, often of a proxy before it: `unexpected_answer`. */
export class SliproadUnexpectedAnswerError extends SliproadError {
  override name = 'SliproadUnexpectedAnswerError';
}

/** The call itself is wrong, and nothing was sent: `invalid_argument`. `errors` names the field. */
export class SliproadArgumentError extends SliproadError {
  override name = 'SliproadArgumentError';
}

/** `waitFor`: the transaction ended in another state: `state_not_reached`. */
export class SliproadStateError extends SliproadError {
  override name = 'SliproadStateError';
  /** As it is now. */
  readonly transaction: Transaction;

  constructor(message: string, transaction: Transaction) {
    super('state_not_reached', message);
    this.transaction = transaction;
  }
}

export type WebhookErrorCode =
  | 'headers_missing'
  | 'headers_malformed'
  | 'timestamp_too_old'
  | 'timestamp_too_new'
  | 'signature_wrong'
  | 'payload_malformed';

/** A webhook that must not be believed. Answer 400 to its sender. */
export class SliproadWebhookError extends SliproadError {
  override name = 'SliproadWebhookError';
  declare readonly code: WebhookErrorCode;
}

export function invalidArgument(field: string, message: string): SliproadArgumentError {
  const errors = [{ field, code: 'invalid_argument', message }];
  return new SliproadArgumentError('invalid_argument', message, { errors });
}
