// Threats 13 and 14: which text fields are allowed, and how the service flags look-alike names. It also tests which fields are
// optional, and that the service reports all errors of a request together.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buyBody, sellBody } from '../support/service.ts';
import { sharedTestService } from '../support/sharing/shared-service.ts';
import { assertRefused, OFFRAMP, ONRAMP, storedTransaction, storingNothing } from './helpers.ts';

const service = await sharedTestService();
const { business } = service;

const BUY_FIELDS = {
  type: 'type: type_invalid',
  vendor_name: 'vendor_number: vendor_unknown',
  vendor_bank: 'vendor_number: vendor_unknown',
  vendor_number: 'vendor_number: vendor_unknown',
  bank_name: 'bank_name: text_invalid',
  account_number: 'account_number: account_number_invalid',
  account_name: 'account_name: text_invalid',
  network: 'network: network_unknown',
  wallet_address: 'wallet_address: wallet_invalid',
  reference: 'reference: reference_invalid',
} as const;
const SELL_FIELDS = {
  type: 'type: type_invalid',
  bank_name: 'bank_name: text_invalid',
  account_number: 'account_number: account_number_invalid',
  account_name: 'account_name: text_invalid',
} as const;

async function refusesEach(bad: (value: string) => string): Promise<void> {
  const routes = [
    [ONRAMP, buyBody(business, { account_name: 'Ada', reference: 'r' }), BUY_FIELDS],
    [OFFRAMP, sellBody(business), SELL_FIELDS],
  ] as const;
  for (const [path, body, fields] of routes) {
    for (const [field, error] of Object.entries(fields)) {
      const changed = { ...body, [field]: bad(String(body[field])) };
      const answer = await storingNothing(service, () => service.post(path, changed));
      assertRefused(answer, 422, error.split(': ')[1]!, [error]);
    }
    for (const field of ['business_id', 'link_tag']) {
      const changed = { ...body, [field]: bad(String(body[field])) };
      assertRefused(await service.post(path, changed), 403, 'business_mismatch', []);
    }
  }
}

test('threat 13: NUL in any field is refused before it reaches the database', async () => {
  await refusesEach((value) => `${value}\u0000`);
  await refusesEach((value) => `\u0000${value}`);
  await refusesEach(() => '\u0000');
});

test('threat 13: an unpaired surrogate in any field is refused', async () => {
  await refusesEach((value) => `${value}\ud800`);
  await refusesEach((value) => `\udc00${value}`);
});

test('threat 13: control characters in any field are refused', async () => {
  await refusesEach((value) => `${value}\u0007${value}`);
  await refusesEach((value) => `${value}\u009b${value}`);
});

test('threat 13: NUL in a path gets 404 for every method', async () => {
  const wallet = { network: 'Polygon', wallet_address: buyBody(business).wallet_address };
  for (const id of ['%00', 'txn_%00', `txn_${'0'.repeat(25)}%00`]) {
    assertRefused(await service.get(`/transactions/v1/${id}`), 404, 'not_found');
    assertRefused(await service.post(`/transactions/v1/${id}/cancel`, {}), 404, 'not_found');
    assertRefused(await service.put(`/transactions/v1/${id}/wallet`, wallet), 404, 'not_found');
  }
});

test('threat 14: names with look-alike, right-to-left or hidden letters are accepted, cleaned and flagged with a warning', async () => {
  for (const [name, shown, flags] of [
    ['Аdaeze Okafor', 'Аdaeze Okafor', ['mixed_script']],
    ['\u202eadazA\u202c Okafor', 'adazA Okafor', ['invisible_characters']],
    ['Ada\u200beze Okafor', 'Adaeze Okafor', ['invisible_characters']],
    ['محمد', 'محمد', ['non_latin']],
    ['Ａdaeze', 'Ａdaeze', ['compatibility_characters']],
    ['  Adaeze   Okafor ', 'Adaeze Okafor', []],
    ['Ọláṣẹ́hìndé', 'Ọláṣẹ́hìndé'.normalize('NFC'), []],
  ] as const) {
    for (const [path, body] of [
      [ONRAMP, buyBody(business, { account_name: name })],
      [OFFRAMP, sellBody(business, { account_name: name })],
    ] as const) {
      const answer = await service.post(path, body);
      assert.equal(answer.status, 200, name);
      assert.equal(answer.body.transaction.account_name, shown);
      const row = await storedTransaction(service, answer.body.transaction.transaction_id);
      assert.deepEqual([row.account_name, row.flags], [shown, flags]);
    }
  }
});

