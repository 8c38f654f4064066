// Tests webhooks in the console. A member's action has the same effect as a key's action in the API, on the same endpoints. The
// console shows secrets once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buyBody, startTestService } from '../../support/service.ts';
import { eventually } from '../helpers.ts';
import { addConsolePerson, signedIn } from './browser.ts';

const service = await startTestService({ TRUST_PROXY: 'loopback' });
const { businessId } = service.business;
const AT = `/console/v1/businesses/${businessId}/webhooks/test`;
const owner = await addConsolePerson(service, { business: businessId, role: 'owner' });
const browser = await signedIn(service, owner);

// The test service contacts no address of this machine, and this host name does not exist. So every attempt fails at once.
const url = 'https://hooks.invalid/shop';

const added = await browser.send('POST', `${AT}/endpoints`, { body: { url, description: 'Shop' } });
assert.equal(added.status, 200, added.text);
const endpointId: string = added.body.endpoint.id;
const ENDPOINT = `${AT}/endpoints/${endpointId}`;

test('an endpoint that is created in the console exists in the API; its secret is in no later response', async () => {
  assert.match(added.body.secret, /^whsec_/);
  const [listed, read, byKey] = [
    await browser.send('GET', `${AT}/endpoints`),
    await browser.send('GET', ENDPOINT),
    await service.get(`/webhooks/v1/endpoints/${endpointId}`),
  ];
  assert.deepEqual(read.body.endpoint, byKey.body.endpoint);
  assert.deepEqual(listed.body.endpoints, [byKey.body.endpoint]);
  assert.ok(listed.body.event_types.includes('transaction.completed'));
  for (const { text } of [listed, read, byKey]) assert.ok(!text.includes('whsec_'));
  assert.deepEqual(
    (await browser.send('GET', `${AT.replace(/test$/, 'live')}/endpoints`)).body.endpoints,
    [],
  );
  assert.equal((await browser.send('GET', `${AT.replace(/test$/, 'both')}/endpoints`)).status, 404);
});

test('a member’s change is recorded with the person', async () => {
  const changed = await browser.send('PUT', ENDPOINT, {
    body: { description: 'Till', events: ['transaction.*'] },
  });
  assert.deepEqual(
    [changed.body.endpoint.description, changed.body.endpoint.events],
    ['Till', ['transaction.*']],
  );
  const [entry] = await service.foundation.audit.list({ actor: owner.id, limit: 1 });
  assert.deepEqual([entry!.subject, entry!.businessId], [endpointId, businessId]);
  const wrong = await browser.send('PUT', ENDPOINT, { body: { url: 'ftp://x' } });
  assert.deepEqual([wrong.status, wrong.body.errors[0].field], [422, 'url']);
});

const deliveries = async (query = '') =>
  (await browser.send('GET', `${ENDPOINT}/deliveries${query}`)).body.deliveries;

/** The service counts an attempt when the attempt begins, so the test waits until each attempt has an outcome. */
const tried = (times: number, what: string) =>
  eventually(async () => {
    const [latest] = await deliveries();
    if (latest?.attempts_made !== times) return false;
    const { delivery } = (await browser.send('GET', `${AT}/deliveries/${latest.id}`)).body;
    const ended = delivery.attempts.filter((attempt: { outcome: string }) => attempt.outcome === 'dns');
    return ended.length === times;
  }, what);

test('a delivery is shown with its request and attempts, and sending it again retries it at once', async () => {
  const bought = await service.post('/transactions/v1/onramp', buyBody(service.business));
  await tried(1, 'it is tried');
  const [{ id, event_id }] = await deliveries('?state=pending');
  const path = `${AT}/deliveries/${id}`;
  const { delivery } = (await browser.send('GET', path)).body;
  assert.deepEqual([delivery.attempts[0].outcome, delivery.attempts[0].status], ['dns', null]);
  assert.equal(delivery.request.headers['webhook-id'], event_id);
  const { transaction_id } = bought.body.transaction;
  assert.ok(delivery.request.body.includes(transaction_id));
  assert.deepEqual(delivery, (await service.get(`/webhooks/v1/deliveries/${id}`)).body.delivery);
  const again = await browser.send('POST', `${path}/redeliver`);
  assert.equal(again.status, 200, again.text);
  await tried(2, 'it is tried again');
  assert.deepEqual(await deliveries('?state=delivered'), []);
  assert.equal((await browser.send('GET', `${ENDPOINT}/deliveries?state=lost`)).body.code, 'filter_invalid');
});

test('a range is sent again, failed deliveries are recovered, and a test event creates a delivery', async () => {
  const [from, to] = ['2026-01-01T00:00:00Z', '2100-01-01T00:00:00Z'];
  const range = await browser.send('POST', `${ENDPOINT}/redeliver`, { body: { from, to } });
  assert.deepEqual([range.status, range.body.queued, range.body.next_cursor], [200, 1, null], range.text);
  await tried(3, 'the range is tried');
  const recovered = await browser.send('POST', `${ENDPOINT}/recover`, { body: { since: from } });
  assert.deepEqual([recovered.status, recovered.body.queued], [200, 1], recovered.text);
  const tested = await browser.send('POST', `${ENDPOINT}/test`, { body: { type: 'transaction.completed' } });
  assert.equal(tested.body.delivery.event_type, 'webhook.test', tested.text);
  assert.equal((await deliveries())[0].id, tested.body.delivery.id);
});

test('a rotation shows the new secret once; a disabled endpoint sends nothing; a deleted endpoint no longer exists', async () => {
  const rotated = await browser.send('POST', `${ENDPOINT}/rotate`, { body: { overlap_hours: 1 } });
  assert.match(rotated.body.secret, /^whsec_/);
  assert.notEqual(rotated.body.secret, added.body.secret);
  const log = service.logged();
  for (const secret of [rotated.body.secret, added.body.secret]) assert.ok(!log.includes(secret));
  const disabled = await browser.send('PUT', ENDPOINT, { body: { state: 'disabled' } });
  assert.deepEqual(disabled.body.endpoint.disabled_reason, 'requested');
  assert.equal((await browser.send('POST', `${ENDPOINT}/test`)).body.code, 'endpoint_disabled');
  assert.equal((await browser.send('DELETE', ENDPOINT)).status, 200);
  assert.equal((await browser.send('GET', ENDPOINT)).status, 404);
});
