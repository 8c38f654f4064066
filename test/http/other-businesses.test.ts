// Threats 67 to 69: a key can read and change only its own business and mode, and a request body cannot set values that the
// service decides.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePostgresStore } from '../../src/adapters/postgres/store.ts';
import { type Answer, buyBody, sellBody } from '../support/service.ts';
import { sharedTestService } from '../support/sharing/shared-service.ts';
import { assertRefused, OFFRAMP, ONRAMP, storedTransaction, storingNothing } from './helpers.ts';

const service = await sharedTestService();
const { business, foundation } = service;
const other = await service.addBusiness('other-business');
const withoutId = ({ body: { request_id: _id, ...rest } }: Answer) => rest;

test('threat 67: another business’s business_id or link_tag gets 403, whether it exists or not', async () => {
  const bodies = new Set<string>();
  for (const [path, body] of [
    [ONRAMP, buyBody(business)],
    [OFFRAMP, sellBody(business)],
  ] as const) {
    for (const changes of [
      { business_id: other.businessId },
      { business_id: `biz_${'0'.repeat(26)}` },
      { business_id: '' },
      { business_id: business.businessId.toUpperCase() },
      { business_id: ` ${business.businessId}` },
      { link_tag: other.linkTag },
      { link_tag: 'strangers' },
      { link_tag: 'ACME' },
      { link_tag: '' },
      { business_id: other.businessId, link_tag: other.linkTag },
      // The service checks the business before these values, so the refusal reveals nothing about them.
      { business_id: other.businessId, amount: 1, type: 'x', network: 'Base' },
    ]) {
      const answer = await storingNothing(service, () => service.post(path, { ...body, ...changes }));
      assertRefused(answer, 403, 'business_mismatch', []);
      bodies.add(JSON.stringify(withoutId(answer)));
    }
  }
  assert.equal(bodies.size, 1);
});

test('threat 68: another business’s transaction gets the same 404 as an unknown one', async () => {
  const { transaction } = (await service.post(ONRAMP, buyBody(business, { reference: 'mine' }))).body;
  const unknown = `txn_${'0'.repeat(26)}`;
  const as = { key: other.testKey };
  for (const ask of [
    (id: string) => service.get(`/transactions/v1/${id}`, as),
    (id: string) => service.post(`/transactions/v1/${id}/cancel`, {}, as),
    (id: string) => service.get(`/transactions/v1/${id}`, { key: business.liveKey }),
    (id: string) => service.post(`/transactions/v1/${id}/cancel`, {}, { key: business.liveKey }),
  ]) {
    const theirs = await ask(transaction.transaction_id);
    assertRefused(theirs, 404, 'transaction_not_found', []);
    assert.deepEqual(withoutId(theirs), withoutId(await ask(unknown)));
  }
  assert.equal((await storedTransaction(service, transaction.transaction_id)).state, 'awaiting_payment');
});

test('threat 68: another business’s key cannot learn whether an Idempotency-Key or a reference exists', async () => {
  const headers = { 'idempotency-key': 'secret-deal' };
  await service.post(ONRAMP, buyBody(business, { reference: 'secret-deal' }), { headers });
  const body = buyBody(other, { reference: 'secret-deal', amount: 77000 });
  const answer = await service.post(ONRAMP, body, { key: other.testKey, headers });
  assert.deepEqual([answer.status, answer.headers.get('idempotent-replayed')], [200, null]);
});

