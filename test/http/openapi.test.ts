// Compares the OpenAPI document with the running service: the same routes, the same statuses, and responses with exactly the
// documented fields.
import assert from 'node:assert/strict';
import diagnostics from 'node:diagnostics_channel';
import { test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { Check } from 'typebox/schema';
import { STATES } from '../../src/domain/records/states.ts';
import { REFUSAL_CODES } from '../../src/domain/values/refusals.ts';
import { STATUS_OF_CODE } from '../../src/http/errors.ts';
import { closed } from '../support/client/documented.ts';
import { type Answer, startTestService } from '../support/service.ts';

// biome-ignore lint/suspicious/noExplicitAny: a JSON document is looked into freely
type Json = any;

const registered = new Map<FastifyInstance, Set<string>>();
diagnostics.subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance };
  const routes = new Set<string>();
  registered.set(fastify, routes);
  fastify.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) routes.add(`${each} ${url.replace(/:(\w+)/g, '{$1}')}`);
  });
});
const service = await startTestService();
const { business } = service;
const document: Json = (await service.get('/openapi.json', { key: null })).body;
const operations = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
  Object.entries<Json>(methods).map(([method, operation]) => ({ method, path, operation })),
);
const jsonOf = (response: Json) => response.content?.['application/json'];
/** The responses that are not JSON are streams, which do not end. */
const isJson = ({ operation }: Json) => operation.responses[200].content['text/event-stream'] === undefined;

function assertKeepsTo(path: string, method: string, answer: Pick<Answer, 'status' | 'body'>): void {
  const response = document.paths[path][method].responses[answer.status];
  assert.ok(response, `${method} ${path} does not document ${answer.status}`);
  assert.ok(
    Check(closed(jsonOf(response).schema, document), answer.body),
    `${method} ${path}: ${JSON.stringify(answer.body)}`,
  );
}

test('every served route is documented, and every documented route is served', () => {
  const { main, otc } = service.service.servers;
  const served = [main, otc].flatMap((server) => [...registered.get(server)!]);
  const businessRoutes = served.filter(
    (route) => !/^(HEAD|OPTIONS) | \/(metrics|openapi\.json|docs.*|app(\/.*)?|console\/.*)?$/.test(route),
  );
  const documented = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  assert.deepEqual(businessRoutes.sort(), documented.sort());
  assert.ok(registered.get(otc)!.has('GET /otc/buy'));
  assert.equal(document.paths['/otc/buy'].get.servers.length, 1);
});

test('every operation has a name, a summary, a tag and its authentication', () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  assert.equal(new Set(ids).size, operations.length);
  const tags = document.tags.map((tag: Json) => tag.name);
  for (const { path, operation } of operations) {
    assert.match(operation.operationId, /^[a-z][A-Za-z]+$/);
    assert.ok(operation.summary && operation.tags.every((tag: string) => tags.includes(tag)), path);
    const open = path === '/health' || path === '/ready';
    assert.deepEqual(operation.security, open ? [] : [{ secretKey: [] }], path);
  }
  assert.equal(document.components.securitySchemes.secretKey.name, 'svc-sec-key');
});

test('each documented error code is listed under its own status, with the common body', () => {
  for (const { method, path, operation } of operations) {
    for (const [status, response] of Object.entries<Json>(operation.responses)) {
      if (Number(status) < 400) continue;
      assert.deepEqual(jsonOf(response).schema, { $ref: '#/components/schemas/Error' });
      const examples = Object.entries<Json>(jsonOf(response).examples);
      assert.ok(examples.length > 0);
      for (const [code, { value }] of examples) {
        assert.equal(
          STATUS_OF_CODE[code as keyof typeof STATUS_OF_CODE],
          Number(status),
          `${method} ${path} ${code}`,
        );
        assert.equal(value.code, code);
        assert.ok(Check(closed(jsonOf(response).schema, document), value), code);
      }
    }
  }
});

test('every error code is documented on a route, except those that come from no route', () => {
  const transport = ['not_found', 'method_not_allowed', 'request_timeout'];
  const documented = operations.flatMap(({ operation }) =>
    Object.values<Json>(operation.responses).flatMap((response) =>
      Object.keys(jsonOf(response)?.examples ?? {}),
    ),
  );
  const missing = REFUSAL_CODES.filter((code) => !documented.includes(code));
  assert.deepEqual(missing.sort(), transport.sort());
  assert.deepEqual(document.components.schemas.Error.properties.code.enum, [...REFUSAL_CODES]);
  assert.deepEqual(document.components.schemas.Transaction.properties.state.enum, [...STATES]);
});

test('null is documented for every optional field of a body, and has the same effect as an omitted field', async () => {
  for (const { operation } of operations) {
    const schema = operation.requestBody?.content['application/json'].schema;
    for (const [name, field] of Object.entries<Json>(schema?.properties ?? {})) {
      const optional = !schema.required?.includes(name);
      assert.equal([field.type].flat().includes('null'), optional, `${operation.operationId} ${name}`);
    }
  }
  const bodies = {
    '/transactions/v1/onramp': {
      ...{ reference: null, account_name: null, network: null, wallet_address: null, quote_id: null },
    },
    '/transactions/v1/offramp': { reference: null, network: null, wallet_address: null, quote_id: null },
    '/sandbox/v1/bank-credits': { payer_name: null, narration: null, session_id: null },
  };
  const own = { business_id: business.businessId, link_tag: business.linkTag };
  for (const [path, nulls] of Object.entries(bodies)) {
    const { example, schema } = document.paths[path].post.requestBody.content['application/json'];
    const optional = Object.keys(schema.properties).filter((name) => !schema.required.includes(name));
    assert.deepEqual(Object.keys(nulls).sort(), optional.sort(), path);
    const body = { ...example, ...own, ...nulls };
    assert.ok(Check(schema, body), path);
    const answer = await service.post(path, body);
    assert.equal(answer.status, 200, answer.text);
    assertKeepsTo(path, 'post', answer);
  }
});

