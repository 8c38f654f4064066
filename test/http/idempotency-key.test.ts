// Threats 27 to 29, 31 and 32 for the Idempotency-Key header: requests with one key create one transaction, however often and
// however fast a client sends them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePostgresStore } from '../../src/adapters/postgres/store.ts';
import { buyBody, sellBody } from '../support/service.ts';
import { sharedTestService } from '../support/sharing/shared-service.ts';
import { assertRefused, countRows, OFFRAMP, ONRAMP, storingNothing } from './helpers.ts';

const service = await sharedTestService();
const { business, foundation } = service;
const store = makePostgresStore(foundation.database);
const keyed = (key: string, secretKey = business.testKey) => ({
  key: secretKey,
  headers: { 'idempotency-key': key },
});
const idOf = (answer: { body: { transaction: { transaction_id: string } } }) =>
  answer.body.transaction.transaction_id;

test('threat 27: 50 simultaneous requests with one key create one transaction and get 50 equal responses', async () => {
  for (const [path, body] of [
    [ONRAMP, buyBody(business)],
    [OFFRAMP, sellBody(business)],
  ] as const) {
    const before = await countRows(service, 'transactions');
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => service.post(path, body, keyed(`fifty ${path}`.replace(' ', '-')))),
    );
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    const replayed = answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true');
    assert.equal(replayed.length, 49);
    assert.equal(await countRows(service, 'transactions'), before + 1);
  }
});

test('threat 27: a repeated request is marked as a repeat, and the first response is not', async () => {
  const first = await service.post(ONRAMP, buyBody(business), keyed('repeat'));
  assert.equal(first.headers.get('idempotent-replayed'), null);
  const second = await service.post(ONRAMP, buyBody(business), keyed('repeat'));
  assert.equal(second.headers.get('idempotent-replayed'), 'true');
  assert.equal(second.text, first.text);
});

test('threat 27: a repeated request returns the current state of the transaction', async () => {
  const first = await service.post(ONRAMP, buyBody(business), keyed('as-it-is-now'));
  await service.post(`/transactions/v1/${idOf(first)}/cancel`, {});
  const second = await service.post(ONRAMP, buyBody(business), keyed('as-it-is-now'));
  assert.deepEqual([second.status, idOf(second)], [200, idOf(first)]);
  assert.equal(second.body.transaction.state, 'cancelled');
});

test('threat 28: the same key with another body is refused, for each field that counts', async () => {
  assert.equal((await service.post(ONRAMP, buyBody(business), keyed('other'))).status, 200);
  for (const changes of [
    { amount: 15000.01 },
    { account_number: '0123456786' },
    { account_name: 'Other Person' },
    { bank_name: 'Access Bank' },
    { reference: 'now-with-one' },
    { vendor_name: 'Sandbox Vendor Two', vendor_number: '9900000028', vendor_bank: 'Wema Bank' },
    { network: 'Avalanche' },
    { network: undefined, wallet_address: undefined },
  ]) {
    const answer = await storingNothing(service, () =>
      service.post(ONRAMP, buyBody(business, changes), keyed('other')),
    );
    assertRefused(answer, 409, 'idempotency_key_reused', []);
  }
  const sell = await storingNothing(service, () => service.post(OFFRAMP, sellBody(business), keyed('other')));
  assertRefused(sell, 409, 'idempotency_key_reused', []);
});

test('threat 28: different spellings of the same request are the same request', async () => {
  const first = await service.post(ONRAMP, buyBody(business), keyed('spelling'));
  const again = { network: 'POLYGON', bank_name: 'Guaranty Trust Bank', vendor_bank: 'Providus', extra: [1] };
  const second = await service.post(ONRAMP, buyBody(business, again), keyed('spelling'));
  assert.deepEqual([second.status, idOf(second)], [200, idOf(first)]);
});

test('threat 29: two businesses can use the same key independently', async () => {
  const other = await service.addBusiness('idem-other');
  const first = await service.post(ONRAMP, buyBody(business), keyed('shared'));
  const second = await service.post(ONRAMP, buyBody(other), keyed('shared', other.testKey));
  assert.deepEqual([first.status, second.status], [200, 200]);
  assert.notEqual(idOf(first), idOf(second));
  assert.equal(second.headers.get('idempotent-replayed'), null);
});

