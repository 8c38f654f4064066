import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AttemptState } from '../records/movement.ts';
import { comparePayments, type ListedPayment, type OwnPayout } from './unexplained-payments.ts';

const listed = (changes: Partial<ListedPayment> = {}): ListedPayment => ({
  ...{ id: '1', reference: 'mov-a', amountMinor: 5_000n, accountNumber: '0123456785' },
  ...{ standing: 'paid', atMs: 1_000, ...changes },
});
const own = (changes: Partial<OwnPayout> = {}): OwnPayout => ({
  ...{ reference: 'mov-a', state: 'landed', amountMinor: 5_000n, accountNumber: '0123456785', ...changes },
});
const doubts = (
  payments: readonly ListedPayment[],
  payouts: readonly OwnPayout[],
  known: ReadonlyMap<string, string> = new Map(),
) => comparePayments(payments, payouts, known).unexplained.map(({ payment, doubt }) => `${payment} ${doubt}`);

test('a payment is explained by a payout of ours that is open or paid', () => {
  for (const state of ['prepared', 'accepted', 'unknown', 'landed'] as const)
    for (const standing of ['open', 'paid'] as const)
      assert.deepEqual(doubts([listed({ standing })], [own({ state })]), [], `${state} ${standing}`);
  // A field that the rail's list omits does not contradict our payout.
  assert.deepEqual(doubts([listed({ amountMinor: null, accountNumber: null })], [own()]), []);
});

test('a payment without a payout of ours is unexplained, even if it has no reference or is still open', () => {
  assert.deepEqual(doubts([listed()], []), ['1 not_ours']);
  assert.deepEqual(doubts([listed({ reference: null })], [own()]), ['1 not_ours']);
  assert.deepEqual(doubts([listed({ standing: 'open' })], []), ['1 not_ours']);
  assert.deepEqual(doubts([listed({ reference: 'mov-b' })], [own()]), ['1 not_ours']);
});

test('a listed payment that failed and moved no money is ignored', () => {
  assert.deepEqual(doubts([listed({ standing: 'ended' })], []), []);
  assert.deepEqual(doubts([listed(), listed({ id: '2', standing: 'ended' })], [own()]), []);
});

test('a payment with another amount, even by one kobo, or to another account is unexplained', () => {
  assert.deepEqual(doubts([listed({ amountMinor: 5_001n })], [own()]), ['1 other_amount']);
  assert.deepEqual(doubts([listed({ accountNumber: '0123456786' })], [own()]), ['1 other_account']);
});

test('if two payments have the same reference, the first in time is ours, in any order of the list', () => {
  const second = listed({ id: '2', atMs: 2_000 });
  assert.deepEqual(doubts([second, listed()], [own()]), ['2 paid_twice']);
  assert.deepEqual(comparePayments([second, listed()], [own()], new Map()).firsts, [
    { reference: 'mov-a', payment: '1' },
  ]);
});

test('a second payment is found even if the first one is no longer in the list', () => {
  const known = new Map([['mov-a', '1']]);
  assert.deepEqual(doubts([listed({ id: '2' })], [own()], known), ['2 paid_twice']);
  assert.deepEqual(doubts([listed()], [own()], known), []);
  assert.deepEqual(comparePayments([listed()], [own()], known).firsts, [], 'it is known already');
});

test('a payment for a payout that ended unpaid is unexplained; a refused payout may still be shown as open in a list that lags', () => {
  const cases: readonly (readonly [AttemptState, ListedPayment['standing'], readonly string[]])[] = [
    ['failed', 'paid', ['1 had_ended']],
    ['rejected', 'paid', ['1 had_ended']],
    ['dead', 'paid', ['1 had_ended']],
    ['failed', 'open', []],
    ['dead', 'open', ['1 had_ended']],
  ];
  for (const [state, standing, expected] of cases)
    assert.deepEqual(doubts([listed({ standing })], [own({ state })]), expected, `${state} ${standing}`);
  // The payout was ordered again on the same rail under the same reference, because the first order did not reach the rail.
  assert.deepEqual(doubts([listed()], [own({ state: 'dead' }), own({ state: 'unknown' })]), []);
});
