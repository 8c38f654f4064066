import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Transaction } from '../../../api/console-types.ts';
import {
  actorWords,
  canCancel,
  elapsedText,
  evidenceOf,
  netLabel,
  payoutDisplay,
  stepKey,
  stepsOf,
  takesWallet,
  withoutPath,
} from './words.ts';

const BUY = {
  ...{
    transaction_id: 'txn_1',
    type: 'Buy',
    state: 'awaiting_payment',
    amount: 15_000,
    missing_amount: 15_000,
  },
  ...{ received_amount: 0, exception: null, wallet_address: '0x1', next_action: null },
  updated_at: '2026-11-14T09:30:00.000Z',
} as unknown as Transaction;

test('a step shows the time since the previous step', () => {
  assert.equal(elapsedText(undefined, '2026-11-14T09:30:00Z'), null);
  assert.equal(elapsedText('2026-11-14T09:30:00Z', '2026-11-14T09:30:12Z'), '12 s later');
  assert.equal(elapsedText('2026-11-14T09:30:00.000Z', '2026-11-14T09:30:00.400Z'), 'immediately');
});

test('the possible test steps depend on the missing amount', () => {
  assert.deepEqual(
    stepsOf(BUY).map(({ action, label, amount }) => [action, label, amount]),
    [
      ['pay', 'Pay ₦15,000.00', null],
      ['pay', 'Pay too little: ₦14,900.00', '14900.00'],
      ['pay', 'Pay too much: ₦15,100.00', '15100.00'],
    ],
  );
  const part: Transaction = { ...BUY, state: 'on_hold', missing_amount: 100.5 };
  assert.deepEqual(
    stepsOf(part).map(({ label }) => label),
    ['Pay the missing ₦100.50'],
  );
  const sell = { ...BUY, type: 'Sell', state: 'awaiting_deposit' } as Transaction;
  assert.equal(stepsOf(sell)[0]!.label, 'Send ₦15,000.00 in tokens');
  assert.equal(stepsOf({ ...BUY, state: 'completed', missing_amount: 0 })[0]!.action, 'reverse');
  assert.deepEqual(stepsOf({ ...BUY, state: 'sending', missing_amount: 0 }), []);
});

test('the same click in the same state has the same idempotency key', () => {
  const [step] = stepsOf(BUY);
  assert.equal(stepKey(step!, BUY), stepKey(step!, { ...BUY }));
  assert.notEqual(stepKey(step!, BUY), stepKey(step!, { ...BUY, updated_at: '2026-11-14T09:31:00.000Z' }));
  assert.match(stepKey(step!, BUY), /^[\x21-\x7e]{1,255}$/);
});

test('texts for people contain no API path and no key id', () => {
  const sentence = 'Set the wallet that receives the tokens: PUT /transactions/v1/{transaction_id}/wallet.';
  assert.equal(withoutPath(sentence), 'Set the wallet that receives the tokens.');
  assert.equal(withoutPath('The tokens are being sent.'), 'The tokens are being sent.');
  assert.equal(actorWords('key_01m'), 'by one of your keys');
  assert.equal(actorWords('bank'), 'by the bank');
  assert.equal(actorWords('settlement'), 'by the service');
  assert.deepEqual(evidenceOf({ tx_hash: '0x1', attempt: 2, more: { a: 1 } }), [
    ['Hash', '0x1'],
    ['Attempt', '2'],
    ['more', '{"a":1}'],
  ]);
  assert.deepEqual(evidenceOf(null), []);
});

test('the net amount is labelled as paid only after it is paid', () => {
  const named = (['paying_out', 'completed', 'refunded'] as const).map((state) =>
    netLabel({ type: 'Sell', state }),
  );
  assert.deepEqual(named, ['Amount to pay out', 'Paid out', 'Net amount']);
});

test('the wallet form and the cancel button appear only while these actions are possible', () => {
  assert.equal(canCancel(BUY), true);
  assert.equal(canCancel({ ...BUY, received_amount: 1 }), false);
  assert.equal(takesWallet(BUY), false);
  assert.equal(takesWallet({ ...BUY, wallet_address: null, state: 'awaiting_wallet' }), true);
});

test('a refused payout is shown as being confirmed with the bank; other unknown payouts keep their state', () => {
  const payout = { bank_reference: 'mov-1', state: 'unknown' } as const;
  assert.equal(payoutDisplay({ payout, state_reason: 'payout_refused' }).label, 'Confirming with the bank');
  assert.deepEqual(payoutDisplay({ payout, state_reason: 'payout_reserved' }), {});
  const done = { ...payout, state: 'done' } as const;
  assert.deepEqual(payoutDisplay({ payout: done, state_reason: 'payout_refused' }), {});
  assert.deepEqual(payoutDisplay({ state_reason: 'payout_refused' }), {});
});
