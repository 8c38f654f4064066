// The error examples of the OpenAPI document: for each code, the message of the service for a typical mistake. A test
// makes these mistakes and compares the messages.
import { accountNotFound } from '../../app/account-lookups/look-up-account.ts';
import { unmatchedClaimsReached } from '../../app/intake/claim-limit.ts';
import { quoteNotFound } from '../../app/quotes/read-quotes.ts';
import { requestNotFound } from '../../app/requests/read-requests.ts';
import type { RefusalCode } from '../../domain/values/refusals.ts';
import { SCENARIOS } from '../../ports/sandbox.ts';
import { bodyTooLargeRefusal, NO_SUCH_PATH, wrongKeyRefusal } from '../errors.ts';

/** The example contains the default name of the key header. openapi.ts replaces it with the configured name. */
export const UNAUTHORIZED_EXAMPLE = wrongKeyRefusal('svc-sec-key').message;

const MESSAGES: Readonly<Record<RefusalCode, string>> = {
  invalid_json: 'The body is invalid JSON at line 1, column 361 (trailing comma?).',
  invalid_body: 'The body must be a JSON object: { … }.',
  body_too_large: bodyTooLargeRefusal(65_536).message,
  unsupported_media_type: 'Send the body as JSON, with the header content-type: application/json.',
  not_found: NO_SUCH_PATH.message,
  method_not_allowed: 'This path does not accept PUT. Use POST.',
  malformed_request: 'The Host header is repeated. Send it once.',
  request_timeout: 'The request did not arrive in time. Send it again.',
  unauthorized: UNAUTHORIZED_EXAMPLE,
  too_many_failures:
    'Too many requests with a wrong key from this address. Check the key, and try again after a minute.',
  rate_limited:
    'Too many requests with this key. Wait for the number of seconds in the retry-after header, then send fewer.',
  business_mismatch: 'business_id and link_tag must be those of the business that the secret key belongs to.',
  test_mode_only: 'The sandbox accepts only test keys.',
  key_scope:
    'This key is read-only: it may send only GET requests. Use a key with the scope full for requests that change something.',
  required: 'account_number is required. Add it to the body.',
  wrong_type: 'vendor_number must be a JSON string, in double quotes, not a number.',
  amount_not_a_number: 'amount must be a JSON number, without quotes, for example 15000 or 15000.50.',
  amount_malformed: 'amount must be in plain digits without an exponent, for example 15000 or 15000.50.',
  amount_below_minimum: 'amount is below the minimum of ₦15,000.00.',
  amount_above_maximum: 'amount is above the maximum of ₦1,000,000,000.00.',
  amount_too_precise: 'amount has more than 2 decimals. Round it yourself: the service never rounds.',
  amount_not_representable:
    'amount cannot be sent exactly on Polygon: its token has only 0 decimals. Use fewer decimals.',
  type_invalid: 'type must be buy_ramp.',
  text_invalid: 'bank_name must not be empty.',
  too_long: 'bank_name is longer than 100 characters. Shorten it.',
  account_number_invalid: 'account_number must be a string of exactly 10 digits, including leading zeros.',
  account_name_invalid: 'account_name has no visible characters. Use the name on the account.',
  bank_unknown: 'bank_name is not in the bank directory. Use the full name of the bank.',
  bank_not_payable:
    'bank_name: Central Bank of Nigeria cannot receive payouts. Use an account at another bank.',
  vendor_unknown:
    'vendor_name, vendor_number and vendor_bank must be those of one vendor in your vendor list: GET /transactions/v1/vendors.',
  network_unknown: 'network must be one of Stellar, Polygon, Solana, Avalanche.',
  network_not_enabled: 'network Polygon is not enabled in live mode yet. Ask the operator.',
  network_not_simulated: 'Tokens on Polygon are real here: send them to the deposit address.',
  rail_not_enabled: 'Buying is not enabled in live mode yet: the operator has not set up a bank rail.',
  wallet_incomplete: 'network is missing: send network and wallet_address together, or neither.',
  wallet_invalid: 'This is not a valid Solana address: it must be 32 bytes in base 58, without spaces.',
  wallet_network_mismatch: 'This looks like a Stellar address, but network is Polygon.',
  wallet_forbidden: "wallet_address is a deposit address of this service. Use the customer's own wallet.",
  reference_invalid:
    'reference must be 1 to 64 characters from A-Z, a-z, 0-9, dot, underscore, colon and hyphen.',
  idempotency_key_invalid:
    'The header Idempotency-Key must be 1 to 255 printable ASCII characters without spaces, for example a UUID.',
  scenario_unknown: `svc-scenario must be one of ${SCENARIOS.join(', ')}.`,
  filter_invalid: 'limit must be a whole number from 1 to 100.',
  cursor_invalid: 'cursor must be a next_cursor from an earlier answer.',
  url_invalid: 'url must start with https:// in live mode.',
  event_type_unknown: 'events contains an unknown type. Use transaction.completed.',
  overlap_invalid: 'overlap_hours must be a whole number from 0 to 168.',
  state_invalid: 'state must be enabled or disabled.',
  side_invalid: 'side must be buy or sell.',
  currency_unknown: 'currency must be one of NGN, USD, GBP, EUR, TRY, CNY, CHF, CAD, AED, KES.',
  currency_not_for_sells:
    'currency must be NGN or absent for a sell: only buys are quoted in other currencies.',
  quote_unknown:
    'There is no such quote. Check quote_id, and that the key belongs to the same business and mode as the quote.',
  quote_mismatch: 'amount must be 15000, the naira_amount of the quote.',
  reference_reused:
    'reference order-1001 already belongs to txn_01kfz3p2r8k4t6m1v7x9c3b5nd with another amount. Use a new reference, or repeat the original body.',
  idempotency_key_reused:
    'Idempotency-Key was already used for another request. Use a new key, or repeat the same request.',
  state_conflict: 'A buy in state completed cannot be cancelled.',
  wallet_already_set: 'The transaction already has a wallet, and a wallet is never replaced.',
  endpoint_limit_reached:
    'A business may have at most 100 webhook endpoints in each mode. Delete one that is no longer needed.',
  endpoint_disabled:
    'The webhook endpoint is disabled. Enable it first: PATCH /webhooks/v1/endpoints/{id} with {"state": "enabled"}.',
  quote_expired: 'The quote expired at 2026-11-14T09:40:00.000Z. Request a new quote.',
  quote_used:
    'The quote was already used for txn_01kfz3p2r8k4t6m1v7x9c3b5nd. Request a new quote, or repeat the request of that transaction.',
  quote_exposure_exceeded:
    'The business has 2 open quotes worth ₦30,000.00; this one of ₦15,000.00 would exceed its limit: at most 2 worth ₦1,000,000,000.00. Use the open quotes, or wait until they expire.',
  unmatched_claims_reached: unmatchedClaimsReached(200, 24).message,
  transaction_not_found:
    'There is no such transaction. Check transaction_id, and that the key belongs to the same business and mode.',
  credit_not_found: 'There is no such bank credit.',
  request_not_found: requestNotFound().message,
  endpoint_not_found:
    'There is no such webhook endpoint. Check its id, and that the key belongs to the same business and mode.',
  delivery_not_found:
    'There is no such delivery. Check its id, and that the key belongs to the same business and mode.',
  quote_not_found: quoteNotFound().message,
  account_not_found: accountNotFound('Guaranty Trust Bank').message,
  rates_unavailable:
    'There is no current rate for USD, GBP, EUR, TRY, CNY, CHF, CAD, AED, KES (no source has a price). Try again later, or ask the operator.',
  bank_unavailable:
    'The owner of the account cannot be looked up now. Try again after the number of seconds in the retry-after header.',
  unavailable: 'The service cannot reach its database. Try again with the same reference.',
  internal_error: 'The service failed. The failure is logged under request_id: send that id to the operator.',
};