test('threat 68: the list shows only transactions of the key’s own business and mode', async () => {
  const mine = (await service.post(ONRAMP, buyBody(business))).body.transaction;
  const theirs = (await service.post(ONRAMP, buyBody(other), { key: other.testKey })).body.transaction;
  const store = makePostgresStore(foundation.database);
  const record = (await store.findTransaction(
    { businessId: business.businessId, mode: 'test' },
    mine.transaction_id,
  ))!;
  const keys = await foundation.backOffice.listKeys(business.businessId);
  const live = { ...record, id: `${record.id.slice(0, -4)}zzzz`, mode: 'live' as const };
  const accepted = await store.accept({
    transaction: live,
    bodyHash: 'x',
    idempotency: null,
    keyId: keys.find(({ mode }) => mode === 'live')!.id,
    scenario: null,
  });
  assert.deepEqual(accepted, { kind: 'created' });

  const list = async (key: string) => {
    const { body } = await service.get('/transactions/v1?limit=100', { key });
    return body.transactions as { transaction_id: string; mode: string; business: object }[];
  };
  const inTest = await list(business.testKey);
  assert.ok(inTest.some(({ transaction_id }) => transaction_id === mine.transaction_id));
  for (const each of inTest) {
    assert.deepEqual([each.mode, each.business], ['test', { business_id: business.businessId }]);
  }
  assert.deepEqual(
    (await list(business.liveKey)).map(({ transaction_id, mode }) => [transaction_id, mode]),
    [[live.id, 'live']],
  );
  const ofOther = await list(other.testKey);
  assert.ok(ofOther.some(({ transaction_id }) => transaction_id === theirs.transaction_id));
  for (const each of ofOther) assert.deepEqual(each.business, { business_id: other.businessId });
  const filtered = await service.get(`/transactions/v1?reference=${mine.reference}`, { key: other.testKey });
  assert.deepEqual(filtered.body.transactions, []);
});

test('threat 68: a cursor or a filter value of another business finds none of its transactions', async () => {
  const { transaction } = (await service.post(ONRAMP, buyBody(business))).body;
  const cursor = Buffer.from(`${transaction.transaction_id.slice(0, -1)}z`).toString('base64url');
  const { body } = await service.get(`/transactions/v1?cursor=${cursor}`, { key: other.testKey });
  for (const each of body.transactions) assert.equal(each.business.business_id, other.businessId);
  const named = await service.get(`/transactions/v1?business_id=${business.businessId}`, {
    key: other.testKey,
  });
  assertRefused(named, 422, 'filter_invalid', ['business_id: filter_invalid']);
});

test('threat 69: a body cannot set values that the service decides', async () => {
  const forged = {
    transaction_id: `txn_${'7'.repeat(26)}`,
    id: `txn_${'7'.repeat(26)}`,
    business: { business_id: other.businessId },
    state: 'completed',
    state_reason: 'forged',
    mode: 'live',
    fee: 14999,
    fee_minor: 1,
    net_amount: 1,
    exception: 'paid_over',
    tx_hash: '0xforged',
    version: 9,
    flags: ['forged'],
    created_at: '2001-01-01T00:00:00Z',
    expires_at: '2099-01-01T00:00:00Z',
    date_created: 'January 1, 2001',
    link_account_number: '0000000000',
    vendor_id: 'vnd_forged',
    deposits: [],
    deposit: { address: 'forged' },
    bank_code: 'forged',
    key_id: 'forged',
  };
  for (const [path, body, state] of [
    [ONRAMP, buyBody(business, forged), 'awaiting_payment'],
    [OFFRAMP, sellBody(business, forged), 'awaiting_deposit'],
  ] as const) {
    const answer = await service.post(path, body);
    assert.equal(answer.status, 200);
    const { transaction } = answer.body;
    assert.notEqual(transaction.transaction_id, forged.transaction_id);
    assert.deepEqual(
      [transaction.business.business_id, transaction.state, transaction.mode, transaction.fee],
      [business.businessId, state, 'test', 0],
    );
    assert.deepEqual(
      [transaction.state_reason, transaction.exception, transaction.tx_hash],
      ['accepted', null, null],
    );
    assert.equal(transaction.net_amount, transaction.amount);
    assert.ok(!answer.text.includes('forged'));
    for (const name of ['created_at', 'updated_at', 'expires_at', 'date_created'])
      assert.doesNotMatch(transaction[name], /2001|2099/, name);
    const row = await storedTransaction(service, transaction.transaction_id);
    assert.deepEqual(
      [row.business_id, row.version, row.fee_minor, row.flags],
      [business.businessId, 1, '0', []],
    );
    assert.ok(!JSON.stringify(row).includes('forged'));
  }
});
