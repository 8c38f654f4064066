// Tests the map of API operations by method and path, with the parameters, body and response of each.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operationsOf } from './operation-types.ts';
import type { OpenApi, Schema } from './schema-types.ts';

const json = (schema: Schema) => ({ content: { 'application/json': { schema } } });
const oneLine = (paths: OpenApi['paths']) =>
  operationsOf({ paths, components: {} }, '/v1').replaceAll(/\s+/g, ' ').trim();

test('an operation has types for exactly the parameters, query, body and response that it declares', () => {
  const given = { in: 'path', name: 'id', schema: { type: 'string' } };
  const mode = { in: 'path', name: 'mode', schema: { type: 'string', enum: ['live', 'test'] } };
  const limit = { in: 'query', name: 'limit', schema: { type: 'integer' } };
  const answered = { 200: json({ type: 'object' }), 400: json({ type: 'object' }) };
  assert.equal(
    oneLine({
      '/v1/rails/{mode}/{id}': {
        get: { operationId: 'getRail', parameters: [mode, given, limit], responses: answered },
        put: { operationId: 'setRail', parameters: [given], requestBody: json({}), responses: answered },
      },
      '/v1/stream': { get: { operationId: 'stream', responses: { 200: {} } } },
    }),
    '/** By method and path, below /v1. */ export interface Operations { ' +
      'readonly get: { readonly "/rails/{mode}/{id}": { ' +
      'readonly params: { readonly mode: "live" | "test"; readonly id: string; }; ' +
      'readonly query: GetRailQuery; readonly answer: GetRailAnswer; }; ' +
      'readonly "/stream": object; }; ' +
      'readonly put: { readonly "/rails/{mode}/{id}": { readonly params: { readonly id: string; }; ' +
      'readonly body: SetRailBody; readonly answer: SetRailAnswer; }; }; }',
  );
});
