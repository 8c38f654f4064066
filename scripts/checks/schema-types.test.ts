// Tests types from schemas: each construct of the OpenAPI document, and a long type that is written only once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type OpenApi, type Schema, typesOf } from './schema-types.ts';

const json = (schema: Schema) => ({ content: { 'application/json': { schema } } });

function oneLine(types: readonly string[]): string {
  return types.join('\n').replaceAll(/\s+/g, ' ').trim();
}

function typeFor(schema: Schema): string {
  return oneLine(typesOf({ paths: {}, components: { schemas: { Some: schema } } }));
}

test('each kind of schema is converted to its type', () => {
  const kinds: readonly (readonly [Schema, string])[] = [
    [{ type: 'string' }, 'string'],
    [{ type: 'integer' }, 'number'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ type: 'string', enum: ['a', 'b'] }, '"a" | "b"'],
    [{ const: 1 }, '1'],
    [{ type: 'array', items: { type: 'string' } }, 'readonly (string)[]'],
    [{ $ref: '#/components/schemas/Error' }, 'ErrorAnswer'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }, { type: 'string' }] }, 'string | null'],
    [{ allOf: [{ $ref: '#/components/schemas/A' }, { type: 'object', properties: {} }] }, '(A) & ({ })'],
    [{ type: 'object' }, 'Readonly<Record<string, unknown>>'],
    [{ type: 'object', additionalProperties: { type: 'number' } }, 'Readonly<Record<string, number>>'],
    [{}, 'unknown'],
  ];
  for (const [schema, type] of kinds) assert.equal(typeFor(schema), `export type Some = ${type};`);
  const object = {
    type: 'object',
    properties: { a: { type: 'string', description: 'An */ a.' }, 'b-c': { type: 'number' } },
    required: ['a'],
  };
  assert.equal(
    typeFor(object),
    'export interface Some { /** An * / a. */ readonly a: string; readonly "b-c"?: number; }',
  );
  assert.throws(() => typeFor({ type: 'date' }), /does not know the type date/);
});

test('an operation has types for its query, its body and its response', () => {
  const operation = {
    operationId: 'makeIt',
    parameters: [
      { in: 'query', name: 'limit', schema: { type: 'integer' } },
      { in: 'path', name: 'id', schema: { type: 'string' } },
    ],
    requestBody: json({ type: 'object', properties: { a: { type: 'string' } } }),
    responses: { 200: json({ type: 'string' }), 400: json({ type: 'number' }) },
  };
  const text = oneLine(typesOf({ paths: { '/x': { post: operation } }, components: {} } as OpenApi));
  assert.match(text, /export interface MakeItQuery { readonly limit\?: number \| undefined; }/);
  assert.match(text, /export interface MakeItBody { readonly a\?: string \| undefined; }/);
  assert.match(text, /export type MakeItAnswer = string;/);
});

const WORDS = Array.from({ length: 12 }, (_, index) => `a_word_of_the_list_${index}`);
const words = WORDS.map((word) => JSON.stringify(word)).join(' | ');

function object(properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required };
}

test('a long type that occurs a second time refers to its first occurrence, with and without null', () => {
  const long = { type: 'string', enum: WORDS };
  const nullable = { type: ['string', 'null'], enum: [...WORDS, null] };
  const text = typeFor(
    object({
      a: long,
      b: { type: 'array', items: object({ c: nullable }) },
      d: { ...long, description: 'D.' },
    }),
  );
  assert.equal(
    text,
    `export interface Some { readonly a: ${words}; readonly b: readonly ({ readonly c: Some["a"] | null; })[]; /** D. */ readonly d: Some["a"]; }`,
  );
});

test('the first occurrence may be optional, null, or an array item; one of several alternatives cannot be referred to', () => {
  const long = object({ word: { enum: WORDS } });
  const again = { type: 'array', items: long };
  const written = `{ readonly word: ${words}; }`;
  const firsts: readonly (readonly [Schema, string, string])[] = [
    [{ anyOf: [long, { type: 'null' }] }, `${written} | null`, 'NonNullable<Some["a"]>'],
    [{ ...long, type: ['object', 'null'] }, `${written} | null`, 'NonNullable<Some["a"]>'],
    [again, `readonly (${written})[]`, 'NonNullable<Some["a"]>[number]'],
    [{ anyOf: [long, { type: 'string' }] }, `${written} | string`, written],
  ];
  for (const [first, own, later] of firsts)
    assert.equal(
      typeFor(object({ a: first, b: again }, ['a'])),
      `export interface Some { readonly a?: ${own}; readonly b: readonly (${later})[]; }`,
    );
});

test('an object with other comments is a different type, and a complete response that occurs a second time is an alias', () => {
  const answer = object({ word: { enum: WORDS } });
  const commented = object({ word: { enum: WORDS, description: 'Why.' } });
  const operations = Object.entries({ one: answer, two: commented, three: answer }).map(
    ([operationId, schema]) => [
      `/${operationId}`,
      { get: { operationId, responses: { 200: json(schema) } } },
    ],
  );
  assert.equal(
    oneLine(typesOf({ paths: Object.fromEntries(operations), components: {} })),
    [
      `export interface OneAnswer { readonly word: ${words}; }`,
      'export interface TwoAnswer { /** Why. */ readonly word: OneAnswer["word"]; }',
      'export type ThreeAnswer = OneAnswer;',
    ].join(' '),
  );
});

test('an object that has all fields of a named schema, and more, is written as an extension of it', () => {
  const base = { a: { enum: WORDS }, b: { type: 'number' } };
  const typesWith = (inner: Schema) =>
    oneLine(
      typesOf({ paths: {}, components: { schemas: { base: object(base), Some: object({ x: inner }) } } }),
    ).split('export interface Some ')[1];
  assert.equal(
    typesWith(object({ ...base, c: { type: 'boolean' } })),
    '{ readonly x: Base & { readonly c: boolean; }; }',
  );
  assert.equal(typesWith(object(base)), '{ readonly x: Base; }');
  for (const other of [
    object({ a: base.a, c: base.b }),
    object({ ...base, b: { type: 'string' }, c: base.b }),
    object({ ...base, c: base.b }, ['a']),
  ])
    assert.doesNotMatch(String(typesWith(other)), /Base &/);
});
