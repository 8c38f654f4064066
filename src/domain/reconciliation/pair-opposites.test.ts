// Two differences cancel each other only if they belong together. Equal amounts alone may be a coincidence.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type BookItem,
  type Difference,
  makeAmountDifference,
  makeBalanceDifference,
  makeBookDifference,
  makeRowDifference,
  normaliseReference,
  type ReconciliationRow,
} from './items.ts';
import { pairOpposites } from './pair-opposites.ts';

const DAY = '2026-11-13';
const NAME = normaliseReference('mov-01k0000000');

const item = (given: Partial<BookItem> = {}): BookItem => ({
  ...{ id: '1', day: DAY, atMs: 1, event: 'payout_paid', subjectId: 'mov_1', amountMinor: -900n },
  ...{ days: [], rowIds: [], names: [NAME], sessions: [], ...given },
});
const row = (given: Partial<ReconciliationRow> = {}): ReconciliationRow => ({
  ...{ id: 'k/0', day: DAY, valueDay: null, amountMinor: -500n, narration: 'TRF', reference: null },
  ...{ sessionId: null, kind: 'payment', ...given },
});

function cancelled(...differences: readonly Difference[]) {
  const { pairs, open } = pairOpposites(differences, () => false);
  return [pairs.length, open.length];
}

test('an amount difference is cancelled only by a row with the missing amount that names the same transfer in any field', () => {
  const differed = makeAmountDifference(item(), row());
  const corrected = (given: Partial<ReconciliationRow>) =>
    cancelled(differed, makeRowDifference(row({ id: 'k/1', amountMinor: -400n, ...given })));
  assert.deepEqual(corrected({ narration: 'REST OF MOV-01K0000000' }), [1, 0]);
  assert.deepEqual(corrected({ reference: NAME }), [1, 0]);
  assert.deepEqual(corrected({ narration: 'something else' }), [0, 2]);
  assert.deepEqual(corrected({ reference: NAME, amountMinor: -399n }), [0, 2]);
});

test('an amount difference is cancelled only by an entry about the same subject', () => {
  const differed = makeAmountDifference(item(), row());
  const corrected = (subjectId: string) =>
    cancelled(differed, makeBookDifference(item({ id: '2', subjectId, amountMinor: 400n, names: [] })));
  assert.deepEqual(corrected('mov_1'), [1, 0]);
  assert.deepEqual(corrected('mov_2'), [0, 2]);
});

test('a debit is cancelled by a row that is marked as a reversal, and an opening balance by an entry that people book', () => {
  const [taken, given] = [row({ id: 'k/1' }), row({ id: 'k/2', amountMinor: 500n })];
  assert.deepEqual(cancelled(makeRowDifference(taken), makeRowDifference(given)), [0, 2]);
  assert.deepEqual(
    cancelled(makeRowDifference(taken), makeRowDifference({ ...given, kind: 'reversal' })),
    [1, 0],
  );
  const booked = (event: BookItem['event']) => makeBookDifference(item({ event, amountMinor: 700n }));
  assert.deepEqual(cancelled(makeBalanceDifference('opening', DAY, -700n), booked('float_funded')), [1, 0]);
  assert.deepEqual(
    cancelled(makeBalanceDifference('opening', DAY, -700n), booked('credit_received')),
    [0, 2],
  );
  assert.deepEqual(cancelled(makeBalanceDifference('balance', DAY, -700n), booked('float_funded')), [0, 2]);
});
