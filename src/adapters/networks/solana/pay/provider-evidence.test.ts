// Tests finding the payment that made a transaction fail, from the failed instruction that the chain reports.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExpectedChange, SolanaPayload } from './envelope.ts';
import { culpritsOf } from './provider-evidence.ts';

const payment = (change: string, opens = false): ExpectedChange => ({ account: 'account', change, opens });
const payloadOf = (...payments: readonly ExpectedChange[]): SolanaPayload => ({
  wire: '',
  blockhash: '',
  slot: '1',
  payments,
});
/** The error has the format of a status, in which the numbers are strings. */
const at = (index: number) => `{"InstructionError":["${index}",{"Custom":"17"}]}`;
const blamed = (payload: SolanaPayload, indexes: readonly number[]) =>
  indexes.map((index) => culpritsOf(payload, at(index))?.join());

test('a failed instruction is matched to its payment: the instructions that open accounts come first, then the transfers', () => {
  const paid = payloadOf(payment('5'), payment('6', true), payment('7', true), payment('8'));
  assert.deepEqual(blamed(paid, [3, 4, 5, 6, 7, 8]), ['1', '2', '0', '1', '2', '3']);
  assert.deepEqual(culpritsOf(paid, '{"InstructionError":[5,{"Custom":17}]}'), [0]);
});

test('two instructions are matched to each sweep, and one to an empty sweep', () => {
  const swept = payloadOf(payment('-5'), payment('0'), payment('-6'));
  assert.deepEqual(blamed(swept, [3, 4, 5, 6, 7]), ['0', '0', '1', '2', '2']);
});

test('a failure before or after the payment instructions, or outside of any instruction, is matched to no payment', () => {
  const paid = payloadOf(payment('5'), payment('6'));
  assert.deepEqual(blamed(paid, [0, 2, 5]), [undefined, undefined, undefined]);
  assert.equal(culpritsOf(paid, '"InsufficientFundsForFee"'), undefined);
});
