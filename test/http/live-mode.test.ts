// Tests live mode before an operator has configured it. The service refuses creates with the reason, quotes no rate, and never
// uses simulated or sample data.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agreeOnSetting } from '../support/people/reviewers.ts';
import { buyBody, sellBody, startTestService } from '../support/service.ts';
import { WALLETS } from '../support/wallets.ts';
import { assertRefused, eventually, OFFRAMP, ONRAMP, storingNothing } from './helpers.ts';

const service = await startTestService();
const { business, foundation } = service;
const live = { key: business.liveKey };
const vendor = { vendor_name: 'Live Vendor', vendor_number: '1234567890', vendor_bank: 'Wema Bank' };

test('a live buy is refused because there is no bank rail, no network, and no sample vendor', async () => {
  const answer = await storingNothing(service, () => service.post(ONRAMP, buyBody(business), live));
  assertRefused(answer, 422, 'rail_not_enabled', [
    'type: rail_not_enabled',
    'vendor_number: vendor_unknown',
    'network: network_not_enabled',
  ]);
  assert.match(answer.body.message, /not enabled in live mode yet/);
});

test('a live buy with a live vendor is still refused, with every network and without a network', async () => {
  const given = { mode: 'live', name: 'Live Vendor', number: '1234567890', bank: 'Wema' } as const;
  assert.ok((await agreeOnSetting(foundation, { setting: 'vendor_added', vendor: given })).ok);
  const listed = async () =>
    (await service.get('/transactions/v1/vendors', live)).body.VendorList.length === 1;
  await eventually(listed, 'the live vendor is listed');
  for (const [network, address] of Object.entries(WALLETS)) {
    const body = buyBody(business, { ...vendor, network, wallet_address: address(1) });
    assertRefused(
      await storingNothing(service, () => service.post(ONRAMP, body, live)),
      422,
      'rail_not_enabled',
      ['type: rail_not_enabled', 'network: network_not_enabled'],
    );
  }
  const none = buyBody(business, { ...vendor, network: undefined, wallet_address: undefined });
  const answer = await storingNothing(service, () => service.post(ONRAMP, none, live));
  assertRefused(answer, 422, 'rail_not_enabled', ['type: rail_not_enabled']);
});

test('a live sell is refused because there is no rail for the payout and no network for the deposit', async () => {
  const plain = await storingNothing(service, () => service.post(OFFRAMP, sellBody(business), live));
  assertRefused(plain, 422, 'rail_not_enabled', ['type: rail_not_enabled', 'network: network_not_enabled']);
  const named = sellBody(business, { network: 'Solana', wallet_address: WALLETS.Solana!(1) });
  const answer = await storingNothing(service, () => service.post(OFFRAMP, named, live));
  assertRefused(answer, 422, 'rail_not_enabled', ['type: rail_not_enabled', 'network: network_not_enabled']);
});

test('live rates are unavailable and the live list is empty, while test mode works', async () => {
  for (const path of ['/rates/v1/usdc-ngnc', `${service.otcBaseUrl}/otc/buy`]) {
    assertRefused(await service.get(path, live), 503, 'rates_unavailable', []);
    assert.equal((await service.get(path)).status, 200);
  }
  assert.deepEqual((await service.get('/transactions/v1', live)).body.transactions, []);
  assert.equal((await service.post(ONRAMP, buyBody(business))).status, 200);
});

test('a live request is validated like any other, and then refused because live mode is not set up', async () => {
  assertRefused(await service.post(ONRAMP, '{', live), 400, 'invalid_json');
  assertRefused(await service.post(ONRAMP, {}, live), 400, 'required');
  const stranger = buyBody(business, { business_id: 'biz_x' });
  assertRefused(await service.post(ONRAMP, stranger, live), 403, 'business_mismatch');
});
