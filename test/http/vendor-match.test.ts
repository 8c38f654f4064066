// Threats 25 and 26: the three vendor fields of a buy must name one active vendor of the key's mode. The buy keeps the data
// that this vendor had at that time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeBackOffice } from '../../src/adapters/postgres/back-office/back-office.ts';
import { agreeOnSetting } from '../support/people/reviewers.ts';
import { buyBody, startTestService } from '../support/service.ts';
import {
  assertRefused,
  eventually,
  fieldErrorsOf,
  ONRAMP,
  storedTransaction,
  storingNothing,
} from './helpers.ts';

const service = await startTestService();
const { business, foundation } = service;

const names = async (key = business.testKey): Promise<string[]> => {
  const { body } = await service.get('/transactions/v1/vendors', { key });
  return body.VendorList.map((vendor: { vendorName: string }) => vendor.vendorName);
};

async function newVendor(mode: 'live' | 'test', name: string, number: string) {
  const vendor = { mode, name, number, bank: 'Wema Bank' };
  assert.ok((await agreeOnSetting(foundation, { setting: 'vendor_added', vendor })).ok);
  const key = mode === 'live' ? business.liveKey : business.testKey;
  await eventually(async () => (await names(key)).includes(name), `${name} is listed`);
  const listed = await foundation.backOffice.listVendors();
  return {
    id: listed.find((each) => each.mode === mode && each.name === name)!.id,
    fields: { vendor_name: name, vendor_number: number, vendor_bank: 'Wema Bank' },
  };
}

const change = (id: string, to: { name?: string; active?: boolean }) =>
  makeBackOffice(foundation.database).changeVendor(id, to, {
    actor: 'test',
    atMs: foundation.clock.now(),
  });

test('threat 25: a buy is refused for each vendor field that differs from the list', async () => {
  for (const changes of [
    { vendor_name: 'Sandbox Vendor Two' },
    { vendor_name: 'sandbox vendor one' },
    { vendor_name: 'Sandbox Vendor 0ne' },
    { vendor_name: 'Sandbox  Vendor One' },
    { vendor_name: 'Sandbox\u200b Vendor One' },
    { vendor_name: '' },
    { vendor_number: '9900000028' },
    { vendor_number: '9900000012' },
    { vendor_number: ' 9900000011' },
    { vendor_number: '' },
    { vendor_bank: 'Wema Bank' },
    { vendor_bank: 'Bank of Nowhere' },
    { vendor_bank: 'Рrovidus Bank' },
    { vendor_bank: '' },
  ]) {
    const answer = await storingNothing(service, () => service.post(ONRAMP, buyBody(business, changes)));
    assertRefused(answer, 422, 'vendor_unknown', ['vendor_number: vendor_unknown']);
  }
});

test('threat 25: the bank may be sent in any of its spellings; the response has the spelling of the list', async () => {
  for (const bank of ['Providus Bank', 'Providus', 'PROVIDUS BANK', 'providus bank plc', '101']) {
    const answer = await service.post(ONRAMP, buyBody(business, { vendor_bank: bank }));
    assert.equal(answer.status, 200, bank);
    assert.equal(answer.body.transaction.link_bank_name, 'Providus Bank');
    assert.equal(answer.body.transaction.link_account_name, 'Sandbox Vendor One');
    assert.equal(answer.body.transaction.link_account_number, '9900000011');
  }
});

test('threat 25: renaming a vendor does not change the snapshot in old transactions', async () => {
  const { id, fields } = await newVendor('test', 'Old Name', '1234567890');
  const accepted = await service.post(ONRAMP, buyBody(business, fields));
  assert.equal(accepted.status, 200);
  assert.equal(await change(id, { name: 'New Name' }), 'changed');
  await eventually(async () => (await names()).includes('New Name'), 'the new name is listed');

  const path = `/transactions/v1/${accepted.body.transaction.transaction_id}`;
  const { transaction } = (await service.get(path)).body;
  assert.deepEqual(
    [transaction.link_account_name, transaction.link_account_number, transaction.link_bank_name],
    ['Old Name', '1234567890', 'Wema Bank'],
  );
  assertRefused(await service.post(ONRAMP, buyBody(business, fields)), 422, 'vendor_unknown');
  const renamed = await service.post(ONRAMP, buyBody(business, { ...fields, vendor_name: 'New Name' }));
  assert.equal(renamed.body.transaction.link_account_name, 'New Name');
});

test('threat 25: a disabled vendor accepts no new buys, and its old buys do not change', async () => {
  const { id, fields } = await newVendor('test', 'Soon Closed', '2345678901');
  const accepted = await service.post(ONRAMP, buyBody(business, fields));
  assert.equal(await change(id, { active: false }), 'changed');
  await eventually(async () => !(await names()).includes('Soon Closed'), 'the vendor is gone from the list');

  const answer = await storingNothing(service, () => service.post(ONRAMP, buyBody(business, fields)));
  assertRefused(answer, 422, 'vendor_unknown');
  const { transaction_id } = accepted.body.transaction;
  const { body } = await service.get(`/transactions/v1/${transaction_id}`);
  assert.deepEqual(body.transaction, accepted.body.transaction);
  const row = await storedTransaction(service, transaction_id);
  assert.deepEqual([row.vendor_id, row.vendor_name], [id, 'Soon Closed']);
  assert.equal(await change(id, { active: true }), 'changed');
  await eventually(
    async () => (await service.post(ONRAMP, buyBody(business, fields))).status === 200,
    'the vendor is back',
  );
});

test('threat 26: a live vendor is refused with a test key, and a test vendor with a live key', async () => {
  const { fields } = await newVendor('live', 'Live Vendor', '3456789012');
  const withTestKey = await storingNothing(service, () => service.post(ONRAMP, buyBody(business, fields)));
  assertRefused(withTestKey, 422, 'vendor_unknown', ['vendor_number: vendor_unknown']);

  const live = (changes: object) =>
    storingNothing(service, () =>
      service.post(ONRAMP, buyBody(business, { ...changes }), { key: business.liveKey }),
    );
  assert.ok(fieldErrorsOf(await live({})).includes('vendor_number: vendor_unknown'));
  assert.ok(!fieldErrorsOf(await live(fields)).includes('vendor_number: vendor_unknown'));
});

test('threat 26: the same account may be a vendor in both modes, and each key finds the vendor of its mode', async () => {
  await newVendor('test', 'Both Modes', '4567890123');
  const { fields } = await newVendor('live', 'Both Modes', '4567890123');
  const answer = await service.post(ONRAMP, buyBody(business, fields));
  const row = await storedTransaction(service, answer.body.transaction.transaction_id);
  const stored = (await foundation.backOffice.listVendors()).filter(({ name }) => name === 'Both Modes');
  assert.equal(stored.length, 2);
  assert.equal(row.vendor_id, stored.find(({ mode }) => mode === 'test')?.id);
});
