// A bank account has one account in the ledger, whatever spelling of the bank is used.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadBankDirectory } from '../../adapters/catalogue/bank-directory.ts';
import { creditedBank } from './vendors.ts';

const directory = loadBankDirectory();
const [wema, gtb] = [directory.resolve('Wema Bank')!.code, directory.resolve('GTBank')!.code];
const vendor = (number: string, bankCode: string, active = true) => ({ number, bankCode, active });
const VENDORS = [
  ...[vendor('9900000028', wema), vendor('1111111111', wema, false)],
  ...[vendor('2222222222', wema), vendor('2222222222', gtb, false)],
  ...[vendor('3333333333', wema), vendor('3333333333', gtb)],
];

for (const [what, number, bankCode, expected] of [
  ['names no bank', '9900000028', null, wema],
  ['names the bank by its code', '9900000028', wema, wema],
  ['spells the bank in another way', '9900000028', 'WEMA BANK PLC', wema],
  ['names a bank that is not in the directory', '9900000028', 'Bank of Nowhere', wema],
  ['names another bank with an account of that number', '9900000028', 'GTBank', gtb],
  ['is on the account of a disabled vendor', '1111111111', null, wema],
  ['is on the account number of two vendors, one of them disabled', '2222222222', null, wema],
  ['is on the account number of two vendors', '3333333333', null, null],
  ['is on no vendor’s account and names no bank', '4444444444', null, null],
  ['is on no vendor’s account and spells its bank', '4444444444', 'wema bank', wema],
  ['is on no vendor’s account and names an unknown bank', '4444444444', 'Nowhere', 'Nowhere'],
] as const)
  test(`finds the bank of a credit that ${what}`, () => {
    assert.equal(creditedBank(VENDORS, directory, { number, bankCode }), expected);
  });
