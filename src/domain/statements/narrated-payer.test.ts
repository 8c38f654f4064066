// The payer in narrations of many shapes: the bank's words, then the payer, then what the payer wrote.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findNarratedPayer } from './narrated-payer.ts';

const BANKS = ['KUDA', 'GTB', 'GTBANK', 'ACCESS BANK', 'OPAY'];
const isBank = (text: string) => BANKS.includes(text.toUpperCase());

test('the payer is read after the bank’s words, or beside a bank', () => {
  const rows: readonly [
    narration: string,
    name: string | null,
    account: string | null,
    bank: string | null,
  ][] = [
    ['NIP/KUDA/ADA OBI/RENT', 'ADA OBI', null, 'KUDA'],
    ['NIP CR/MOB/ADA OBI/GTB/SCHOOL RUN', 'ADA OBI', null, 'GTB'],
    ['NIP TRF FROM ADA OBI 9173724912/RENT', 'ADA OBI', '9173724912', null],
    ['TRF FROM ADA OBI|0123456789|GTB', 'ADA OBI', '0123456789', 'GTB'],
    ['Transfer from ADA OBI, GTBank, 0123456789', 'ADA OBI', '0123456789', 'GTBank'],
    ['TRANSFER FROM GTBANK/ADA OBI/0123456789/x', 'ADA OBI', '0123456789', 'GTBANK'],
    ['NIP TRANSFER FROM ADA OBI ACCESS BANK', 'ADA OBI', null, 'ACCESS BANK'],
    [
      'TRANSFER BETWEEN CUSTOMERS TRANSFER FROM ADA OBI LIMITED-ZIB-part payment',
      'ADA OBI LIMITED',
      null,
      null,
    ],
    ['TRF FROM ABDUL-RAHMAN MUSA-rent', 'ABDUL RAHMAN MUSA', null, null],
    ['FIP:MB:GTB/ADA OBI/GIFT', 'ADA OBI', null, 'GTB'],
    ['TNF-ADA OBI/feeding', 'ADA OBI', null, null],
    ['TRF FROM OBI, ADA CHIOMA TO ACME LTD', 'OBI ADA CHIOMA', null, null],
    ['x/7/ATM - ANY Account Transfer from ADA OBI to ACME', 'ADA OBI', null, null],
    ['/ORDP//NAME/ADA OBI/ACCT/0123456789/REMI/rent', 'ADA OBI', '0123456789', null],
  ];
  for (const [narration, name, account, bankName] of rows)
    assert.deepEqual(findNarratedPayer(narration, isBank), { name, account, bankName }, narration);
});

test('what a payer wrote is no payer, and doubt reads nothing', () => {
  for (const narration of [
    ...[
      '',
      'RENT FOR MAY',
      'POS PURCHASE LAGOS',
      'NIP/RENT PAYMENT/0123456789',
      'TRF FROM ADA',
      '0123456789',
    ],
    ...['payment for goods', 'SALARY/ADA OBI', 'NIP TRF FROM SCHOOL FEES'],
  ])
    assert.equal(findNarratedPayer(narration, isBank)?.name ?? null, null, narration);
  // A tag that stands twice, or behind /REMI/, may be the payer's.
  const twice = findNarratedPayer('/NAME/ADA OBI/ACCT/0123456789/ACCT/9999999999/REMI/x', isBank);
  assert.equal(twice?.account, null);
  const late = findNarratedPayer('/NAME/ADA OBI/REMI/x/ACCT/9999999999/', isBank);
  assert.deepEqual([late?.name, late?.account], ['ADA OBI', null]);
  // A number in the remark is not beside the payer.
  assert.equal(findNarratedPayer('NIP/KUDA/ADA OBI/RENT/0123456789', isBank)?.account, null);
  assert.equal(findNarratedPayer('TRF FROM ADA OBI TO 0123456789', isBank)?.account, null);
});

test('a hostile narration takes no longer than its length', () => {
  for (const text of [
    'A-'.repeat(50_000),
    'NIP/'.repeat(50_000),
    '('.repeat(100_000),
    'FROM '.repeat(50_000),
  ])
    assert.doesNotThrow(() => findNarratedPayer(text, isBank));
});
