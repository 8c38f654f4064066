// The closed list of all refusal codes of the service. Their HTTP statuses are in http/errors.ts, and their explanations are in
// docs/integrate/errors.md. Tests keep the three lists consistent.

export const REFUSAL_CODES = [
  'invalid_json',
  'invalid_body',
  'body_too_large',
  'unsupported_media_type',
  'not_found',
  'method_not_allowed',
  'malformed_request',
  'request_timeout',
  'unauthorized',
  'too_many_failures',
  'rate_limited',
  'business_mismatch',
  'test_mode_only',
  'key_scope',
  'required',
  'wrong_type',
  'amount_not_a_number',
  // values
  'amount_malformed',
  'amount_below_minimum',
  'amount_above_maximum',
  'amount_too_precise',
  'amount_not_representable',
  'type_invalid',
  'text_invalid',
  'too_long',
  'account_number_invalid',
  'account_name_invalid',
  'bank_unknown',
  'bank_not_payable',
  'vendor_unknown',
  'network_unknown',
  'network_not_enabled',
  'network_not_simulated',
  'rail_not_enabled',
  'wallet_incomplete',
  'wallet_invalid',
  'wallet_network_mismatch',
  'wallet_forbidden',
  'reference_invalid',
  'idempotency_key_invalid',
  'scenario_unknown',
  'filter_invalid',
  'cursor_invalid',
  'url_invalid',
  'event_type_unknown',
  'overlap_invalid',
  'state_invalid',
  'side_invalid',
  'currency_unknown',
  'currency_not_for_sells',
  'quote_unknown',
  'quote_mismatch',
  // conflicts
  'reference_reused',
  'idempotency_key_reused',
  'state_conflict',
  'wallet_already_set',
  'endpoint_limit_reached',
  'endpoint_disabled',
  'quote_expired',
  'quote_used',
  'quote_exposure_exceeded',
  'unmatched_claims_reached',
  'transaction_not_found',
  'credit_not_found',
  'request_not_found',
  'endpoint_not_found',
  'delivery_not_found',
  'quote_not_found',
  'account_not_found',
  'rates_unavailable',
  'bank_unavailable',
  'unavailable',
  'internal_error',
] as const;

export type RefusalCode = (typeof REFUSAL_CODES)[number];

export interface FieldError {
  readonly field: string;
  readonly code: RefusalCode;
  readonly message: string;
}

export interface Refusal {
  readonly code: RefusalCode;
  readonly message: string;
  readonly errors: readonly FieldError[];
}

export function refusal(code: RefusalCode, message: string, errors: readonly FieldError[] = []): Refusal {
  return { code, message, errors };
}

/** A refusal because of one or more fields. Its code is the code of the first field error. */
export function fieldRefusal(errors: readonly [FieldError, ...FieldError[]]): Refusal {
  return { code: errors[0].code, message: errors[0].message, errors };
}
