// Tests Monnify's validation request before a payout: its caller, its content, and unreadable requests.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import type { RailQuestion } from '../../../ports/rails/rail.ts';
import { DEFAULT_VALIDATION, type ValidationSettings } from './settings.ts';
import { makeMonnifyValidation } from './validation.ts';

const SECRET = 'a-secret-key-of-monnify';
const ORDER = {
  reference: 'mov-01k9xyz0123456789abcdefgh',
  amount: 15250.5,
  currency: 'NGN',
  sourceAccountNumber: '8000000013',
  destinationAccountNumber: '0123456785',
  destinationBankCode: '058',
  requestedOn: 'now',
};
const READ = {
  reference: ORDER.reference,
  amountMinor: 15_250_50n,
  bankCode: 'guaranty-trust-bank',
  accountNumber: '0123456785',
};

const validation = (changes: Partial<ValidationSettings> = {}) =>
  makeMonnifyValidation({
    settings: { secretKey: () => SECRET, validation: { ...DEFAULT_VALIDATION, ...changes } },
    account: { bankCode: 'moniepoint-microfinance-bank', number: '8000000013' },
    bankOf: (code) => (code === '058' ? 'guaranty-trust-bank' : null),
  });

function question(content: unknown, changes: Partial<RailQuestion> = {}): RailQuestion {
  const body = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content));
  const signature = createHmac('sha512', SECRET).update(body).digest('hex');
  const headers = { 'monnify-signature': signature };
  return { body, headers, address: '35.242.133.146', pathKey: null, ...changes };
}

const read = (content: unknown, changes?: Partial<RailQuestion>, settings?: Partial<ValidationSettings>) =>
  validation(settings).read(question(content, changes));

test('the signature is the HMAC-SHA512 of the body bytes', () => {
  assert.deepEqual(read(ORDER), { kind: 'asked', orders: [READ] });
  const upper = question(ORDER);
  const headers = { 'monnify-signature': String(upper.headers['monnify-signature']).toUpperCase() };
  assert.equal(validation().read({ ...upper, headers }).kind, 'asked');
});

test('a request without the right signature is forged', () => {
  const { body, headers } = question(ORDER);
  const signature = String(headers['monnify-signature']);
  const other = createHmac('sha512', 'another-key').update(body).digest('hex');
  const plain = createHmac('sha256', SECRET).update(body).digest('hex');
  for (const wrong of [
    undefined,
    '',
    other,
    plain,
    signature.slice(0, -1),
    `${signature}0`,
    'é'.repeat(64),
    [signature],
  ])
    assert.equal(
      validation().read({ ...question(ORDER), headers: { 'monnify-signature': wrong } }).kind,
      'forged',
    );
  const changed = Buffer.from(body.toString().replace('15250.5', '15250.6'));
  assert.equal(validation().read({ ...question(ORDER), body: changed }).kind, 'forged');
});

test('a request from an address that is not listed is forged, even with a valid signature', () => {
  const addresses = new Set(['35.242.133.146']);
  assert.equal(read(ORDER, {}, { addresses }).kind, 'asked');
  assert.equal(read(ORDER, { address: '192.0.2.1' }, { addresses }).kind, 'forged');
});

test('if a path key is set, it replaces the signature; if none is set, a key in the path is ignored', () => {
  const key = `whsec_${'k'.repeat(32)}`;
  const settings = { addresses: new Set(['35.242.133.146']), pathKey: () => key };
  assert.equal(read(ORDER, { pathKey: key, headers: {} }, settings).kind, 'asked');
  for (const pathKey of [null, `${key}k`, key.slice(1), ''])
    assert.equal(read(ORDER, { pathKey }, settings).kind, 'forged', String(pathKey));
  assert.equal(read(ORDER, { pathKey: key, address: '192.0.2.1' }, settings).kind, 'forged');
  assert.equal(read(ORDER, { pathKey: key }).kind, 'forged', 'no path key is set');
});

