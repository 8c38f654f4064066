// Each spelling of a name means one bank. The bank directory normalises spellings, and the service refuses to start if two
// banks share a spelling.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Bank, isPayable, makeBankDirectory } from './banks.ts';

function bank(code: string, name: string, fields: Partial<Bank> = {}): Bank {
  const unset = { type: 'commercial', cbnCode: null, nipCode: '', paystackCode: null, aliases: [] };
  return { ...unset, status: 'active', payable: true, code, name, ...fields };
}

const cedar = bank('cedar', 'Cédar Bank', { cbnCode: '101', nipCode: '000050', aliases: ['CDR'] });
const palm = bank('palm', 'Palm Microfinance Bank', { nipCode: '090001', paystackCode: '102' });
const river = bank('river', 'River Bank of Nigeria', { cbnCode: '102', nipCode: '000101', aliases: ['RBN'] });
const directory = makeBankDirectory([cedar, palm, river]);

test('a bank is found regardless of case, accents, punctuation, spaces and legal suffixes', () => {
  const spellings = [
    'cedar bank',
    'CEDAR  BANK',
    'Cedarbank',
    'Cedar-Bank Plc.',
    'Cedar Bank P.L.C.',
    'cedar',
  ];
  for (const text of [
    ...spellings,
    'Cedar Bank Nigeria Limited',
    'Cédar Bank Nig. Ltd',
    'CDR',
    'C.D.R. Bank Plc',
  ]) {
    assert.equal(directory.resolve(text), cedar, text);
  }
  assert.equal(directory.resolve('Palm MFB'), palm);
  assert.equal(directory.resolve('palm micro-finance bank'), palm);
  assert.equal(directory.resolve('River Bank'), river);
});

test('an unknown name, an empty name and a name in another alphabet find no bank', () => {
  for (const text of [
    '',
    ' ',
    '-',
    'plc',
    'bank',
    'Cedar Trust',
    '__proto__',
    'сedar bank',
    'Cedarж Bank',
    '🏦',
  ]) {
    assert.equal(directory.resolve(text), undefined, text);
  }
});

test('a code finds a bank only if it belongs to exactly one bank', () => {
  assert.equal(directory.resolve('101'), cedar);
  assert.equal(directory.resolve(' 000050 '), cedar);
  assert.equal(directory.resolve('090001'), palm);
  // A provider uses this code for one bank, and the central bank uses the code for another bank.
  assert.equal(directory.resolve('102'), undefined);
  // This code is the transfer code of one bank and the account-number form of another bank's code.
  assert.equal(directory.resolve('000101'), undefined);
  assert.equal(directory.resolve('0-5-0'), undefined);
});

test('the directory refuses to start when two banks have the same spelling', () => {
  assert.throws(() => makeBankDirectory([cedar, bank('other', 'CEDAR BANK PLC')]), /cedar and other share/);
  assert.throws(() => makeBankDirectory([cedar, bank('other', 'Other', { aliases: ['cdr'] })]), /share/);
  assert.throws(() => makeBankDirectory([bank('a1', 'Apex'), bank('b1', 'Apex Bank')]), /share/);
  assert.throws(() => makeBankDirectory([bank('a1', '—')]), /not a usable name/);
});

test('search lists an exact match first, then names that begin with the text, then all others', () => {
  const oak = bank('oak', 'Oak Bank');
  const oakville = bank('oakville', 'Oakville');
  const royal = bank('royal', 'Royal Oak', { cbnCode: '777' });
  const trees = makeBankDirectory([royal, oakville, oak]);
  assert.deepEqual(trees.search('oak'), [oak, oakville, royal]);
  assert.deepEqual(trees.search('777'), [royal]);
  assert.deepEqual(trees.search(''), []);
  assert.deepEqual(trees.search('none'), []);
});

test('closed banks and the central bank cannot be paid; legacy codes still find their bank', () => {
  assert.equal(isPayable({ type: 'commercial', status: 'active' }), true);
  assert.equal(isPayable({ type: 'commercial', status: 'legacy' }), true);
  assert.equal(isPayable({ type: 'commercial', status: 'closed' }), false);
  assert.equal(isPayable({ type: 'central', status: 'active' }), false);
});
