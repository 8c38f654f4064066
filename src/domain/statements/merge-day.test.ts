// Tests which rows of a second statement file are new, if the rows of a day have running balances. The tests with random files
// are in test/statements/overlaps.test.ts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DayRow, mergeDay, rowKey } from './merge-day.ts';
import type { StatementRow } from './row.ts';

function piece(...balances: readonly bigint[]): readonly DayRow[] {
  return balances.slice(1).map((balanceMinor, index) => {
    const amountMinor = balanceMinor - balances[index]!;
    const narration = `PAYMENT ${amountMinor}`;
    return { key: `${amountMinor} ${balanceMinor}`, amountMinor, balanceMinor, reference: null, narration };
  });
}
const PART = { isWhole: false, isOnePiece: true };
const added = (stored: readonly DayRow[], shown: readonly DayRow[]) => {
  const merged = mergeDay(stored, shown, PART);
  return merged.kind === 'merged' ? merged.add.map(({ index, ordinal }) => [index, ordinal]) : merged.kind;
};

test('a piece that continues the stored rows adds what comes after them, even rows that look like stored ones', () => {
  // The second file repeats the last stored row. Its last row has the same amount and balance as the second stored row.
  const stored = piece(100n, 150n, 120n, 170n, 140n);
  assert.deepEqual(added(stored, piece(170n, 140n, 150n, 120n)), [
    [1, 1],
    [2, 2],
  ]);
});

test('a piece before the stored rows adds what comes before them', () => {
  assert.deepEqual(added(piece(200n, 260n), piece(100n, 200n, 260n)), [[0, 1]]);
});

test('a piece that touches both ends of the stored rows is not placed at one of them: a row that is stored is not added', () => {
  // The first row of the second file may be the last stored row, and its last row may be the first stored row.
  const stored = piece(100n, 150n, 100n, 130n);
  assert.deepEqual(added(stored, piece(100n, 130n, 100n, 150n)), [[1, 1]]);
});

// Tests which rows of two statement files count as the same row.

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
