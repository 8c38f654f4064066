// Turns a refusal into an HTTP response, with the status of its code and the common error body. No other file does this for the
// API.
import type { FastifyReply } from 'fastify';
import { type Refusal, type RefusalCode, refusal } from '../domain/values/refusals.ts';

export const STATUS_OF_CODE: Readonly<Record<RefusalCode, number>> = {
  invalid_json: 400,
  invalid_body: 400,
  malformed_request: 400,
  required: 400,
  wrong_type: 400,
  amount_not_a_number: 400,
  unauthorized: 401,
  business_mismatch: 403,
  test_mode_only: 403,
  key_scope: 403,
  not_found: 404,
  transaction_not_found: 404,
  credit_not_found: 404,
  request_not_found: 404,
  endpoint_not_found: 404,
  delivery_not_found: 404,
  quote_not_found: 404,
  account_not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  reference_reused: 409,
  idempotency_key_reused: 409,
  state_conflict: 409,
  wallet_already_set: 409,
  endpoint_limit_reached: 409,
  endpoint_disabled: 409,
  quote_expired: 409,
  quote_used: 409,
  quote_exposure_exceeded: 409,
  unmatched_claims_reached: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  amount_malformed: 422,
  amount_below_minimum: 422,
  amount_above_maximum: 422,
  amount_too_precise: 422,
  amount_not_representable: 422,
  type_invalid: 422,
  text_invalid: 422,
  too_long: 422,
  account_number_invalid: 422,
  account_name_invalid: 422,
  bank_unknown: 422,
  bank_not_payable: 422,
  vendor_unknown: 422,
  network_unknown: 422,
  network_not_enabled: 422,
  network_not_simulated: 422,
  rail_not_enabled: 422,
  wallet_incomplete: 422,
  wallet_invalid: 422,
  wallet_network_mismatch: 422,
  wallet_forbidden: 422,
  reference_invalid: 422,
  idempotency_key_invalid: 422,
  scenario_unknown: 422,
  filter_invalid: 422,
  cursor_invalid: 422,
  url_invalid: 422,
  event_type_unknown: 422,
  overlap_invalid: 422,
  state_invalid: 422,
  side_invalid: 422,
  currency_unknown: 422,
  currency_not_for_sells: 422,
  quote_unknown: 422,
  quote_mismatch: 422,
  too_many_failures: 429,
  rate_limited: 429,
  internal_error: 500,
  rates_unavailable: 503,
  bank_unavailable: 503,
  unavailable: 503,
};

/** The number of seconds after which a client should try again, for refusals that may end after some time. */
export const RETRY_AFTER_S: Readonly<Partial<Record<RefusalCode, number>>> = {
  too_many_failures: 60,
  rate_limited: 1,
  rates_unavailable: 60,
  bank_unavailable: 10,
  unavailable: 2,
};

/** The service also sends this response for hidden routes, because they must look like an unknown path. */
export const NO_SUCH_PATH = refusal(
  'not_found',
  'No such path. Check the spelling and the trailing slash; /otc/buy has its own base URL.',
);

/** The text is the same for every rejected key, so that the response does not show which keys exist. */
export function wrongKeyRefusal(secretKeyHeader: string): Refusal {
  return refusal(
    'unauthorized',
    `Send your secret key in the header ${secretKeyHeader}. It is missing, wrong or revoked.`,
  );
}

export function bodyTooLargeRefusal(limitBytes: number): Refusal {
  return refusal('body_too_large', `The body is larger than ${limitBytes.toLocaleString('en-US')} bytes.`);
}

export function errorBody({ code, message, errors }: Refusal, requestId: string): string {
  return JSON.stringify({ status: 'error', message, code, errors, request_id: requestId });
}

/** `waitS`: the seconds to wait, if they are known more exactly than the default of the refusal's code. */
export function sendRefusal(reply: FastifyReply, refused: Refusal, waitS?: number): FastifyReply {
  reply.request.refusedWith = refused.code;
  const retryAfterS = waitS ?? RETRY_AFTER_S[refused.code];
  if (retryAfterS !== undefined) reply.header('retry-after', retryAfterS);
  return reply
    .code(STATUS_OF_CODE[refused.code])
    .header('request-id', reply.request.id) // the header is set here, because the hooks did not run for a malformed request
    .header('content-type', 'application/json; charset=utf-8')
    .send(errorBody(refused, reply.request.id));
}