test('threat 14: a name that has only hidden letters, or is too long, is refused', async () => {
  const buy = (name: string) => service.post(ONRAMP, buyBody(business, { account_name: name }));
  assertRefused(await buy('\u200b\u2060'), 422, 'account_name_invalid', [
    'account_name: account_name_invalid',
  ]);
  assertRefused(await buy('  '), 422, 'text_invalid', ['account_name: text_invalid']);
  assertRefused(await buy('a'.repeat(141)), 422, 'too_long', ['account_name: too_long']);
  assert.equal((await buy('a'.repeat(140))).status, 200);
});

test('a wrong check digit and an unknown payer bank cause a warning, never a refusal', async () => {
  const flagsOf = async (changes: Record<string, unknown>) => {
    const answer = await service.post(ONRAMP, buyBody(business, changes));
    assert.equal(answer.status, 200);
    return (await storedTransaction(service, answer.body.transaction.transaction_id)).flags;
  };
  assert.deepEqual(await flagsOf({}), []);
  assert.deepEqual(await flagsOf({ account_number: '0123456786' }), ['check_digit']);
  assert.deepEqual(await flagsOf({ bank_name: 'Bank of Nowhere' }), ['bank_unknown']);
});

test('null counts as absent in an optional field, and as the wrong type in a required field', async () => {
  const optional = { account_name: null, network: null, wallet_address: null, reference: null };
  const answer = await service.post(ONRAMP, buyBody(business, optional));
  assert.equal(answer.status, 200);
  assert.equal(answer.body.transaction.state, 'awaiting_wallet');
  assert.equal(answer.body.transaction.account_name, null);
  assert.match(answer.body.transaction.reference, /^ref_[0-9a-z]{26}$/);
  const sell = await service.post(OFFRAMP, sellBody(business, { network: null, wallet_address: null }));
  assert.equal(sell.body.transaction.deposits.length, 4);
  for (const field of ['business_id', 'link_tag', 'type', 'vendor_name', 'bank_name', 'account_number']) {
    const refused = await service.post(ONRAMP, buyBody(business, { [field]: null }));
    assertRefused(refused, 400, 'wrong_type', [`${field}: wrong_type`]);
  }
});

test('exactly the required fields of a buy and of a sell are required', async () => {
  for (const [path, body, fields] of [
    [ONRAMP, buyBody(business), Object.keys(buyBody(business)).filter((f) => !/network|wallet/.test(f))],
    [OFFRAMP, sellBody(business), Object.keys(sellBody(business))],
  ] as const) {
    for (const field of fields) {
      const { [field]: _left, ...rest } = body;
      const answer = await storingNothing(service, () => service.post(path, rest));
      assertRefused(answer, 400, 'required', [`${field}: required`]);
    }
  }
});

test('all errors of a request are reported together; structure errors come before value errors', async () => {
  const values = { amount: 1, account_number: 'x', network: 'Base', type: 'buy', reference: 'no spaces' };
  assertRefused(await service.post(ONRAMP, buyBody(business, values)), 422, 'type_invalid', [
    'type: type_invalid',
    'amount: amount_below_minimum',
    'account_number: account_number_invalid',
    'network: network_unknown',
    'reference: reference_invalid',
  ]);
  const shape = await service.post(ONRAMP, buyBody(business, { ...values, bank_name: 7, reference: [] }));
  assertRefused(shape, 400, 'wrong_type', ['bank_name: wrong_type', 'reference: wrong_type']);
});

test('references must match their format', async () => {
  for (const reference of ['', ' ', 'a b', 'ä', 'a/b', 'a'.repeat(65), 'a\n', '#1']) {
    const answer = await service.post(ONRAMP, buyBody(business, { reference }));
    assertRefused(answer, 422, 'reference_invalid', ['reference: reference_invalid']);
  }
  for (const reference of ['a', '0', 'A-b_c.d:e', 'z'.repeat(64)]) {
    const answer = await service.post(ONRAMP, buyBody(business, { reference }));
    assert.deepEqual([answer.status, answer.body.transaction.reference], [200, reference]);
  }
});
