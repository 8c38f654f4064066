// Every error that the SDK throws. Programs can compare `code`, which identifies the problem. An error never contains the
// secret key.
import type { ErrorAnswer, Transaction } from './api-types.ts';

export interface FieldError {
  /** The name of the field. It is empty if the problem concerns the whole body. */
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
  /** The HTTP status. Undefined means that no response arrived. */
  readonly status: number | undefined;
  /** The problem of each invalid field. The list is empty if all fields are valid. */
  readonly errors: readonly FieldError[];
  /** The id of the request. Send it to the operator with your question. `requests.get(requestId)` shows the logged request. */
  readonly requestId: string | undefined;
  /** The time in milliseconds that the service asks you to wait before a retry. */
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

/** The request got no response (`connection_failed`). It is unknown whether the service executed the request. */
export class SliproadConnectionError extends SliproadError {
  override name = 'SliproadConnectionError';
}

/** The request got no response in time (`timeout`). It is unknown whether the service executed the request. */
export class SliproadTimeoutError extends SliproadError {
  override name = 'SliproadTimeoutError';
}

/** The response does not come from the service, but often from a proxy (`unexpected_answer`). */
export class SliproadUnexpectedAnswerError extends SliproadError {
  override name = 'SliproadUnexpectedAnswerError';
}

/** An argument of the call is wrong, and the SDK sent nothing (`invalid_argument`). `errors` names the field. */
export class SliproadArgumentError extends SliproadError {
  override name = 'SliproadArgumentError';
}

/** `waitFor` throws this error if the transaction ended in a different state (`state_not_reached`). */
export class SliproadStateError extends SliproadError {
  override name = 'SliproadStateError';
  /** The transaction in its current state. */
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

/** The webhook is not authentic or not valid. Respond to its sender with 400. */
export class SliproadWebhookError extends SliproadError {
  override name = 'SliproadWebhookError';
  declare readonly code: WebhookErrorCode;
}

export function invalidArgument(field: string, message: string): SliproadArgumentError {
  const errors = [{ field, code: 'invalid_argument', message }];
  return new SliproadArgumentError('invalid_argument', message, { errors });
}
