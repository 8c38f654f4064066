// Tests the response to a buy, field by field as the interface lists them, and threat 63: its calendar date is the date in
// Lagos.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeFacts } from '../support/database.ts';
import { buyBody, startTestService } from '../support/service.ts';
import { sharedTestService } from '../support/sharing/shared-service.ts';
import { assertRefused, ONRAMP, storingNothing } from './helpers.ts';

const service = await sharedTestService();
const { business, foundation } = service;
const INTERFACE_FIELDS = {
  transaction_id: 'string',
  business: 'object',
  type: 'string',
  reference: 'string',
  amount: 'number',
  link_account_name: 'string',
  link_account_number: 'string',
  link_bank_name: 'string',
  account_number: 'string',
  bank_name: 'string',
  link_tag: 'string',
  network: 'string',
  wallet_address: 'string',
  date_created: 'string',
};

const FIELDS = [
  ...['transaction_id', 'business', 'type', 'reference', 'quote_id', 'amount', 'link_account_name'],
  ...['link_account_number', 'link_bank_name', 'account_number', 'account_name', 'bank_name', 'link_tag'],
  ...['network', 'wallet_address', 'date_created', 'state', 'state_reason', 'state_message'],
  ...['next_action', 'exception', 'mode', 'fee', 'net_amount', 'received_amount'],
  ...['missing_amount', 'refunded_amount', 'tx_hash', 'explorer_url', 'warnings', 'created_at'],
  ...['updated_at', 'expires_at', 'refunds'],
];

test('the response has every field of the interface, with its type and value', async () => {
  const body = buyBody(business, {
    reference: 'INV-2026.11:14',
    account_name: 'Adaeze Okafor',
    amount: 15000.5,
  });
  const answer = await service.post(ONRAMP, body);
  assert.equal(answer.status, 200);
  assert.deepEqual(Object.keys(answer.body), ['status', 'message', 'transaction']);
  assert.deepEqual([answer.body.status, answer.body.message], ['success', 'Buy transaction accepted.']);
  const { transaction } = answer.body;
  for (const [field, type] of Object.entries(INTERFACE_FIELDS))
    assert.equal(typeof transaction[field], type, field);
  assert.deepEqual(Object.keys(transaction), FIELDS);
  const { transaction_id, date_created, created_at, updated_at, expires_at, next_action, ...rest } =
    transaction;
  assert.match(transaction_id, /^txn_[0-9a-hjkmnp-tv-z]{26}$/);
  assert.match(next_action, /^Waiting for the bank/);
  assert.deepEqual(rest, {
    business: { business_id: business.businessId },
    type: 'Buy',
    reference: 'INV-2026.11:14',
    quote_id: null,
    amount: 15000.5,
    link_account_name: 'Sandbox Vendor One',
    link_account_number: '9900000011',
    link_bank_name: 'Providus Bank',
    account_number: '0123456785',
    account_name: 'Adaeze Okafor',
    bank_name: 'GTBank',
    link_tag: business.linkTag,
    network: 'Polygon',
    wallet_address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    state: 'awaiting_payment',
    ...{ state_reason: 'accepted', state_message: 'The transaction was accepted.' },
    exception: null,
    mode: 'test',
    fee: 0,
    net_amount: 15000.5,
    ...{ received_amount: 0, missing_amount: 15000.5, refunded_amount: 0, refunds: [] },
    tx_hash: null,
    explorer_url: null,
    warnings: [],
  });
  for (const time of [created_at, updated_at, expires_at]) assert.equal(new Date(time).toISOString(), time);
  assert.equal(created_at, updated_at);
  assert.equal(Date.parse(expires_at) - Date.parse(created_at), 24 * 3_600_000);
  const lagos = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'Africa/Lagos' });
  assert.equal(date_created, lagos.format(new Date(created_at)));
});

test('threat 63: the date is the date in Lagos, before and after midnight there', async () => {
  const { transaction } = (await service.post(ONRAMP, buyBody(business))).body;
  for (const [at, date] of [
    ['2026-11-14T22:59:59.999Z', 'November 14, 2026'],
    ['2026-11-14T23:00:00.000Z', 'November 15, 2026'],
    ['2026-12-31T22:59:59.999Z', 'December 31, 2026'],
    ['2026-12-31T23:00:00.000Z', 'January 1, 2027'],
    ['2028-02-28T23:30:00.000Z', 'February 29, 2028'],
    ['2026-07-01T00:00:00.000Z', 'July 1, 2026'],
  ] as const) {
    await changeFacts(foundation.database, 'created_at = $2', [transaction.transaction_id, at]);
    const { body } = await service.get(`/transactions/v1/${transaction.transaction_id}`);
    assert.deepEqual([body.transaction.created_at, body.transaction.date_created], [at, date]);
  }
});

test('the type must be exactly buy_ramp', async () => {
  for (const type of ['Buy', 'buy', 'BUY_RAMP', 'sell_ramp', ' buy_ramp', '']) {
    const answer = await storingNothing(service, () => service.post(ONRAMP, buyBody(business, { type })));
    assertRefused(answer, 422, 'type_invalid', ['type: type_invalid']);
  }
});

test('the maximum amount and the expiry time of a buy can be configured', async () => {
  const other = await startTestService({ BUY_MAX: '20000.50', BUY_EXPIRY_HOURS: '1' });
  const ask = (amount: number) => other.post(ONRAMP, buyBody(other.business, { amount }));
  const above = await ask(20000.51);
  assertRefused(above, 422, 'amount_above_maximum', ['amount: amount_above_maximum']);
  assert.equal(above.body.message, 'amount is above the maximum of ₦20,000.50.');
  const { transaction } = (await ask(20000.5)).body;
  assert.equal(Date.parse(transaction.expires_at) - Date.parse(transaction.created_at), 3_600_000);
});