test('amounts are read as exact kobo from the text of the number', () => {
  for (const [amount, minor] of [
    ['15250.50', 1_525_050n],
    ['0.01', 1n],
    ['90071992547409.91', 9_007_199_254_740_991n],
    ['"15250.50"', 1_525_050n],
  ] as const) {
    const asked = read(JSON.stringify(ORDER).replace('15250.5', amount));
    assert.ok(asked.kind === 'asked' && asked.orders[0]!.amountMinor === minor, amount);
  }
  for (const amount of ['15250.501', '1.52505e4', '-1', '0', 'null', '"much"'])
    assert.equal(read(JSON.stringify(ORDER).replace('15250.5', amount)).kind, 'unreadable', amount);
});

test('a request in an unknown format is unreadable, and the reason names the missing field', () => {
  for (const field of ['reference', 'amount', 'destinationAccountNumber', 'destinationBankCode']) {
    const { [field as keyof typeof ORDER]: _left, ...rest } = ORDER;
    const asked = read(rest);
    assert.ok(asked.kind === 'unreadable' && asked.why.includes(field), field);
  }
  for (const wrong of [
    '',
    '[]',
    '"x"',
    'null',
    '{"a":',
    { ...ORDER, destinationAccountNumber: '123' },
    { ...ORDER, currency: 'USD' },
    { ...ORDER, reference: 'a b' },
    { transactionList: [] },
  ])
    assert.equal(read(wrong).kind, 'unreadable', JSON.stringify(wrong));
});

test('an unknown bank has no bank code, and an order from another wallet is `other_account`', () => {
  const asked = read({ ...ORDER, destinationBankCode: '999' });
  assert.ok(asked.kind === 'asked' && asked.orders[0]!.bankCode === null);
  assert.equal(read({ ...ORDER, sourceAccountNumber: '8000000014' }).kind, 'other_account');
  const { sourceAccountNumber: _source, ...rest } = ORDER;
  assert.equal(read({ sourceAccountNumber: '8000000014', transactionList: [rest] }).kind, 'other_account');
  assert.equal(read(rest).kind, 'asked');
  // If one order in a batch has another source account, the whole request counts as a request about another account. This holds
  // at any position, even if the batch itself names the operator's account.
  const stranger = { ...ORDER, reference: 'mov-2', sourceAccountNumber: '8000000014' };
  for (const batch of [[stranger], [ORDER, stranger], [stranger, ORDER], [rest, stranger]]) {
    assert.equal(read({ transactionList: batch }).kind, 'other_account');
    const above = { sourceAccountNumber: ORDER.sourceAccountNumber, transactionList: batch };
    assert.equal(read(above).kind, 'other_account');
  }
  assert.equal(read({ ...ORDER, sourceAccountNumber: null }).kind, 'asked', 'it names none');
  assert.equal(read({ ...ORDER, sourceAccountNumber: 8000000014 }).kind, 'other_account');
});

test('every order of a batch is read', () => {
  const second = { ...ORDER, reference: 'mov-2' };
  const asked = read({ transactionList: [ORDER, second] });
  assert.deepEqual(asked, { kind: 'asked', orders: [READ, { ...READ, reference: 'mov-2' }] });
  assert.equal(read({ transactionList: [ORDER, { ...ORDER, amount: 'x' }] }).kind, 'unreadable');
});

test('the field names can be set, and the response is APPROVE or REJECT', () => {
  const renamed = { fields: { reference: 'ref', answer: 'decision' } };
  const asked = read({ ...ORDER, ref: 'mov-3' }, {}, renamed);
  assert.ok(asked.kind === 'asked' && asked.orders[0]!.reference === 'mov-3');
  assert.deepEqual(validation(renamed).answer(true), { decision: 'APPROVE' });
  assert.deepEqual(validation().answer(false), { action: 'REJECT' });
});
