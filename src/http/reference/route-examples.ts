// The error examples of single routes. A route has its own example if the common example of the code (error-examples.ts) names
// a field or a limit that the route does not have. A test makes each of these mistakes on its route and compares the messages.
import type { RefusalCode } from '../../domain/values/refusals.ts';

interface Example {
  readonly field?: string;
  readonly message: string;
}

const ABOVE_WIRE = { field: 'amount', message: 'amount is above the maximum of ₦9,999,999,999,999.99.' };
const MUST_BE_TEXT = 'must be a JSON string, in double quotes, not a number.';
const required = (field: string) => ({ field, message: `${field} is required. Add it to the body.` });
const mustBeText = (field: string) => ({ field, message: `${field} ${MUST_BE_TEXT}` });
const mustBeTime = (field: string) => ({
  field,
  message: `${field} must be a time such as 2026-11-14T09:30:00Z.`,
});
const mustBeEvent = (field: string) => ({
  field,
  message: `${field} must be the evt_… id of an event that you received.`,
});

const STREAM = {
  filter_invalid: {
    field: 'type',
    message: 'type "transaction.complete" is not an event type. Did you mean transaction.completed?',
  },
  cursor_invalid: mustBeEvent('last-event-id'),
};
const ENDPOINT_FIELDS = {
  wrong_type: mustBeText('url'),
  text_invalid: {
    field: 'description',
    message: 'description contains control characters or broken Unicode. Remove them.',
  },
  too_long: { field: 'description', message: 'description is longer than 200 characters. Shorten it.' },
};

/** By operationId. */
export const ROUTE_EXAMPLES: Readonly<Record<string, Readonly<Partial<Record<RefusalCode, Example>>>>> = {
  initiateSell: {
    wrong_type: mustBeText('account_number'),
    type_invalid: { field: 'type', message: 'type must be sell_ramp.' },
    amount_below_minimum: { field: 'amount', message: 'amount is below the minimum of ₦1,000.00.' },
    amount_not_representable: {
      field: 'amount',
      message:
        'amount cannot be sent exactly: the token has too few decimals on the possible networks. Use fewer decimals.',
    },
    rail_not_enabled: {
      field: 'type',
      message: 'Selling is not enabled in live mode yet: the operator has not set up a bank rail.',
    },
    reference_reused: {
      message:
        'reference cash-out-77 already belongs to txn_01kfz3q5w9n2r4x6c8v1b3m7kf with another amount. Use a new reference, or repeat the original body.',
    },
  },
  getBankAccount: {
    bank_unknown: {
      field: 'code',
      message: 'code is not in the bank directory. Use a code from GET /banks/v1.',
    },
    bank_not_payable: {
      field: 'code',
      message: 'code: accounts at Central Bank of Nigeria cannot receive payouts.',
    },
    account_number_invalid: {
      field: 'number',
      message: 'number must be a string of exactly 10 digits, including leading zeros.',
    },
    rail_not_enabled: {
      message: 'Accounts cannot be looked up in live mode yet: the operator has not set up a bank rail.',
    },
  },
  makeQuote: {
    required: required('side'),
    wrong_type: mustBeText('side'),
    rates_unavailable: {
      message:
        'There is no current rate for USD (no source has a price). Try again later, or ask the operator.',
    },
  },
  setWallet: {
    required: required('network'),
    wrong_type: mustBeText('wallet_address'),
    state_conflict: { message: 'A buy in state cancelled cannot take a wallet.' },
  },
  cancelTransaction: {
    invalid_json: { message: 'The body is invalid JSON at line 1, column 2 (the body ends too early).' },
  },
  listBanks: {
    filter_invalid: { field: 'name', message: 'There is no query parameter name here. Use q.' },
  },
  getRateHistory: {
    filter_invalid: { field: 'product', message: 'product must be one of otc_buy, usdc_ngnc.' },
  },
  sandboxBankCredit: {
    required: required('vendor_number'),
    amount_below_minimum: { field: 'amount', message: 'amount is below the minimum of ₦0.01.' },
    amount_above_maximum: ABOVE_WIRE,
    account_number_invalid: {
      field: 'payer_account_number',
      message: 'payer_account_number must be 10 digits; digits that a bank masks are written as * or X.',
    },
    text_invalid: { field: 'payer_bank_name', message: 'payer_bank_name must not be empty.' },
    too_long: {
      field: 'payer_bank_name',
      message: 'payer_bank_name is longer than 100 characters. Shorten it.',
    },
    vendor_unknown: {
      field: 'vendor_number',
      message: 'vendor_number is not in the list of test vendors.',
    },
  },
  sandboxDeposit: {
    required: required('transaction_id'),
    wrong_type: mustBeText('transaction_id'),
    state_conflict: { message: 'Only a sell receives tokens; this is a buy.' },
    amount_below_minimum: { field: 'amount', message: 'amount is below the minimum of ₦0.01.' },
    amount_above_maximum: ABOVE_WIRE,
    amount_not_representable: { message: 'Polygon cannot represent this amount exactly.' },
  },
  listEvents: { cursor_invalid: mustBeEvent('cursor') },
  streamEvents: STREAM,
  streamTransactionEvents: STREAM,
  addWebhookEndpoint: { required: required('url'), ...ENDPOINT_FIELDS },
  changeWebhookEndpoint: ENDPOINT_FIELDS,
  rotateWebhookKeys: {
    wrong_type: { field: 'overlap_hours', message: 'overlap_hours must be a JSON number, not a string.' },
  },
  testWebhookEndpoint: {
    wrong_type: mustBeText('type'),
    event_type_unknown: {
      field: 'type',
      message: 'type must be an event type. Use transaction.completed.',
    },
  },
  redeliverWebhookRange: {
    required: required('from'),
    wrong_type: mustBeText('from'),
    filter_invalid: mustBeTime('from'),
    too_long: { field: 'events', message: 'events has more than 50 entries. Shorten it.' },
  },
  recoverWebhooks: {
    required: required('since'),
    wrong_type: mustBeText('since'),
    filter_invalid: mustBeTime('since'),
  },
};
