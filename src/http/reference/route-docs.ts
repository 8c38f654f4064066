// Pieces of the OpenAPI document that routes share: error answers with a real example each, and common headers.
import { Type } from 'typebox';
import type { RefusalCode } from '../../domain/values/refusals.ts';
import { SCENARIOS } from '../../ports/sandbox.ts';
import { STATUS } from '../errors.ts';

export const TAGS = {
  transactions: 'Transactions',
  vendors: 'Vendors',
  rates: 'Rates',
  sandbox: 'Sandbox',
  service: 'Service',
} as const;

/** Which way of authenticating a route takes. */
export const WITH_KEY = [{ secretKey: [] }];
export const WITHOUT_KEY: never[] = [];

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'The body is not JSON, or not of this shape.',
  401: 'The key is missing or wrong.',
  403: 'business_id or link_tag is not the key’s, or the key is not a test key.',
  404: 'There is nothing here.',
  409: 'Conflicts with what is stored.',
  413: 'The body is too large.',
  415: 'The body is not sent as application/json.',
  422: 'A value breaks a rule.',
  429: 'Too many requests; see retry-after.',
  500: 'A fault on our side.',
  503: 'The service cannot answer now; see retry-after.',
};

/** The error answers of a route, grouped by status, with an example for each code. */
export function errorAnswers(...codes: RefusalCode[]): Record<number, object> {
  const answers: Record<number, object> = {};
  const all: RefusalCode[] = [...codes, 'internal_error'];
  for (const status of new Set(all.map((code) => STATUS[code]))) {
    const examples = Object.fromEntries(
      all.filter((code) => STATUS[code] === status).map((code) => [code, { value: exampleOf(code) }]),
    );
    answers[status] = {
      description: DESCRIPTIONS[status]!,
      content: { 'application/json': { schema: Type.Ref('Error'), examples } },
    };
  }
  return answers;
}

export const KEY_ERRORS: readonly RefusalCode[] = [
  'unauthorized',
  'too_many_failures',
  'rate_limited',
  'unavailable',
];
export const BODY_ERRORS: readonly RefusalCode[] = [
  'invalid_json',
  'invalid_body',
  'required',
  'wrong_type',
  'body_too_large',
  'unsupported_media_type',
];

const FIELDS: Readonly<Partial<Record<RefusalCode, string>>> = {
  required: 'account_number',
  wrong_type: 'vendor_number',
  vendor_unknown: 'vendor_number',
  type_invalid: 'type',
  rail_not_enabled: 'type',
  text_invalid: 'bank_name',
  too_long: 'bank_name',
  filter_invalid: 'limit',
};

function exampleOf(code: RefusalCode): object {
  const field =
    FIELDS[code] ??
    /^(amount|account_number|account_name|network|reference|cursor)(?=_)/.exec(code)?.[0] ??
    (code.startsWith('bank_') ? 'bank_name' : code.startsWith('wallet_') ? 'wallet_address' : undefined);
  const message =
    code === 'amount_below_minimum' ? 'amount is below the minimum of ₦15,000.00.' : words(code);
  return {
    status: 'error',
    message,
    code,
    errors: field === undefined || STATUS[code] === 409 ? [] : [{ field, code, message }],
    request_id: 'req_3k9f0c1a',
  };
}

function words(code: string): string {
  const text = code.replaceAll('_', ' ');
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}

export function jsonAnswer(description: string, schema: object, example: unknown, headers?: object): object {
  return {
    description,
    ...(headers !== undefined && { headers }),
    content: { 'application/json': { schema, examples: { example: { value: example } } } },
  };
}

export const REPLAYED_HEADER = {
  'idempotent-replayed': {
    description: 'true when the request had been accepted before; the transaction is shown as it is now.',
    type: 'string',
  },
};

export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      description: 'Your own key for this request, remembered for at least 24 hours. Safe to retry with.',
      maxLength: 255,
    }),
  ),
});

/** On the calls that create a transaction. */
export const CreateHeaders = Type.Object({
  ...IdempotencyHeaders.properties,
  'svc-scenario': Type.Optional(
    Type.String({
      description:
        'Test keys only: the story that the simulated bank and networks tell about this transaction.',
      enum: [...SCENARIOS],
    }),
  ),
});