test('every POST documents Idempotency-Key and its errors', () => {
  for (const { method, path, operation } of operations) {
    if (method !== 'post') continue;
    const headers = (operation.parameters ?? []).map((parameter: Json) => parameter.name);
    assert.ok(headers.includes('idempotency-key'), path);
    assert.ok(jsonOf(operation.responses[409]).examples.idempotency_key_reused, path);
    assert.ok(jsonOf(operation.responses[422]).examples.idempotency_key_invalid, path);
  }
});

test('the response examples match their schemas', () => {
  for (const { method, path, operation } of operations.filter(isJson)) {
    const { schema, examples } = jsonOf(operation.responses[200]);
    const { value } = examples.example;
    assertKeepsTo(path, method, { status: 200, body: value });
    assert.ok(!Check(closed(schema, document), { ...value, undocumented: 1 }), path);
  }
});

test('the request examples are accepted, and the responses have the documented structure', async () => {
  const exampleOf = (path: string, method: string): Json => {
    const { example, schema } = document.paths[path][method].requestBody.content['application/json'];
    assert.ok(Check(closed(schema, document), example));
    return example;
  };
  const own = { business_id: business.businessId, link_tag: business.linkTag };
  for (const path of ['/transactions/v1/onramp', '/transactions/v1/offramp']) {
    const answer = await service.post(path, { ...exampleOf(path, 'post'), ...own });
    assert.equal(answer.status, 200);
    assertKeepsTo(path, 'post', answer);
    const { transaction_id: id } = answer.body.transaction;
    assertKeepsTo('/transactions/v1/{transaction_id}', 'get', await service.get(`/transactions/v1/${id}`));
    const cancelled = await service.post(`/transactions/v1/${id}/cancel`, {});
    assertKeepsTo('/transactions/v1/{transaction_id}/cancel', 'post', cancelled);
    const shown = document.paths[path].post.responses[200].content['application/json'].examples.example.value;
    assert.deepEqual(Object.keys(shown.transaction).sort(), Object.keys(answer.body.transaction).sort());
  }
  const quoted = await service.post('/quotes/v1', exampleOf('/quotes/v1', 'post'));
  assert.equal(quoted.status, 200, quoted.text);
  assertKeepsTo('/quotes/v1', 'post', quoted);
  const { quote_id: quoteId } = quoted.body.quote;
  assertKeepsTo('/quotes/v1/{quote_id}', 'get', await service.get(`/quotes/v1/${quoteId}`));
  const {
    network: _network,
    wallet_address: _wallet,
    ...bare
  } = exampleOf('/transactions/v1/onramp', 'post');
  const waiting = await service.post('/transactions/v1/onramp', { ...bare, ...own, reference: 'waits' });
  assertKeepsTo('/transactions/v1/onramp', 'post', waiting);
  const walletPath = '/transactions/v1/{transaction_id}/wallet';
  const given = await service.put(
    walletPath.replace('{transaction_id}', waiting.body.transaction.transaction_id),
    exampleOf(walletPath, 'put'),
  );
  assert.equal(given.status, 200);
  assertKeepsTo(walletPath, 'put', given);
});

function neededQuery(parameters: Json[] = []): string {
  const needed = parameters.filter((each) => each.in === 'query' && each.required);
  if (needed.length === 0) return '';
  return `?${needed.map(({ name, schema }) => `${name}=${schema.enum[0]}`).join('&')}`;
}

test('the responses of reads and errors match their documented structure', async () => {
  for (const { method, path } of operations.filter(isJson)) {
    if (method !== 'get' || path.includes('{')) continue;
    const url = path === '/otc/buy' ? `${service.otcBaseUrl}${path}` : path;
    const answer = await service.get(url + neededQuery(document.paths[path].get.parameters));
    assert.equal(answer.status, 200);
    assertKeepsTo(path, method, answer);
  }
  const refusals: readonly [string, string, Answer][] = [
    ['/transactions/v1/onramp', 'post', await service.post('/transactions/v1/onramp', {})],
    ['/transactions/v1/onramp', 'post', await service.post('/transactions/v1/onramp', {}, { key: null })],
    ['/transactions/v1', 'get', await service.get('/transactions/v1?limit=0')],
    ['/transactions/v1/{transaction_id}', 'get', await service.get('/transactions/v1/txn_0')],
    ['/otc/buy', 'get', await service.get(`${service.otcBaseUrl}/otc/buy`, { key: business.liveKey })],
  ];
  assert.deepEqual(
    refusals.map(([, , answer]) => answer.status),
    [400, 401, 422, 404, 503],
  );
  for (const [path, method, answer] of refusals) assertKeepsTo(path, method, answer);
});

test('the document uses the configured name of the secret-key header', async () => {
  const branded = await startTestService({ SECRET_KEY_HEADER: 'acme-key' });
  const { text: json } = await branded.get('/openapi.json', { key: null });
  assert.match(json, /Send your secret key in the header acme-key\. It is missing, wrong or revoked\./);
  assert.doesNotMatch(json, /svc-sec-key/);
});
