// Tests the list of banks: every name finds its own bank, and banks that are often confused keep their own codes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadBankDirectory } from './bank-directory.ts';

const directory = loadBankDirectory();
const codeOf = (text: string) => directory.resolve(text)?.code;

test('every code, name and alias finds its own bank, with and without "Plc"', () => {
  assert.equal(directory.all.length, 58);
  for (const bank of directory.all) {
    for (const text of [bank.code, bank.name, ...bank.aliases]) {
      for (const spelling of [text, text.toUpperCase(), ` ${text.toLowerCase()} plc`]) {
        assert.equal(directory.resolve(spelling), bank, spelling);
      }
    }
  }
});

test('every row is valid, and each code is unique within its code scheme', () => {
  for (const bank of directory.all) {
    assert.match(bank.code, /^[a-z0-9]+(-[a-z0-9]+)*$/);
    assert.match(bank.nipCode, /^\d{6}$/);
    assert.match(bank.cbnCode ?? '000', /^(\d{3}|\d{5})$/);
    assert.match(bank.paystackCode ?? '000', /^\d+$/);
    assert.ok(['active', 'legacy', 'closed'].includes(bank.status));
  }
  for (const scheme of ['code', 'cbnCode', 'nipCode', 'paystackCode'] as const) {
    const codes = directory.all.map((bank) => bank[scheme]).filter((code) => code !== null);
    assert.equal(new Set(codes).size, codes.length, scheme);
  }
});

test('common spellings of bank names find the right bank', () => {
  const expected: Record<string, readonly string[]> = {
    'guaranty-trust-bank': [
      'GTBank',
      'GTB',
      'gt bank',
      'Guaranty Trust',
      'Guaranty Trust Bank Plc',
      'GTCO',
      '058',
    ],
    'united-bank-for-africa': ['UBA', 'U.B.A.', 'UBA Bank', 'United Bank for Africa Plc', '033', '000004'],
    'access-bank': ['Access Bank Plc', 'ACCESS BANK NIGERIA LIMITED', 'access', '044', '000014'],
    'access-bank-diamond': ['Diamond Bank', '063'],
    'first-bank-of-nigeria': ['First Bank', 'FirstBank Nigeria Ltd', 'First Bank of Nigeria Limited', 'FBN'],
    'first-city-monument-bank': ['FCMB', 'FCMB Bank', 'First City Monument Bank'],
    'wema-bank': ['ALAT by Wema', 'Wema'],
    'kuda-microfinance-bank': ['Kuda', 'Kuda Bank', 'Kuda MFB', 'KUDA MICROFINANCE BANK', '090267'],
    'moniepoint-microfinance-bank': ['Moniepoint', 'Moniepoint MFB', 'Monie Point Microfinance Bank'],
    '9psb': ['9PSB', '9 Payment Service Bank', '9mobile PSB'],
  };
  for (const [code, spellings] of Object.entries(expected)) {
    for (const text of spellings) assert.equal(codeOf(text), code, text);
  }
  assert.equal(codeOf('First'), undefined);
});

test('the wallets OPay and PalmPay, which other lists often confuse, keep their own codes', () => {
  const opay = directory.resolve('OPay');
  const palmpay = directory.resolve('PalmPay');
  assert.deepEqual([opay?.code, opay?.nipCode, opay?.paystackCode], ['opay', '100004', '999992']);
  assert.deepEqual([palmpay?.code, palmpay?.nipCode, palmpay?.paystackCode], ['palmpay', '100033', '999991']);
  assert.equal(codeOf('100004'), 'opay');
  // 999992 is one provider's own code and not a bank code.
  assert.equal(codeOf('999992'), undefined);
});

test('a code that means different banks in two code schemes finds no bank', () => {
  // Each of these codes is the NIP code of one bank. It is also the six-digit form of a different bank's central-bank code.
  for (const code of ['000010', '000011', '000023', '000030']) assert.equal(codeOf(code), undefined, code);
});

test('legacy banks are payable; closed banks and the central bank are not', () => {
  const unpayable = directory.all.filter((bank) => !bank.payable).map((bank) => bank.code);
  assert.deepEqual(unpayable, ['heritage-bank', 'central-bank-of-nigeria']);
  assert.equal(directory.resolve('Diamond Bank')?.status, 'legacy');
});
