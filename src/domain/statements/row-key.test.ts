// Which rows are the same row in two files.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StatementRow } from './row.ts';
import { rowKey } from './row-key.ts';

const SESSION = '000013261102100000123456789012';
const ROW: StatementRow = {
  ...{ line: 2, column: 1, day: '2026-11-02', valueDay: null, atMs: null, amountMinor: 5_000n },
  ...{ narration: 'NIP/KUDA/ADA OBI', balanceMinor: null, reference: null, sessionId: null },
  ...{ writtenSession: null, narratedAccount: null },
  origins: { name: null, account: null, bankName: null, session: null },
  ...{ payerName: null, payerAccount: null, payerBankName: null, kind: 'payment', isPending: false },
  directionBy: 'side',
};
const keyOf = (changes: Partial<StatementRow>, account = '058:0123456789') =>
  rowKey(account, { ...ROW, ...changes });

test('rows with different session ids are different payments, even if everything else is equal', () => {
  const keys = [null, SESSION, SESSION.replace(/2$/, '3')].map((writtenSession) => keyOf({ writtenSession }));
  assert.equal(new Set(keys).size, 3);
});

test('a session id that is part of the narration changes nothing, because another file may not show it separately', () => {
  const narration = `NIP ${SESSION} ADA OBI`;
  assert.equal(keyOf({ narration, writtenSession: SESSION }), keyOf({ narration }));
  // Rows that were stored before columns of sessions were read must keep their key.
  assert.equal(keyOf({ sessionId: SESSION }), keyOf({}), 'a session id in a column of its own');
});

test('account, day, signed amount, balance and narration belong to the identity; spaces, case and line do not', () => {
  const others = [
    keyOf({ day: '2026-11-03' }),
    keyOf({ amountMinor: -5_000n }),
    keyOf({ balanceMinor: 1n }),
    keyOf({ narration: 'NIP/KUDA/ADA OBIE' }),
    keyOf({}, '058:0123456780'),
  ];
  assert.equal(new Set([keyOf({}), ...others]).size, 6);
  assert.equal(keyOf({ narration: 'nip / kuda\nADA  OBI', line: 9, reference: 'R1' }), keyOf({}));
});
