// Tests that the check finds every dashboard type that repeats a response of the service, and nothing else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCopiedTypes, shapesOf } from './console-copies.ts';
import { runCheckOn } from './run-check-on.ts';
import type { OpenApi, Schema } from './schema-types.ts';

const text = { type: 'string' };
const object = (...members: readonly string[]): Schema => ({
  type: 'object',
  properties: Object.fromEntries(members.map((member) => [member, text])),
});
const json = (schema: Schema) => ({ content: { 'application/json': { schema } } });
const document: OpenApi = {
  components: { schemas: { Rail: object('rail', 'state', 'what', 'used_today') } },
  paths: {
    '/rails': {
      post: {
        operationId: 'addRoute',
        requestBody: json(object('rail', 'priority', 'weight')),
        responses: {
          200: json({
            type: 'object',
            properties: { lines: { type: 'array', items: object('no', 'at', 'by') } },
          }),
          400: json(object('code', 'message', 'errors')),
        },
      },
    },
  },
};
const shapes = shapesOf(document);
const found = (code: string, file = 'dashboard/src/page.tsx') =>
  runCheckOn({ [file]: code }, (root) => findCopiedTypes(root, shapes));

test('an interface, a type and a nested object type that repeat a schema are found, with the name of the schema', () => {
  const named = found('interface Line {\n  readonly rail: string;\n  state: string;\n  what: string;\n}\n');
  assert.equal(named.length, 1);
  assert.match(
    named[0]!,
    /^dashboard\/src\/page\.tsx:1: the type repeats Rail \(rail, state, what\): import it/,
  );
  assert.match(
    String(found('type Line = { rail: string; state: string } & { used_today: string };\n')),
    /^$/,
  );
  assert.match(String(found('type A = { rail: string; priority: number; "weight": number };\n')), /addRoute/);
  const inside =
    'function f({ line }: { line: { no: number; at: string; by: string } }) {\n  return line;\n}\n';
  assert.match(
    String(found(inside)),
    /page\.tsx:1: the type repeats the answer of addRoute\.lines \(no, at, by\)/,
  );
});

test('two common members, an object that is not a type, and error types do not count as copies', () => {
  assert.deepEqual(
    found('interface Props {\n  rail: string;\n  state: string;\n  onClose: () => void;\n}\n'),
    [],
  );
  assert.deepEqual(found('export const line = { rail: 1, state: 2, what: 3 };\n'), []);
  assert.deepEqual(
    found('interface Failure {\n  code: string;\n  message: string;\n  errors: string[];\n}\n'),
    [],
  );
});

test('the generated file and files outside the dashboard are ignored', () => {
  const copy = 'export interface Rail {\n  rail: string;\n  state: string;\n  what: string;\n}\n';
  assert.deepEqual(found(copy, 'dashboard/src/api/console-types.ts'), []);
  assert.deepEqual(found(copy, 'src/http/rail.ts'), []);
  assert.equal(found(copy, 'dashboard/src/pages/data.ts').length, 1);
});