/** The field that each error example names, for codes about a field. */
const FIELDS: Readonly<Partial<Record<RefusalCode, string>>> = {
  required: 'account_number',
  wrong_type: 'vendor_number',
  amount_not_a_number: 'amount',
  amount_malformed: 'amount',
  amount_below_minimum: 'amount',
  amount_above_maximum: 'amount',
  amount_too_precise: 'amount',
  amount_not_representable: 'amount',
  type_invalid: 'type',
  text_invalid: 'bank_name',
  too_long: 'bank_name',
  account_number_invalid: 'account_number',
  account_name_invalid: 'account_name',
  bank_unknown: 'bank_name',
  bank_not_payable: 'bank_name',
  vendor_unknown: 'vendor_number',
  network_unknown: 'network',
  network_not_enabled: 'network',
  rail_not_enabled: 'type',
  wallet_incomplete: 'network',
  wallet_invalid: 'wallet_address',
  wallet_network_mismatch: 'wallet_address',
  wallet_forbidden: 'wallet_address',
  reference_invalid: 'reference',
  filter_invalid: 'limit',
  cursor_invalid: 'cursor',
  url_invalid: 'url',
  event_type_unknown: 'events',
  overlap_invalid: 'overlap_hours',
  state_invalid: 'state',
  side_invalid: 'side',
  currency_unknown: 'currency',
  currency_not_for_sells: 'currency',
  quote_unknown: 'quote_id',
  quote_mismatch: 'amount',
};

export function errorExample(
  code: RefusalCode,
  { field, message }: { readonly field?: string | undefined; readonly message: string } = {
    field: FIELDS[code],
    message: MESSAGES[code],
  },
) {
  return {
    status: 'error',
    message,
    code,
    errors: field === undefined ? [] : [{ field, code, message }],
    request_id: 'req_3k9f0c1a00004t',
  };
}
