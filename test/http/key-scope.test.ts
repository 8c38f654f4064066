// Tests a read-only key. Every route of the OpenAPI document that changes something refuses this key before any other check.
// Every route that reads gives it the same response as another key.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { issueKey, revokeKey, rollKey } from '../../src/app/back-office/manage-keys.ts';
import { buyBody } from '../support/service.ts';
import { sharedTestService } from '../support/sharing/shared-service.ts';
import { assertRefused, eventually, ONRAMP, send } from './helpers.ts';

const service = await sharedTestService();
const { business, foundation } = service;
const reading = { name: 'Reports', scope: 'read' } as const;
const read = (await issueKey(foundation, business.businessId, 'test', reading))!;
const bought = await service.post(ONRAMP, buyBody(business));
const id: string = bought.body.transaction.transaction_id;

interface Operation {
  readonly security?: readonly object[];
}
const document: { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> } = (
  await service.get('/openapi.json', { key: null })
).body;
const withKey = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([, { security = [] }]) => security.length > 0)
    .map(([method]) => ({ method: method.toUpperCase(), path })),
);
const filled = (path: string) =>
  (path.startsWith('/otc/') ? service.otcBaseUrl : '') +
  path.replace('{transaction_id}', id).replaceAll(/\{\w+\}/g, 'none');

test('a read key is refused by every route that changes data, and nothing changes', async () => {
  const changing = withKey.filter(({ method }) => method !== 'GET');
  assert.ok(changing.length >= 14);
  for (const { method, path } of changing) {
    // This is the body of a buy. With another key, the first of these routes would accept it.
    const answer = await send(service, method, filled(path), {
      key: read.secretKey,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(buyBody(business, { reference: 'by-a-read-key' }))),
    });
    assertRefused(answer, 403, 'key_scope', []);
  }
  const { body } = await service.get('/transactions/v1?reference=by-a-read-key');
  assert.deepEqual(body.transactions, []);
});

test('a read key can read everything that another key of the business can read', async () => {
  const readable = withKey.filter(({ method, path }) => method === 'GET' && !/stream|events$/.test(path));
  assert.ok(readable.length >= 12);
  for (const { path } of readable) {
    const [asRead, asFull] = [
      await service.get(filled(path), { key: read.secretKey }),
      await service.get(filled(path)),
    ];
    const without = ({ request_id: _id, ...rest }: Record<string, unknown>) => rest;
    assert.equal(asRead.status, asFull.status, path);
    assert.deepEqual(without(asRead.body), without(asFull.body), path);
  }
  const head = await send(service, 'HEAD', '/transactions/v1', { key: read.secretKey });
  assert.equal(head.status, 200);
});

test('a read key can open event streams, and a stream ends with its key', async () => {
  const key = (await issueKey(foundation, business.businessId, 'test', reading))!;
  const stream = await fetch(`${service.baseUrl}/transactions/v1/${id}/events`, {
    headers: { 'svc-sec-key': key.secretKey },
  });
  assert.equal(stream.status, 200);
  await revokeKey(foundation, key.id);
  for await (const _ of stream.body!);
});

test('threat 70: a rolled read key keeps its name and scope, and a revoked one stops working at once', async () => {
  const rolled = (await rollKey(foundation, read.id, 0))!;
  const stored = (await foundation.backOffice.listKeys(business.businessId)).find(
    (key) => key.id === rolled.id,
  );
  assert.deepEqual([stored?.name, stored?.scope], ['Reports', 'read']);
  assertRefused(
    await service.post(ONRAMP, buyBody(business), { key: rolled.secretKey }),
    403,
    'key_scope',
    [],
  );
  await revokeKey(foundation, rolled.id);
  await eventually(
    async () => (await service.get('/transactions/v1', { key: rolled.secretKey })).status === 401,
    'the revoked key ends',
  );
});

test('the last use of a key is stored soon after its first request', async () => {
  const key = (await issueKey(foundation, business.businessId, 'live'))!;
  const lastUsed = async () =>
    (await foundation.backOffice.listKeys(business.businessId)).find(({ id: each }) => each === key.id)!
      .lastUsedAtMs;
  assert.equal(await lastUsed(), null);
  const before = foundation.clock.now();
  await service.get('/transactions/v1', { key: key.secretKey });
  await eventually(async () => (await lastUsed()) !== null, 'the use is stored');
  assert.ok((await lastUsed())! >= before - 1_000);
});
