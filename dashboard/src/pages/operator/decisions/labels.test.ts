// Tests the labels of buttons that move money. A label shows the amount that will be posted, never the amount of the record.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Subject } from '../../../api/console-types.ts';
import { actionLabel } from './labels.ts';

const subject = (fields: object): Subject =>
  ({
    ...{ kind: 'transaction', id: 'txn_1', mode: 'live', state: 'on_hold', exception: null, why: null },
    ...{ amount: '82500.00', since: '2026-11-17T00:00:00Z', type: 'buy', movement_kind: 'refund', ...fields },
  }) as object as Subject;

test('the refund button of a short buy shows the received amount, and the button for a returned payout shows the amount without its fee', () => {
  assert.equal(actionLabel('refund', subject({}), '82400.00'), 'Refund ₦82,400.00');
  assert.equal(actionLabel('pay_again', subject({ type: 'sell' }), '82390.00'), 'Pay ₦82,390.00 again');
  assert.equal(actionLabel('split', subject({ kind: 'credit' }), '100.00'), 'Split ₦100.00');
});

test('a button shows no amount while the posted amount is unknown', () => {
  for (const action of ['refund', 'pay_again', 'split', 'match', 'write_off', 'release'] as const)
    for (const kind of ['transaction', 'credit', 'deposit', 'case', 'movement'] as const)
      assert.doesNotMatch(actionLabel(action, subject({ kind }), null), /\d/, `${action} ${kind}`);
});
