// Tests how a failed simulation becomes the reason why a payment waits.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PaymentPart } from './instructions.ts';
import { obstacleOf } from './prepare.ts';

const pay = (account: string, opens: boolean) => ({ kind: 'pay', account, opens }) as unknown as PaymentPart;
const sweep = { kind: 'sweep' } as unknown as PaymentPart;
const parts = [pay('a', true), pay('b', false)];
const notEnoughAt = (index: number | bigint, custom: number | bigint = 1) => ({
  InstructionError: [index, { Custom: custom }],
});

test('a failure to pay a fee, to pay rent or to open an account means that SOL is low', () => {
  for (const failure of [
    'InsufficientFundsForFee',
    { InsufficientFundsForRent: { account_index: 0 } },
    notEnoughAt(3n, 1n),
  ])
    assert.equal(obstacleOf(failure, parts).obstacle, 'native_low');
});

test('a transfer that fails for lack of tokens means that the treasury is low, unless it is a sweep', () => {
  assert.equal(obstacleOf(notEnoughAt(4), parts).obstacle, 'treasury_low');
  assert.equal(obstacleOf(notEnoughAt(3), [sweep]).obstacle, 'network_unreachable');
});

test('any other failure counts as temporary, and its text is shown', () => {
  for (const failure of ['AccountInUse', notEnoughAt(4, 17n), notEnoughAt(4, 10)]) {
    const { obstacle, detail } = obstacleOf(failure, parts);
    assert.equal(obstacle, 'network_unreachable');
    assert.match(detail, /AccountInUse|Custom/);
  }
});
