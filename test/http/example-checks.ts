// Contains the functions that the tests of error examples share. They read the examples of the OpenAPI document, and compare
// each example with the response of its route, or with the text in the source.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { TAGS } from '../../src/http/reference/route-docs.ts';
import type { Answer, TestService } from '../support/service.ts';

// biome-ignore lint/suspicious/noExplicitAny: a JSON document is looked into freely
type Json = any;

interface Example {
  readonly tag: string;
  readonly value: Json;
}

/** The key is the operationId and the code, with a space between them. */
export type Examples = ReadonlyMap<string, Example>;
export type Make = () => Promise<Pick<Answer, 'body'>>;
export type Mistake = readonly [name: string, make: Make];

/**
 * Examples that no request to a test service causes. Each has the source file with the text, and the parts of the text around
 * the values.
 */
export type InSource = readonly [name: string, file: string, parts: readonly string[]];

/** Routes without an example of their own for these codes share one example. */
export const COMMON_CODES = [
  'invalid_json',
  'invalid_body',
  'body_too_large',
  'unsupported_media_type',
  'unauthorized',
  'key_scope',
  'idempotency_key_invalid',
  'idempotency_key_reused',
  'malformed_request',
  'rate_limited',
  'too_many_failures',
] as const;

export async function readExamples(service: TestService): Promise<Examples> {
  const document: Json = (await service.get('/openapi.json', { key: null })).body;
  return new Map(
    Object.values<Json>(document.paths)
      .flatMap((methods) => Object.values<Json>(methods))
      .flatMap(({ operationId, tags, responses }) =>
        Object.values<Json>(responses).flatMap((response) =>
          Object.entries<Json>(response.content?.['application/json']?.examples ?? {})
            .filter(([code]) => code !== 'example')
            .map(([code, { value }]): [string, Example] => [
              `${operationId} ${code}`,
              { tag: tags[0], value },
            ]),
        ),
      ),
  );
}

/** Divides the operations between the test files, so that exactly one file tests each operation. */
export function isAboutEvents({ tag }: Example): boolean {
  return tag === TAGS.events || tag === TAGS.webhooks;
}

export function isAboutQuotes({ tag }: Example): boolean {
  return tag === TAGS.quotes;
}

export function testMistakes(examples: Examples, mistakes: readonly Mistake[]): void {
  for (const [name, make] of mistakes) {
    test(`the example of ${name} equals the answer of the route`, async () => {
      const { body } = await make();
      const { code, message, errors } = exampleOf(examples, name);
      const withoutIds = (text: string) =>
        text.replaceAll(/txn_\w+/g, 'txn_…').replaceAll(/\d{4}-\S+Z/g, 'TIME');
      // With a live key, the service refuses several fields together.
      const found = body.errors.find((each: Json) => each.code === code) ?? body;
      assert.deepEqual([found.code, withoutIds(found.message)], [code, withoutIds(message)]);
      if (body.errors.length > 0) assert.deepEqual(found, errors[0]);
      else assert.deepEqual(errors, []);
    });
  }
}

export function assertInSource(examples: Examples, all: readonly InSource[]): void {
  for (const [name, file, parts] of all) {
    const { message } = exampleOf(examples, name);
    for (const part of parts) assert.ok(sourceOf(file).includes(part) && message.includes(part), name);
    const values = parts.reduce((rest, part) => rest.replace(part, ' '), message);
    assert.match(values, /^[\w ]{0,20}$/, `${name} has more than its values`);
  }
}

export function sourceOf(file: string): string {
  return readFileSync(path.join(import.meta.dirname, '../../src', file), 'utf8');
}

export function assertNoneLeft(examples: Examples, names: readonly string[]): void {
  const common = new Set<string>([...COMMON_CODES, 'unavailable', 'internal_error']);
  const left = [...examples].filter(([name, { value }]) => !names.includes(name) && !common.has(value.code));
  assert.deepEqual(
    left.map(([name]) => name),
    [],
  );
}

function exampleOf(examples: Examples, name: string): Json {
  const example = examples.get(name);
  assert.ok(example, `the document has no example of ${name}`);
  return example.value;
}

export function bankAccountMistakes({ get, business }: TestService): [string, Make][] {
  const ask = (code: string, number = '0123456785', options = {}) =>
    get(`/banks/v1/${code}/accounts/${number}`, options);
  return [
    ['getBankAccount bank_unknown', () => ask('nowhere')],
    ['getBankAccount bank_not_payable', () => ask('central-bank-of-nigeria')],
    ['getBankAccount account_number_invalid', () => ask('gtbank', '123')],
    ['getBankAccount rail_not_enabled', () => ask('gtbank', '0123456785', { key: business.liveKey })],
    ['getBankAccount account_not_found', () => ask('gtbank', '0000000000')],
  ];
}

export const BANK_SILENT: InSource = [
  'getBankAccount bank_unavailable',
  'app/account-lookups/look-up-account.ts',
  [
    'The owner of the account cannot be looked up now. Try again after the number of seconds in the retry-after header.',
  ],
];
