// Threat 66: an API key in the query gives no access on any route, and appears in no response, log or record. Every route that
// documents its query refuses unknown parameters and suggests the nearest name.
import assert from 'node:assert/strict';
import diagnostics from 'node:diagnostics_channel';
import { test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { listTransactionsDocs } from '../../src/http/routes/transaction-docs.ts';
import { startTestService } from '../support/service.ts';
import { assertRefused } from './helpers.ts';

interface Route {
  readonly method: string;
  readonly url: string;
  readonly parameters: readonly string[] | undefined;
}

const registered = new Map<FastifyInstance, Route[]>();
diagnostics.subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance };
  const routes: Route[] = [];
  registered.set(fastify, routes);
  fastify.addHook('onRoute', ({ method, url, schema }) => {
    const query = schema?.querystring as { properties: object } | undefined;
    const parameters = query && Object.keys(query.properties);
    for (const each of [method].flat()) if (each !== 'HEAD') routes.push({ method: each, url, parameters });
  });
});
const service = await startTestService({
  PUBLIC_RATE_LIMIT_PER_SECOND: '100000',
  PUBLIC_RATE_LIMIT_BURST: '100000',
});
const { business } = service;
const secret = business.testKey;
const { main, otc } = service.service.servers;
const routes = [
  ...registered.get(main)!.map((route) => ({ ...route, base: service.baseUrl })),
  ...registered.get(otc)!.map((route) => ({ ...route, base: service.otcBaseUrl })),
];

async function ask({ method, url, base }: (typeof routes)[number], query: string, key: string | null) {
  const path = url.replace(':mode', 'test').replaceAll(/:\w+/g, 'x').replace('*', 'x');
  const response = await fetch(`${base}${path}${query}`, {
    method,
    redirect: 'manual',
    headers: { ...(key !== null && { 'svc-sec-key': key }), 'content-type': 'application/json' },
    ...(method !== 'GET' && { body: '{}' }),
  });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  if (isStream) await response.body!.cancel();
  const text = isStream ? '' : await response.text();
  return { status: response.status, headers: response.headers, text };
}

const QUERIES = ['svc-sec-key', 'key', 'api_key', 'authorization', 'cursor', 'q'].map(
  (name) => `?${name}=${secret}`,
);

test('threat 66: a key in the query gives no access, on any route', async () => {
  assert.ok(routes.length > 60, String(routes.length));
  for (const route of routes) {
    const bare = await ask(route, '', null);
    for (const query of QUERIES) {
      const answer = await ask(route, query, null);
      // The route to which the identity provider redirects reads its query and refuses in another way, but it also gives no
      // access.
      assert.ok(
        answer.status === bare.status || answer.status >= 400,
        `${route.method} ${route.url}${query}`,
      );
      if (bare.status === 401) assert.equal(answer.status, 401, `${route.method} ${route.url}${query}`);
      assert.ok(!answer.text.includes(secret.slice(8)), `${route.url} repeats the key`);
    }
  }
});

test('threat 66: next to a valid key, a key in the query is ignored, or refused if the route documents its query; it is never echoed', async () => {
  let documented = 0;
  for (const route of routes.filter(({ url }) => !url.startsWith('/console/'))) {
    const bare = await ask(route, '', secret);
    for (const query of QUERIES) {
      const answer = await ask(route, query, secret);
      if (route.parameters === undefined) assert.equal(answer.status, bare.status, `${route.url}${query}`);
      else if (!route.parameters.includes(query.slice(1, query.indexOf('=')))) {
        documented++;
        assert.equal(answer.status, 422, `${route.url}${query}`);
      }
      assert.ok(!answer.text.includes(secret.slice(8)), `${route.url} repeats the key`);
    }
  }
  assert.ok(documented > 0);
});

test('threat 66: no log line and no request record contains a key from the query', async () => {
  assert.match(service.logged(), /"path":"\/transactions\/v1"/);
  assert.ok(!service.logged().includes(secret.slice(8)));
  await service.service.close();
  const { rows } = await service.foundation.database.query<{ all: string; masked: number }>({
    text: `select string_agg(r::text, ' ') as all, count(*) filter (where path like '%=[redacted]')::int as masked from request_log r`,
  });
  assert.ok(rows[0]!.masked > 0);
  assert.ok(!rows[0]!.all.includes(secret.slice(8)));
});

test('an unknown filter is refused on every list, and the error suggests the right name', async () => {
  const fresh = await startTestService();
  for (const [query, field, end] of [
    ['ref=order-1001', 'ref', 'Did you mean reference?'],
    [
      'exception=late',
      'exception',
      `Use ${Object.keys(listTransactionsDocs.querystring.properties).join(', ')}.`,
    ],
    ['mode=live', 'mode', `Use ${Object.keys(listTransactionsDocs.querystring.properties).join(', ')}.`],
    ['limit=5&craeted_to=x', 'craeted_to', 'Did you mean created_to?'],
  ] as const) {
    const answer = await fresh.get(`/transactions/v1?${query}`);
    assertRefused(answer, 422, 'filter_invalid', [`${field}: filter_invalid`]);
    assert.equal(answer.body.message, `There is no query parameter ${field} here. ${end}`);
  }
  assertRefused(await fresh.get('/transactions/v1?limit=1&limit=2'), 422, 'filter_invalid', [
    'limit: filter_invalid',
  ]);
  assert.equal((await fresh.get('/transactions/v1?&limit=1&')).status, 200);
  assert.equal((await fresh.get('/transactions/v1/vendors?page=2')).status, 200);
  assertRefused(await fresh.get('/transactions/v1?ref=1', { key: null }), 401, 'unauthorized', []);
});
