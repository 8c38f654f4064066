// Tests the vendor list: camel-case fields as in the interface, only the accounts of the key's own mode, and cache validators.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeSetting } from '../../src/app/back-office/change-setting.ts';
import { agreeOnSetting, MAKER } from '../support/people/reviewers.ts';
import { startTestService } from '../support/service.ts';
import { eventually } from './helpers.ts';

const service = await startTestService();
const { business, foundation } = service;
const ask = (name: string, key = business.testKey, headers: Record<string, string> = {}) =>
  service.get(`/transactions/v1/${name}`, { key, headers });
const SAMPLE = [
  { vendorName: 'Sandbox Vendor One', vendorNumber: '9900000011', vendorBank: 'Providus Bank' },
  { vendorName: 'Sandbox Vendor Three', vendorNumber: '9900000035', vendorBank: 'Sterling Bank' },
  { vendorName: 'Sandbox Vendor Two', vendorNumber: '9900000028', vendorBank: 'Wema Bank' },
];

test('the list has exactly the structure and spelling of the interface', async () => {
  const answer = await ask('vendors');
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
  assert.deepEqual(answer.body, { status: 'success', message: 'Vendors found.', VendorList: SAMPLE });
  assert.deepEqual(Object.keys(answer.body), ['status', 'message', 'VendorList']);
  for (const vendor of answer.body.VendorList) {
    assert.deepEqual(Object.keys(vendor), ['vendorName', 'vendorNumber', 'vendorBank']);
  }
});

test('threat 26: vendors and list_vendors return the vendors of the key’s mode; test-vendors returns the test list for both modes', async () => {
  const empty = { status: 'success', message: 'No vendors yet.', VendorList: [] };
  assert.deepEqual((await ask('vendors', business.liveKey)).body, empty);
  const given = { mode: 'live', name: 'Live Vendor', number: '0000000017', bank: 'GTB' } as const;
  assert.ok((await agreeOnSetting(foundation, { setting: 'vendor_added', vendor: given })).ok);
  const live = [{ vendorName: 'Live Vendor', vendorNumber: '0000000017', vendorBank: 'Guaranty Trust Bank' }];
  await eventually(
    async () => (await ask('vendors', business.liveKey)).body.VendorList.length === 1,
    'listed',
  );
  for (const name of ['vendors', 'list_vendors']) {
    assert.deepEqual((await ask(name, business.liveKey)).body.VendorList, live);
    assert.deepEqual((await ask(name, business.testKey)).body.VendorList, SAMPLE);
  }
  for (const key of [business.testKey, business.liveKey]) {
    assert.deepEqual((await ask('test-vendors', key)).body.VendorList, SAMPLE);
  }
  const [vendors, alias] = [await ask('vendors'), await ask('list_vendors')];
  assert.equal(vendors.text, alias.text);
  assert.equal(vendors.headers.get('etag'), alias.headers.get('etag'));
});

test('threat 83: customers never see a live vendor that only one person added', async () => {
  const listed = async () => (await ask('vendors', business.liveKey)).body.VendorList as object[];
  const before = await listed();
  const given = { mode: 'live', name: 'Mine', number: '0000000024', bank: 'GTB' } as const;
  const request = { setting: 'vendor_added', vendor: given } as const;
  assert.equal((await changeSetting(foundation, request, { actor: 'os:root' })).ok, false);
  const proposed = await changeSetting(foundation, request, { actor: MAKER });
  assert.equal(proposed.ok && proposed.value.kind, 'proposed');
  // Once a later change is in the list, this change would be in the list too.
  const marker = { mode: 'live', name: 'Theirs', number: '0000000031', bank: 'GTB' } as const;
  assert.ok((await agreeOnSetting(foundation, { setting: 'vendor_added', vendor: marker })).ok);
  await eventually(async () => (await listed()).length > before.length, 'the vendor of two people is listed');
  assert.ok(!JSON.stringify(await listed()).includes('Mine'));
  assert.ok((await agreeOnSetting(foundation, request)).ok);
  await eventually(async () => JSON.stringify(await listed()).includes('Mine'), 'listed once two agree');
});

test('an unchanged list returns 304, and a changed one does not', async () => {
  const first = await ask('vendors');
  const etag = first.headers.get('etag')!;
  const since = first.headers.get('last-modified')!;
  assert.equal((await ask('vendors', business.testKey, { 'if-none-match': etag })).status, 304);
  assert.equal((await ask('vendors', business.testKey, { 'if-modified-since': since })).status, 304);
  assert.notEqual((await ask('vendors', business.liveKey)).headers.get('etag'), etag);
  assert.equal((await ask('vendors', business.liveKey, { 'if-none-match': etag })).status, 200);
  const given = { mode: 'test', name: 'Another', number: '1111111111', bank: 'Wema' } as const;
  assert.ok((await agreeOnSetting(foundation, { setting: 'vendor_added', vendor: given })).ok);
  await eventually(
    async () => (await ask('vendors', business.testKey, { 'if-none-match': etag })).status === 200,
    'the etag changes with the list',
  );
});

test('threat 78: a vendor’s name is served as plain data, whatever it contains', async () => {
  const name = `<script>alert("1")</script> & Söns ’`;
  const given = { mode: 'test', name, number: '2222222222', bank: 'Wema Bank' } as const;
  assert.ok((await agreeOnSetting(foundation, { setting: 'vendor_added', vendor: given })).ok);
  const find = async () =>
    (await ask('test-vendors')).body.VendorList.find((v: { vendorName: string }) => v.vendorName === name);
  await eventually(async () => (await find()) !== undefined, 'listed');
});
