// Tests cases in which two rules apply: an invalid body with a known reference, a wallet that is our own deposit address, and
// the order in which the service reports errors.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SAMPLE_RATES } from '../../src/adapters/simulation/samples.ts';
import { changeSetting } from '../../src/app/back-office/change-setting.ts';
import { agreeOnSetting } from '../support/people/reviewers.ts';
import { buyBody, sellBody, startTestService } from '../support/service.ts';
import {
  assertRefused,
  countRows,
  eventually,
  OFFRAMP,
  ONRAMP,
  rawExchange,
  storingNothing,
} from './helpers.ts';

const service = await startTestService();
const { business, foundation } = service;

test('threat 28: a request with an invalid body does not count as a repeat of a valid one', async () => {
  const first = buyBody(business, { reference: 'kept' });
  assert.equal((await service.post(ONRAMP, first)).status, 200);
  for (const [change, code] of [
    [{ type: 'nonsense' }, 'type_invalid'],
    [{ account_name: '\u200b' }, 'account_name_invalid'],
    [{ account_name: 'a\u0000' }, 'text_invalid'],
    [{ bank_name: 'GT\u202eBank' }, 'text_invalid'],
  ] as const) {
    assertRefused(
      await storingNothing(service, () => service.post(ONRAMP, { ...first, ...change })),
      422,
      code,
    );
  }
});

test('threat 35: a deposit address of the service is refused as a wallet, for a buy, a sell or a refund', async () => {
  const sell = await service.post(OFFRAMP, sellBody(business));
  const { transaction } = sell.body;
  for (const { network, address } of transaction.deposits) {
    const wallet = { network, wallet_address: address };
    const asked = [
      () => service.post(ONRAMP, buyBody(business, wallet)),
      () => service.post(OFFRAMP, sellBody(business, wallet)),
      () => service.put(`/transactions/v1/${transaction.transaction_id}/wallet`, wallet),
    ];
    for (const ask of asked) {
      assertRefused(await storingNothing(service, ask), 422, 'wallet_forbidden', [
        'wallet_address: wallet_forbidden',
      ]);
    }
  }
});

test('threat 28: a cancel that changed nothing still uses up its key', async () => {
  const { body } = await service.post(ONRAMP, buyBody(business));
  const path = `/transactions/v1/${body.transaction.transaction_id}/cancel`;
  await service.post(path, {});
  const headers = { 'idempotency-key': 'late-cancel' };
  assert.equal((await service.post(path, {}, { headers })).status, 200);
  assertRefused(
    await service.post(ONRAMP, buyBody(business), { headers }),
    409,
    'idempotency_key_reused',
    [],
  );
});

test('threat 67: the id of another business is refused before the format of the Idempotency-Key is checked', async () => {
  const headers = { 'idempotency-key': 'a b' };
  const body = buyBody(business, { business_id: 'biz_x' });
  assertRefused(await service.post(ONRAMP, body, { headers }), 403, 'business_mismatch', []);
});

test('a refund wallet does not change the state_reason', async () => {
  const { body } = await service.post(OFFRAMP, sellBody(business));
  const path = `/transactions/v1/${body.transaction.transaction_id}`;
  await service.post(`${path}/cancel`, {});
  const wallet = { network: 'Polygon', wallet_address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' };
  const { transaction } = (await service.put(`${path}/wallet`, wallet)).body;
  assert.deepEqual([transaction.state, transaction.state_reason], ['cancelled', 'cancelled_by_business']);
});

test('an accepted buy gets its response, whatever the client sends after it on the connection', async () => {
  const body = JSON.stringify(buyBody(business, { reference: 'then-broken' }));
  const before = await countRows(service, 'transactions');
  const answer = await rawExchange(
    service.baseUrl,
    `POST ${ONRAMP} HTTP/1.1\r\nhost: x\r\nsvc-sec-key: ${business.testKey}\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}BROKEN\r\n\r\n`,
  );
  assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/);
  assert.equal(await countRows(service, 'transactions'), before + 1);
});

test('threat 60: an expired rate is quoted again only after it is set again, and a product only after all its rates are set', async () => {
  const set = async (prices: Record<string, string>, validForMs: number) => {
    const given = { mode: 'live', product: 'otc_buy', validForMs, override: false } as const;
    const priced = Object.entries(prices).map(([currency, price]) => ({ currency, price }));
    const request = { setting: 'rates_set', ...given, prices: priced } as const;
    const changed = await changeSetting(foundation, request, foundation);
    assert.ok(changed.ok, changed.ok ? '' : changed.error.message);
  };
  const spread = { mode: 'live', product: 'otc_buy', currency: null, tier: null, spreadBps: 0 } as const;
  assert.ok((await agreeOnSetting(foundation, { setting: 'spread_set', ...spread })).ok);
  const quoted = () => service.get(`${service.otcBaseUrl}/otc/buy`, { key: business.liveKey });
  await set(SAMPLE_RATES, 1);
  await eventually(async () => (await quoted()).status === 503, 'all are over');
  await set({ USD: '1400' }, 60_000);
  await eventually(async () => !/USD/.test((await quoted()).body.message), 'the dollar is back');
  assert.match(
    (await quoted()).body.message,
    /GBP, EUR, TRY, CNY, CHF, CAD, AED, KES/,
    'and the others are not',
  );
  await set(SAMPLE_RATES, 60_000);
  await eventually(async () => (await quoted()).status === 200, 'all are back');
});

test('renaming a vendor applies the same rules as adding it', async () => {
  const vendor = (await foundation.backOffice.listVendors())[0]!;
  const rename = (name: string) =>
    changeSetting(foundation, { setting: 'vendor_renamed', vendorId: vendor.id, name }, foundation);
  assert.equal((await rename('a\u0007')).ok, false);
  assert.equal((await rename('  Padded  ')).ok, true);
  const renamed = (await foundation.backOffice.listVendors()).find(({ id }) => id === vendor.id);
  assert.equal(renamed?.name, 'Padded');
});