test('threat 29: live and test mode can use the same key independently', async () => {
  const inTest = await service.post(ONRAMP, buyBody(business, { reference: 'modes' }), keyed('modes'));
  const scope = { businessId: business.businessId, mode: 'test' } as const;
  const transaction = (await store.findTransaction(scope, idOf(inTest)))!;
  const liveKey = (await foundation.backOffice.listKeys(business.businessId)).find((k) => k.mode === 'live')!;
  const id = `${transaction.id.slice(0, -4)}zzzz`;
  const outcome = await store.accept({
    transaction: { ...transaction, id, mode: 'live' },
    bodyHash: 'same or other, it does not matter',
    idempotency: { key: 'modes', requestHash: 'another' },
    keyId: liveKey.id,
    scenario: null,
  });
  assert.deepEqual(outcome, { kind: 'created' });
});

test('threat 32: a refused request does not use up the key', async () => {
  for (const bad of [
    { amount: 1 },
    { vendor_name: 'No Such Vendor' },
    { business_id: 'biz_other' },
    { type: 7 },
  ]) {
    const key = `refused-${Object.keys(bad)[0]}`;
    const refused = await storingNothing(service, () =>
      service.post(ONRAMP, buyBody(business, bad), keyed(key)),
    );
    assert.ok(refused.status >= 400 && refused.status < 500);
    const accepted = await service.post(ONRAMP, buyBody(business), keyed(key));
    assert.equal(accepted.status, 200);
    assert.equal(accepted.headers.get('idempotent-replayed'), null);
  }
});

test('threat 32: a key can still be used after its request was refused because the reference was taken', async () => {
  await service.post(ONRAMP, buyBody(business, { reference: 'taken' }));
  const conflict = buyBody(business, { reference: 'taken', amount: 20000 });
  assertRefused(await service.post(ONRAMP, conflict, keyed('after-conflict')), 409, 'reference_reused', []);
  const accepted = await service.post(ONRAMP, buyBody(business), keyed('after-conflict'));
  assert.equal(accepted.status, 200);
});

test('a key that is sent with a repeated reference can be used only for that request', async () => {
  const body = buyBody(business, { reference: 'bound' });
  const first = await service.post(ONRAMP, body);
  const second = await service.post(ONRAMP, body, keyed('bound-later'));
  assert.equal(idOf(second), idOf(first));
  const other = await service.post(ONRAMP, buyBody(business, { amount: 16000 }), keyed('bound-later'));
  assertRefused(other, 409, 'idempotency_key_reused');
});

test('threat 31: a key is deleted only after its retention time, and can then be used for a new request', async () => {
  const first = await service.post(ONRAMP, buyBody(business), keyed('old'));
  assert.equal(
    await store.purgeIdempotencyKeys(Date.parse(first.body.transaction.created_at) - 3_600_000),
    0,
  );
  assert.equal(idOf(await service.post(ONRAMP, buyBody(business), keyed('old'))), idOf(first));
  assert.ok((await store.purgeIdempotencyKeys(foundation.clock.now() + 60_000)) > 0);
  assert.equal(await countRows(service, 'idempotency_keys'), 0);
  const fresh = await service.post(ONRAMP, buyBody(business, { amount: 16000 }), keyed('old'));
  assert.equal(fresh.status, 200);
  assert.notEqual(idOf(fresh), idOf(first));
});

test('a key that is empty, too long, repeated or not printable is refused', async () => {
  for (const key of ['', 'a'.repeat(256), 'a b', 'a, a', 'é', '\t']) {
    const answer = await storingNothing(service, () => service.post(ONRAMP, buyBody(business), keyed(key)));
    assertRefused(answer, 422, 'idempotency_key_invalid', []);
  }
  assert.equal((await service.post(ONRAMP, buyBody(business), keyed('~'.repeat(255)))).status, 200);
});
