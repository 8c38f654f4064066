// Tests the reader of the subfields of :86:, as banks write them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMtNarration } from './fields.ts';

test('the narration contains only the subfields 20 to 29 and 60 to 63', () => {
  const { narration, payer } = readMtNarration(
    '166?19no?20from?21the?29first?30no?59no?60to the?63last?64no?10no',
  );
  assert.equal(narration, 'from\nthe\nfirst\nto the\nlast');
  assert.equal(payer, null);
});

test('the narration begins with the entry type of subfield 00, and text without subfields is kept unchanged', () => {
  assert.equal(readMtNarration('166?00TRANSFER?20rent of\n March').narration, 'TRANSFER rent of March');
  assert.deepEqual(readMtNarration('TRF FROM ADA?20'), { narration: 'TRF FROM ADA?20', payer: null });
});

const payerOf = (text: string) => readMtNarration(`166?20rent${text}`).payer;

test('the payer’s name is read from subfields 32 and 33, and the bank from subfield 30', () => {
  const payer = { name: 'ADA OBI', account: null, bankName: '058', from: 'field' };
  assert.deepEqual(payerOf('?30 058 ?32ADA ?33OBI'), payer);
  assert.deepEqual(payerOf('?32ADA'), { name: 'ADA', account: null, bankName: null, from: 'field' });
  assert.equal(payerOf('?30058'), null);
});

test('threat 111: no account is read from the text, because a payer could have written it', () => {
  assert.equal(payerOf('?310123456789'), null);
  assert.equal(payerOf('?30058?310123456789?32ADA')!.account, null);
});

test('threat 111: if a subfield is repeated or out of order, no payer is read', () => {
  assert.equal(payerOf('?32EVE?32ADA'), null);
  assert.equal(payerOf('?32EVE?21of March?32ADA'), null);
  assert.equal(readMtNarration('166?20rent?32EVE?21of March?32ADA').narration, 'rent\nof March');
});
