// Tests the Postman collection. It is valid in its format, contains everything from the OpenAPI document, and works once its
// variables are set.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sharedTestService } from '../support/sharing/shared-service.ts';

// biome-ignore lint/suspicious/noExplicitAny: a JSON document is looked into freely
type Json = any;

const service = await sharedTestService();
const answer = await service.get('/docs/postman.json', { key: null });
const collection: Json = answer.body;
const document: Json = (await service.get('/openapi.json', { key: null })).body;
const items: Json[] = collection.item.flatMap((folder: Json) => folder.item);
const operations = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
  Object.entries<Json>(methods).map(([method, operation]) => ({ method, path, operation })),
);

function filled(text: string, variables: Record<string, string>): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_whole, name: string) => {
    assert.ok(Object.hasOwn(variables, name), `the collection has no variable ${name}`);
    return variables[name]!;
  });
}

const texts = (value: Json, names: readonly string[]) => {
  for (const name of names)
    assert.equal(typeof value[name], 'string', `${name} of ${JSON.stringify(value).slice(0, 80)}`);
};

test('the collection has the structure of the collection format 2.1', () => {
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
  assert.match(
    answer.headers.get('content-disposition') ?? '',
    /^attachment; filename="sliproad\.postman_collection\.json"$/,
  );
  assert.equal(
    collection.info.schema,
    'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
  );
  texts(collection.info, ['name', 'description', 'version']);
  assert.equal(collection.auth.type, 'apikey');
  for (const each of collection.auth.apikey) texts(each, ['key', 'value', 'type']);
  for (const each of collection.variable) texts(each, ['key', 'value', 'type']);
  for (const folder of collection.item) {
    texts(folder, ['name', 'description']);
    assert.ok(folder.item.length > 0, folder.name);
  }
  for (const { id, name, request, response } of items) {
    assert.ok(id && name);
    texts(request, ['method', 'description']);
    assert.equal(request.url.raw, [request.url.host[0], ...request.url.path].join('/'));
    for (const part of [...request.header, ...request.url.query, ...request.url.variable])
      texts(part, ['key', 'value']);
    const named = request.url.path
      .filter((part: string) => part.startsWith(':'))
      .map((part: string) => part.slice(1));
    assert.deepEqual(
      named,
      request.url.variable.map(({ key }: Json) => key),
    );
    if (request.body !== undefined) {
      assert.equal(request.body.mode, 'raw');
      assert.ok(JSON.parse(request.body.raw));
    }
    assert.ok(response.length > 0, id);
    for (const each of response) {
      texts(each, ['name', 'status', 'body']);
      assert.ok(Number.isInteger(each.code) && JSON.parse(each.body) && each.originalRequest.url.raw);
    }
  }
});

test('the collection has every operation of the API document once, with the right port, and with a key only if it needs one', () => {
  const expected = operations.map(({ method, path, operation }) => [
    operation.operationId,
    method.toUpperCase(),
    `${operation.servers === undefined ? '{{baseUrl}}' : '{{otcBaseUrl}}'}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    operation.security.length === 0 ? 'noauth' : undefined,
  ]);
  const found = items.map(({ id, request }) => [id, request.method, request.url.raw, request.auth?.type]);
  assert.deepEqual(found.sort(), expected.sort());
  assert.deepEqual(
    collection.variable.map(({ key }: Json) => key),
    ['baseUrl', 'otcBaseUrl', 'secretKey', 'businessId', 'linkTag'],
  );
});

test('the requests of the collection work when its variables are set', async () => {
  const { businessId, linkTag, testKey } = service.business;
  const variables = {
    ...{ baseUrl: service.baseUrl, otcBaseUrl: service.otcBaseUrl, secretKey: testKey, businessId, linkTag },
  };
  const [name, value] = collection.auth.apikey;
  const run = (id: string) => {
    const { request } = items.find((each) => each.id === id);
    const headers = request.header.filter(({ disabled }: Json) => disabled !== true);
    return fetch(filled(request.url.raw, variables), {
      method: request.method,
      headers: {
        [name.value]: filled(value.value, variables),
        ...Object.fromEntries(headers.map((each: Json) => [each.key, each.value])),
      },
      ...(request.body !== undefined && { body: filled(request.body.raw, variables) }),
    });
  };
  for (const id of [
    'initiateBuy',
    'initiateSell',
    'sandboxBankCredit',
    'listTransactions',
    'listBanks',
    'getOtcBuyRates',
    'health',
  ]) {
    const done = await run(id);
    assert.equal(done.status, 200, `${id}: ${await done.text()}`);
  }
});

test('the collection contains no key', () => {
  assert.doesNotMatch(answer.text, /sk_(live|test)_\w/);
});
