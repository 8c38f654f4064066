// Threat 30 after the rules have changed: a repeat of an accepted request gets the same response, even if the service would now
// refuse a new request like it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeSetting } from '../../src/app/back-office/change-setting.ts';
import { buyBody, sellBody, startTestService } from '../support/service.ts';
import { assertRefused, eventually, OFFRAMP, ONRAMP, startAnother, storingNothing } from './helpers.ts';

const service = await startTestService();
const { business, foundation } = service;

async function switchVendor(number: string, active: boolean): Promise<void> {
  const vendor = (await foundation.backOffice.listVendors()).find((each) => each.number === number)!;
  const setting = active ? 'vendor_enabled' : 'vendor_disabled';
  const changed = await changeSetting(foundation, { setting, vendorId: vendor.id }, foundation);
  assert.ok(changed.ok);
  await eventually(async () => {
    const { VendorList } = (await service.get('/transactions/v1/vendors')).body;
    return VendorList.some((each: { vendorNumber: string }) => each.vendorNumber === number) === active;
  }, 'the vendor list to change');
}

test('threat 30: a retry after its vendor was removed finds the transaction, by reference and by key', async () => {
  const named = buyBody(business, { reference: 'before-the-change' });
  const keyed = { body: buyBody(business), headers: { 'idempotency-key': 'before-the-change' } };
  const first = await service.post(ONRAMP, named);
  const second = await service.post(ONRAMP, keyed.body, { headers: keyed.headers });
  await switchVendor('9900000011', false);
  try {
    for (const [answer, again] of [
      [first, await storingNothing(service, () => service.post(ONRAMP, named))],
      [second, await service.post(ONRAMP, keyed.body, { headers: keyed.headers })],
    ] as const) {
      assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [200, 'true']);
      assert.deepEqual(again.body.transaction, answer.body.transaction);
    }
    const changed = { ...named, amount: 16000 };
    assertRefused(await service.post(ONRAMP, changed), 422, 'vendor_unknown', [
      'vendor_number: vendor_unknown',
    ]);
    const fresh = buyBody(business, { reference: 'after-the-change' });
    assertRefused(await service.post(ONRAMP, fresh), 422, 'vendor_unknown', [
      'vendor_number: vendor_unknown',
    ]);
  } finally {
    await switchVendor('9900000011', true);
  }
});

test('threat 30: a retry after the maximum was lowered finds the transaction', async () => {
  const buy = buyBody(business, { reference: 'large-buy', amount: 90000 });
  const sell = sellBody(business, { reference: 'large-sell', amount: 90000 });
  const [bought, sold] = [await service.post(ONRAMP, buy), await service.post(OFFRAMP, sell)];
  const { baseUrl } = await startAnother(service, { BUY_MAX: '20000', SELL_MAX: '20000' });
  for (const [path, body, answer] of [
    [ONRAMP, buy, bought],
    [OFFRAMP, sell, sold],
  ] as const) {
    const again = await service.post(`${baseUrl}${path}`, body);
    assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [200, 'true']);
    assert.deepEqual(again.body.transaction, answer.body.transaction);
    const fresh = await service.post(`${baseUrl}${path}`, { ...body, reference: `new-${body.reference}` });
    assertRefused(fresh, 422, 'amount_above_maximum', ['amount: amount_above_maximum']);
  }
});
