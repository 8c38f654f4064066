// Tests `next_action`: every unfinished state has a sentence about the next step, and the sentence says what is missing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TransactionException } from '../../domain/records/exceptions.ts';
import { BUY_STATES, SELL_STATES, type TransactionState } from '../../domain/records/states.ts';
import { nextAction } from './next-action.ts';

const LISTS = { buy: BUY_STATES, sell: SELL_STATES } as const;

test('every unfinished state has a next action in one sentence, and a finished state has none', () => {
  const over = ['completed', 'expired', 'cancelled', 'rejected', 'refunded'];
  for (const type of ['buy', 'sell'] as const) {
    for (const state of LISTS[type]) {
      for (const wallet of [null, {}]) {
        for (const receivedMinor of [0n, 1n]) {
          const action = nextAction({ type, state, wallet, receivedMinor, exception: null });
          if (over.includes(state)) assert.equal(action, null);
          else assert.match(action ?? '', /^[A-Z][^\n]+\.$/);
        }
      }
    }
  }
});

test('the next action depends on the money and the wallet that the transaction already has', () => {
  const say = (type: 'buy' | 'sell', state: TransactionState, wallet: unknown, receivedMinor: bigint) =>
    nextAction({ type, state, wallet, receivedMinor, exception: null }) ?? '';
  assert.doesNotMatch(say('buy', 'awaiting_wallet', null, 0n), /payment was found/);
  assert.match(say('buy', 'awaiting_wallet', null, 1n), /payment was found.*wallet/);
  assert.doesNotMatch(say('sell', 'awaiting_deposit', null, 0n), /part/);
  assert.match(say('sell', 'awaiting_deposit', null, 1n), /part.*rest/);
  assert.match(say('sell', 'payout_failed', null, 1n), /Set the wallet/);
  assert.doesNotMatch(say('sell', 'payout_failed', {}, 1n), /Set the wallet/);
  const over = { type: 'sell', state: 'completed', receivedMinor: 1n, exception: 'paid_over' } as const;
  assert.match(nextAction({ ...over, wallet: null }) ?? '', /to be returned.*wallet/);
  assert.equal(nextAction({ ...over, wallet: {} }), null);
  assert.equal(nextAction({ ...over, type: 'buy', wallet: null }), null);
});

test('for a transaction on hold that does not wait for a reviewer, the next action says what it waits for', () => {
  const say = (type: 'buy' | 'sell', wallet: unknown, exception: TransactionException | null) =>
    nextAction({ type, state: 'on_hold', wallet, receivedMinor: 1n, exception });
  const put = 'PUT /transactions/v1/{transaction_id}/wallet.';
  for (const [type, wallet, exception, action] of [
    ['buy', null, 'wallet_missing', `The payment was found. Set the wallet that receives the tokens: ${put}`],
    ['buy', {}, 'refund_decided', 'The payment is being returned.'],
    ['buy', null, 'refund_decided', 'The payment is being returned.'],
    ['sell', {}, 'refund_decided', 'The tokens are being returned to the wallet.'],
    ['sell', null, 'refund_decided', `Set the wallet that receives the returned tokens: ${put}`],
    ['buy', null, 'name_mismatch', 'Waiting for an operator to review the transaction.'],
    [
      'sell',
      {},
      'payout_returned',
      'The bank returned the payout. Send the operator the account to pay; the payout is repeated, or the tokens are returned.',
    ],
    ['buy', {}, 'payout_returned', 'Waiting for an operator to review the transaction.'],
    ['sell', {}, null, 'Waiting for an operator to review the transaction.'],
  ] as const) {
    assert.equal(say(type, wallet, exception), action);
  }
});

test('for a payout that the bank refused, the next action gives the approximate time, in Lagos time, until which we confirm the refusal', () => {
  const refused = {
    type: 'sell',
    state: 'paying_out',
    wallet: null,
    receivedMinor: 1n,
    exception: null,
  } as const;
  const said = (more: { readonly stateReason: string; readonly payoutSureAtMs?: number | null }) =>
    nextAction({ ...refused, ...more }) ?? '';
  const payoutSureAtMs = Date.parse('2026-11-17T13:20:30Z');
  assert.match(
    said({ stateReason: 'payout_refused', payoutSureAtMs }),
    /^The bank refused.*in another way or return the tokens, we wait to be sure.*, until about 14:20 in Lagos\.$/,
  );
  assert.match(
    said({ stateReason: 'payout_refused' }),
    /^The bank refused the payout\. Before we pay [^\d]+ we wait to be sure [^\d]+\.$/,
  );
  assert.match(said({ stateReason: 'payout_reserved' }), /^Waiting for the bank/);
});
