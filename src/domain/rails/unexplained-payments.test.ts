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

test('a payment is explained by a payout of ours that may pay, or has', () => {
  for (const state of ['prepared', 'accepted', 'unknown', 'landed'] as const)
    for (const standing of ['open', 'paid'] as const)
      assert.deepEqual(doubts([listed({ standing })], [own({ state })]), [], `${state} ${standing}`);
  // What the list does not say contradicts nothing.
  assert.deepEqual(doubts([listed({ amountMinor: null, accountNumber: null })], [own()]), []);
});

test('a payment that no payout of ours has, also one without a reference, and one that is only on its way', () => {
  assert.deepEqual(doubts([listed()], []), ['1 not_ours']);
  assert.deepEqual(doubts([listed({ reference: null })], [own()]), ['1 not_ours']);
  assert.deepEqual(doubts([listed({ standing: 'open' })], []), ['1 not_ours']);
  assert.deepEqual(doubts([listed({ reference: 'mov-b' })], [own()]), ['1 not_ours']);
});

test('what ended without money is no payment', () => {
  assert.deepEqual(doubts([listed({ standing: 'ended' })], []), []);
  assert.deepEqual(doubts([listed(), listed({ id: '2', standing: 'ended' })], [own()]), []);
});

test('by one kobo, or to another account', () => {
  assert.deepEqual(doubts([listed({ amountMinor: 5_001n })], [own()]), ['1 other_amount']);
  assert.deepEqual(doubts([listed({ accountNumber: '0123456786' })], [own()]), ['1 other_account']);
});

test('two payments under one reference: the first is ours, in whatever order they are listed', () => {
  const second = listed({ id: '2', atMs: 2_000 });
  assert.deepEqual(doubts([second, listed()], [own()]), ['2 paid_twice']);
  assert.deepEqual(comparePayments([second, listed()], [own()], new Map()).firsts, [
    { reference: 'mov-a', payment: '1' },
  ]);
});

test('the second payment is found although the first was seen long before, and is on the list no more', () => {
  const known = new Map([['mov-a', '1']]);
  assert.deepEqual(doubts([listed({ id: '2' })], [own()], known), ['2 paid_twice']);
  assert.deepEqual(doubts([listed()], [own()], known), []);
  assert.deepEqual(comparePayments([listed()], [own()], known).firsts, [], 'it is known already');
});

test('a payout that ended as not paid, and was paid: what was refused may still stand as open on a list that lags', () => {
  const cases: readonly (readonly [AttemptState, ListedPayment['standing'], readonly string[]])[] = [
    ['failed', 'paid', ['1 had_ended']],
    ['rejected', 'paid', ['1 had_ended']],
    ['dead', 'paid', ['1 had_ended']],
    ['failed', 'open', []],
    ['dead', 'open', ['1 had_ended']],
  ];
  for (const [state, standing, expected] of cases)
    assert.deepEqual(doubts([listed({ standing })], [own({ state })]), expected, `${state} ${standing}`);
  // Given again to the same rail under the same reference, which had not got it the first time.
  assert.deepEqual(doubts([listed()], [own({ state: 'dead' }), own({ state: 'unknown' })]), []);
});
