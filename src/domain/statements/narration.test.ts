// Tests how narrations are read. A narration mixes the payer's text with the bank's own text. So a number in a narration is
// never used as the payer's account, and no refund goes to it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { credit } from '../../../test/http/settlement-fixtures.ts';
import { makeCreditRefund } from '../settlement/refund.ts';
import { interpretRow } from './narration.ts';
import type { DirectedRow } from './row.ts';

const ROW: DirectedRow = {
  ...{ line: 1, column: 1, day: '2026-11-14', valueDay: null, atMs: null, amountMinor: 1_500_000n },
  ...{ lacks: null, isMinus: false, narration: '', balanceMinor: null, reference: null, payer: null },
  ...{ mark: null, isPending: false, directionBy: 'side' },
};
const isBank = (text: string) => text === 'KUDA';

test('threat 111: a number in a narration is never used as the payer’s account, so no refund is sent to it', () => {
  for (const narration of [
    'NIP/KUDA/ADA OBI/0123456789',
    'NIP/0123456789/KUDA/ADA OBI',
    'NIP TRF FROM ADA OBI 0123456789/RENT',
    'TRF FRM ADA OBI/REFUND TO 0123456789 KUDA',
    '0123456789',
  ]) {
    const { payerAccount, payerName, origins } = interpretRow({ ...ROW, narration }, isBank);
    assert.equal(payerAccount, null, narration);
    assert.equal(origins.account, null, narration);
    const paid = credit({ payerAccount, payerName, payerBankCode: 'kuda', narration });
    const facts = { id: 'mov_1', amountMinor: 1n, reason: 'late', transactionId: null, atMs: 0 };
    assert.equal(makeCreditRefund(paid, facts).destination, null, narration);
  }
  const payer = { name: 'ADA OBI', account: '0123456785', bankName: 'KUDA', from: 'field' } as const;
  const named = interpretRow({ ...ROW, narration: 'NIP/KUDA/ADA OBI/0123456789', payer }, isBank);
  assert.equal(named.payerAccount, '0123456785', 'what the bank says in a field of its own counts');
});

test('every fact about a payer keeps its origin: column, field or narration', () => {
  const narration = 'NIP TRF FROM ADA OBI 0123456789/RENT';
  const said = interpretRow({ ...ROW, narration }, isBank);
  assert.deepEqual(
    [said.payerName, said.payerAccount, said.narratedAccount, said.origins],
    ['ADA OBI', null, '0123456789', { name: 'narration', account: null, bankName: null, session: null }],
  );
  const session = '000013261118093000000000000042';
  const payer = { name: 'MUSA BELLO', account: '0123456785', bankName: null, from: 'column' } as const;
  const named = interpretRow(
    { ...ROW, narration, payer, session: { text: session, from: 'column' } },
    isBank,
  );
  assert.deepEqual(
    [named.payerName, named.payerAccount, named.payerBankName, named.sessionId, named.origins],
    [
      ...['MUSA BELLO', '0123456785', null, session],
      { name: 'column', account: 'column', bankName: null, session: 'column' },
    ],
  );
  const forged = session.replace('42', '43');
  const own = interpretRow({ ...ROW, narration: forged, session: { text: session, from: 'column' } }, isBank);
  assert.equal(own.sessionId, session, 'what the bank writes counts before what a payer can write');
  assert.equal(own.writtenSession, forged, 'the identity of the row is as it was before columns were read');
});
