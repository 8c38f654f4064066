// Parts of the OpenAPI document that routes share: error responses with an example for each code, and common headers.
import { Type } from 'typebox';
import type { RefusalCode } from '../../domain/values/refusals.ts';
import { SCENARIOS } from '../../ports/sandbox.ts';
import { STATUS_OF_CODE } from '../errors.ts';
import { errorExample } from './error-examples.ts';

export const TAGS = {
  transactions: 'Transactions',
  events: 'Events',
  quotes: 'Quotes',
  vendors: 'Vendors',
  banks: 'Banks',
  rates: 'Rates',
  webhooks: 'Webhooks',
  sandbox: 'Sandbox',
  requests: 'Requests',
  service: 'Service',
} as const;

export const WITH_KEY = [{ secretKey: [] }];
export const WITHOUT_KEY: never[] = [];

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'The body is not JSON, or does not have this shape.',
  401: 'The secret key is missing, wrong, expired or revoked.',
  403: 'business_id or link_tag does not belong to the key, the route needs a test key, or the key is read-only.',
  404: 'No such path or record of your business in the mode of the key.',
  409: 'The request conflicts with stored data, for example a reference that is already used.',
  413: 'The body is larger than the limit.',
  415: 'The body is not sent as application/json in UTF-8.',
  422: 'A value is not allowed; `errors` names each field.',
  429: 'Too many requests. Wait for the number of seconds in the retry-after header.',
  500: 'The service failed. Send request_id to the operator.',
  503: 'Temporarily unavailable. Try again after the number of seconds in the retry-after header.',
};

export function errorAnswers(...codes: RefusalCode[]): Record<number, object> {
  const answers: Record<number, object> = {};
  const all: RefusalCode[] = [...codes, 'internal_error'];
  for (const status of new Set(all.map((code) => STATUS_OF_CODE[code]))) {
    const examples = Object.fromEntries(
      all
        .filter((code) => STATUS_OF_CODE[code] === status)
        .map((code) => [code, { value: errorExample(code) }]),
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
/** The errors of routes that change something. They include the error for a key that may only read. */
export const CHANGE_ERRORS: readonly RefusalCode[] = [...KEY_ERRORS, 'key_scope'];
export const BODY_ERRORS: readonly RefusalCode[] = [
  'invalid_json',
  'invalid_body',
  'required',
  'wrong_type',
  'body_too_large',
  'unsupported_media_type',
];

export function jsonAnswer(description: string, schema: object, example: unknown, headers?: object): object {
  return {
    description,
    ...(headers !== undefined && { headers }),
    content: { 'application/json': { schema, examples: { example: { value: example } } } },
  };
}

export const REPLAYED_HEADER = {
  'idempotent-replayed': {
    description: 'true if the same request was already accepted. The answer then shows the current state.',
    type: 'string',
  },
};

export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      description:
        'Your own unique key for this request. It is stored for at least 24 hours: a retry with the same key and body is never executed twice.',
      maxLength: 255,
    }),
  ),
});

export const CreateHeaders = Type.Object({
  ...IdempotencyHeaders.properties,
  'svc-scenario': Type.Optional(
    Type.String({
      description:
        'Test keys only: the scenario that the simulated bank and networks play for this transaction.',
      enum: [...SCENARIOS],
    }),
  ),
});

// The shape check treats null in an optional field as absent (requests/shape-check.ts). This function documents that rule for
// every body, so that no route can forget it.
interface BodySchema {
  readonly properties?: Readonly<Record<string, { type?: string | readonly string[]; enum?: unknown[] }>>;
  readonly required?: readonly string[];
}

interface BodyOperation {
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: BodySchema }>> };
}

interface BodiesDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, BodyOperation>>>>;
}

/** Changes the given OpenAPI document in place. */
export function allowNullInOptionalFields(document: object): void {
  const operations = Object.values((document as BodiesDocument).paths).flatMap((path) => Object.values(path));
  for (const { requestBody } of operations)
    for (const { schema } of Object.values(requestBody?.content ?? {})) if (schema) allowNull(schema);
}

function allowNull({ properties = {}, required = [] }: BodySchema): void {
  for (const [name, field] of Object.entries(properties)) {
    if (required.includes(name) || typeof field.type !== 'string') continue;
    field.type = [field.type, 'null'];
    field.enum?.push(null);
  }
}
