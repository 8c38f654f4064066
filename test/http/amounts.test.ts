// Threats 1 to 6 and 15: the service reads amounts digit by digit from the text of the body, and rounds nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buyBody, sellBody } from '../support/service.ts';
import { sharedTestService } from '../support/sharing/shared-service.ts';
import {
  assertRefused,
  buyText,
  countRows,
  OFFRAMP,
  ONRAMP,
  storedTransaction,
  storingNothing,
} from './helpers.ts';

const service = await sharedTestService();
const { business } = service;

async function refuses(amountText: string, status: number, code: string): Promise<void> {
  const answer = await storingNothing(service, () => service.post(ONRAMP, buyText(business, amountText)));
  assertRefused(answer, status, code);
}

test('threat 1: an amount that equals the minimum only as a floating-point number is below the minimum', async () => {
  for (const amount of ['14999.9999999999999999', '14999.999', '14999.99999999999999999999999999999999']) {
    await refuses(amount, 422, 'amount_below_minimum');
  }
});

test('threat 2: 14999.99 is refused; 15000, 15000.0 and 15000.00 are accepted and stored as the same amount', async () => {
  await refuses('14999.99', 422, 'amount_below_minimum');
  for (const amount of ['15000', '15000.0', '15000.00']) {
    const answer = await service.post(ONRAMP, buyText(business, amount));
    assert.equal(answer.status, 200, amount);
    assert.equal(answer.body.transaction.amount, 15000);
    const row = await storedTransaction(service, answer.body.transaction.transaction_id);
    assert.equal(row.amount_minor, '1500000');
  }
});

test('threat 2: kobo amounts are stored exactly, up to the maximum', async () => {
  for (const [amount, minor] of [
    ['15000.01', '1500001'],
    ['15000.1', '1500010'],
    ['999999999.99', '99999999999'],
    ['1000000000', '100000000000'],
    ['1000000000.00', '100000000000'],
  ] as const) {
    const answer = await service.post(ONRAMP, buyText(business, amount));
    assert.equal(answer.status, 200, amount);
    assert.equal(answer.body.transaction.amount, Number(amount));
    assert.equal(answer.body.transaction.net_amount, Number(amount));
    const row = await storedTransaction(service, answer.body.transaction.transaction_id);
    assert.equal(row.amount_minor, minor);
  }
});

test('threat 3: an amount with more than two decimals is refused and never rounded, even if the extra decimals are zeros', async () => {
  for (const amount of ['15000.001', '15000.000', '15000.0000000000000000001', '20000.999']) {
    await refuses(amount, 422, 'amount_too_precise');
  }
});

test('threat 4: amounts with an exponent are refused, even harmless ones', async () => {
  for (const amount of ['1e21', '1e4', '1E5', '1.5e4', '1.5E+4', '1500000e-2', '1E400', '-1e4', '0e0']) {
    await refuses(amount, 422, 'amount_malformed');
  }
});

test('threat 4: zero, minus zero and negative amounts are below the minimum', async () => {
  for (const amount of ['0', '-0', '-0.0', '-1', '-15000', '0.01', '-99999999999999999999999']) {
    await refuses(amount, 422, 'amount_below_minimum');
  }
});

test('threat 4: NaN, Infinity and other values that JSON has no number for are refused as invalid JSON', async () => {
  for (const amount of [
    'NaN',
    'Infinity',
    '-Infinity',
    '+15000',
    '015000',
    '.5',
    '15000.',
    '0x3A98',
    '15_000',
  ]) {
    await refuses(amount, 400, 'invalid_json');
  }
});

test('threat 4: amounts above the maximum are refused, one kobo above it or with any number of digits', async () => {
  for (const amount of [
    '1000000000.01',
    '1000000000.001',
    '1000000001',
    '9007199254740993',
    '9'.repeat(21),
    '1'.padEnd(5_000, '0'),
  ]) {
    await refuses(amount, 422, 'amount_above_maximum');
  }
});

test('threat 5: an amount in quotes is refused, and the error explains why', async () => {
  for (const amount of ['"15000"', '""', '"15000.00"', '"a lot"']) {
    const answer = await storingNothing(service, () => service.post(ONRAMP, buyText(business, amount)));
    assertRefused(answer, 400, 'amount_not_a_number', ['amount: amount_not_a_number']);
    assert.match(answer.body.message, /must be a JSON number, without quotes/);
  }
  for (const amount of ['true', 'null', '[]', '{}', '[15000]']) {
    await refuses(amount, 400, 'amount_not_a_number');
  }
});

test('threat 5: a sell parses its amount the same way, with its own minimum and maximum', async () => {
  const sell = (amountText: string) =>
    service.post(
      OFFRAMP,
      JSON.stringify(sellBody(business, { amount: 424_242 })).replace('424242', amountText),
    );
  for (const [amount, status, code] of [
    ['999.99', 422, 'amount_below_minimum'],
    ['999.9999999999999999999', 422, 'amount_below_minimum'],
    ['1000.001', 422, 'amount_too_precise'],
    ['1e4', 422, 'amount_malformed'],
    ['1000000000.01', 422, 'amount_above_maximum'],
    ['"1000"', 400, 'amount_not_a_number'],
  ] as const) {
    assertRefused(await storingNothing(service, () => sell(amount)), status, code);
  }
  const accepted = await sell('1000.00');
  assert.equal(accepted.status, 200);
  assert.equal(accepted.body.transaction.deposits[0].expected_amount, 1000);
});

test('threat 1: only the top-level amount of the body counts, and not a nested one', async () => {
  const text = buyText(business, '14999.99').replace(/}$/, ',"extra":{"amount":15000},"x":[{"amount":1}]}');
  assertRefused(await service.post(ONRAMP, text), 422, 'amount_below_minimum');
});

test('threat 15: leading zeros of account numbers are kept, and an account number must be a string', async () => {
  const answer = await service.post(ONRAMP, buyBody(business, { account_number: '0000000017' }));
  assert.equal(answer.status, 200);
  assert.equal(answer.body.transaction.account_number, '0000000017');
  const row = await storedTransaction(service, answer.body.transaction.transaction_id);
  assert.equal(row.account_number, '0000000017');
  const before = await countRows(service, 'transactions');
  for (const account of [
    '123456789',
    '01234567890',
    ' 0123456789',
    '0123456789\n',
    '012345678x',
    '०१२३४५६७८९',
    '',
  ]) {
    const refused = await service.post(ONRAMP, buyBody(business, { account_number: account }));
    assertRefused(refused, 422, 'account_number_invalid', ['account_number: account_number_invalid']);
  }
  const asNumber = await service.post(ONRAMP, buyBody(business, { account_number: 123456789 }));
  assertRefused(asNumber, 400, 'wrong_type', ['account_number: wrong_type']);
  assert.equal(await countRows(service, 'transactions'), before);
});
