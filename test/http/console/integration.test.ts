// Tests what an integrator sets up and views in the console: keys with their names, scopes and last uses, the request log, and
// the networks of a mode.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buyBody, startTestService } from '../../support/service.ts';
import { eventually } from '../helpers.ts';
import { addConsolePerson, signedIn } from './browser.ts';

const service = await startTestService({ TRUST_PROXY: 'loopback' });
const { businessId } = service.business;
const AT = `/console/v1/businesses/${businessId}`;
const browser = await signedIn(
  service,
  await addConsolePerson(service, { business: businessId, role: 'owner' }),
);
const keys = async () => (await browser.send('GET', `${AT}/keys`)).body.keys as Record<string, unknown>[];
const keyOf = async (id: string) => (await keys()).find(({ key_id }) => key_id === id)!;

test('a key has a name and a scope, can be renamed, keeps both when it is rolled, and shows its last use', async () => {
  const given = { mode: 'test', name: '  Reports ', scope: 'read' };
  const issued = await browser.send('POST', `${AT}/keys`, { body: given });
  assert.equal(issued.status, 200, issued.text);
  const { key_id: id, secret_key: key } = issued.body;
  const stored = await keyOf(id);
  assert.deepEqual([stored.name, stored.scope, stored.last_used_at], ['Reports', 'read', null]);
  assert.equal(
    (await service.post('/transactions/v1/onramp', buyBody(service.business), { key })).body.code,
    'key_scope',
  );
  await eventually(async () => (await keyOf(id)).last_used_at !== null, 'the use is stored');
  const renamed = await browser.send('PUT', `${AT}/keys/${id}/name`, { body: { name: 'Month end' } });
  assert.deepEqual([renamed.status, renamed.body.name], [200, 'Month end']);
  const rolled = await browser.send('POST', `${AT}/keys/${id}/roll`, { body: { overlap_hours: 24 } });
  const next = await keyOf(rolled.body.key_id);
  assert.deepEqual([next.name, next.scope, next.last_used_at], ['Month end', 'read', null]);
  assert.notEqual((await keyOf(id)).expires_at, null);
});

test('an invalid name and an unknown scope are refused', async () => {
  for (const [body, field] of [
    [{ mode: 'test', name: 'x'.repeat(61) }, 'name'],
    [{ mode: 'test', name: 'two\nlines' }, 'name'],
    [{ mode: 'test', scope: 'write' }, 'scope'],
  ] as const) {
    const refused = await browser.send('POST', `${AT}/keys`, { body });
    assert.deepEqual([refused.status, refused.body.errors[0].field], [422, field], refused.text);
  }
  const plain = await browser.send('POST', `${AT}/keys`, { body: { mode: 'test' } });
  const stored = await keyOf(plain.body.key_id);
  assert.deepEqual([stored.name, stored.scope], ['', 'full']);
});

test('the request log lists the newest first, has filters and pages, shows one request with its body, and is separate for each mode', async () => {
  for (let amount = 1; amount <= 5; amount++)
    await service.post('/transactions/v1/onramp', buyBody(service.business, { amount }));
  const good = await service.post('/transactions/v1/onramp', buyBody(service.business));
  const id = good.headers.get('request-id')!;
  const list = async (query: string, mode = 'test') =>
    (await browser.send('GET', `${AT}/requests/${mode}?${query}`)).body;
  await eventually(async () => (await list('status=2xx')).requests.length > 0, 'the log is written');
  const all = (await list('path=ONRAMP')).requests as Record<string, string>[];
  assert.deepEqual(
    all.map(({ status }) => status),
    [200, 422, 422, 422, 422, 422, 403],
  );
  const seen: unknown[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: { requests: { request_id: string }[]; next_cursor: string | null } = await list(
      `limit=2&path=onramp${cursor && `&cursor=${cursor}`}`,
    );
    assert.ok(page.requests.length <= 2);
    seen.push(...page.requests.map(({ request_id }) => request_id));
    cursor = page.next_cursor;
  }
  assert.deepEqual(
    seen,
    all.map(({ request_id }) => request_id),
  );
  assert.equal((await list('status=4xx&path=onramp')).requests.length, 6);
  assert.equal((await list('to=2020-01-01T00:00:00Z')).requests.length, 0);
  assert.equal((await list('', 'live')).requests.length, 0);
  const one = await browser.send('GET', `${AT}/requests/test/${id}`);
  assert.deepEqual([one.body.request.body.amount, one.body.request.status], [15_000, 200], one.text);
  assert.equal((await browser.send('GET', `${AT}/requests/live/${id}`)).status, 404);
  for (const wrong of ['status=404', 'path=', 'limit=101', 'from=yesterday', 'cursor=x', 'mode=test'])
    assert.equal((await browser.send('GET', `${AT}/requests/test?${wrong}`)).status, 422, wrong);
});

test('the networks of a mode are listed with their token; in live mode none is enabled in this test', async () => {
  const { networks } = (await browser.send('GET', `${AT}/networks/test`)).body;
  assert.deepEqual(
    networks.map(({ name, enabled }: Record<string, unknown>) => [name, enabled]),
    [...service.foundation.networks.names].map((name) => [name, true]),
  );
  assert.deepEqual(
    networks.find(({ name }: { name: string }) => name === 'Stellar'),
    { name: 'Stellar', enabled: true, asset: 'NGNC', decimals: 7, explorer: null },
  );
  const live = (await browser.send('GET', `${AT}/networks/live`)).body.networks;
  assert.ok(live.every(({ enabled }: { enabled: boolean }) => !enabled));
});
