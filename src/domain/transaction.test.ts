// Decisions on a transaction, without a database: what a wallet or a cancel does in each state.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ID_RANDOM_BYTES, makeId } from './ids.ts';
import { BUY_STATES, SELL_STATES, type State } from './states.ts';
import { applyChange, decide, type Transaction, type TransactionEvent } from './transaction.ts';

const WALLET = { network: 'Polygon', address: '0x1' };
const DEPOSIT = {
  network: 'Polygon',
  address: '0x2',
  memo: null,
  memoType: null,
  asset: 'NGNC',
  decimals: 6,
  expectedToken: 1n,
  confirmations: 1,
  expiresAtMs: 2,
};

function transaction(type: 'buy' | 'sell', state: State, changes: Partial<Transaction> = {}): Transaction {
  return {
    id: makeId('txn', 1, new Uint8Array(ID_RANDOM_BYTES)),
    businessId: 'biz_1',
    mode: 'test',
    type,
    reference: 'r',
    linkTag: 'acme',
    state,
    stateReason: null,
    version: 3,
    amountMinor: 1_500_000n,
    feeMinor: 0n,
    accountNumber: '0123456785',
    accountName: null,
    bankName: 'GTBank',
    bankCode: null,
    flags: [],
    vendor: null,
    wallet: null,
    deposits: type === 'sell' ? [DEPOSIT] : [],
    exception: null,
    createdAtMs: 1,
    updatedAtMs: 1,
    expiresAtMs: 2,
    ...changes,
  };
}
const given = (wallet = WALLET): TransactionEvent => ({
  kind: 'wallet_given',
  wallet,
  actor: 'key_1',
  atMs: 9,
});
const cancel: TransactionEvent = { kind: 'cancel_requested', actor: 'key_1', atMs: 9 };
const codeOf = (decision: ReturnType<typeof decide>) =>
  decision.kind === 'refused' ? decision.refusal.code : decision.kind;

test('a wallet moves a buy that waits for one, and no other', () => {
  for (const state of BUY_STATES) {
    const decision = decide(transaction('buy', state), given());
    assert.equal(codeOf(decision), state === 'awaiting_wallet' ? 'change' : 'state_conflict', state);
  }
  const before = transaction('buy', 'awaiting_wallet');
  const decision = decide(before, given());
  assert.ok(decision.kind === 'change');
  assert.deepEqual(decision.change.timeline, {
    from: 'awaiting_wallet',
    to: 'awaiting_payment',
    actor: 'key_1',
    reason: 'wallet given',
  });
  assert.equal(decision.change.version, 3);
  assert.deepEqual(applyChange(before, decision.change), {
    ...before,
    version: 4,
    state: 'awaiting_payment',
    stateReason: 'wallet given',
    wallet: WALLET,
    updatedAtMs: 9,
  });
});

test('a refund wallet is taken in every open state of a sell, and moves nothing', () => {
  for (const state of SELL_STATES) {
    const decision = decide(transaction('sell', state), given());
    const closed = state === 'completed' || state === 'refunded';
    assert.equal(codeOf(decision), closed ? 'state_conflict' : 'change', state);
    if (decision.kind === 'change') assert.equal(decision.change.state, state);
  }
  const elsewhere = decide(
    transaction('sell', 'awaiting_deposit'),
    given({ network: 'Solana', address: 'x' }),
  );
  assert.equal(codeOf(elsewhere), 'network_not_enabled');
});

test('a wallet is never replaced, in any state', () => {
  for (const [type, states] of [
    ['buy', BUY_STATES],
    ['sell', SELL_STATES],
  ] as const) {
    for (const state of states) {
      const held = transaction(type, state, { wallet: WALLET });
      assert.equal(codeOf(decide(held, given())), 'already_done', state);
      const other = { ...WALLET, address: '0x9' };
      assert.equal(codeOf(decide(held, given(other))), 'wallet_already_set', state);
      assert.equal(codeOf(decide(held, given({ ...WALLET, network: 'Avalanche' }))), 'wallet_already_set');
    }
  }
});

test('a cancel keeps the wallet, is done once, and is refused once money may have moved', () => {
  const held = transaction('buy', 'awaiting_payment', { wallet: WALLET });
  const decision = decide(held, cancel);
  assert.ok(decision.kind === 'change');
  assert.deepEqual([decision.change.state, decision.change.wallet], ['cancelled', WALLET]);
  assert.equal(codeOf(decide(transaction('sell', 'cancelled'), cancel)), 'already_done');
  for (const state of ['paid', 'on_hold', 'sending', 'completed', 'expired', 'refunded'] as const) {
    assert.equal(codeOf(decide(transaction('buy', state), cancel)), 'state_conflict', state);
  }
});
