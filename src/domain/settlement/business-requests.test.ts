// Tests requests of a business about a transaction, without a database: the effect of a wallet or a cancellation in each state.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BUY_STATES, SELL_STATES, type TransactionState } from '../records/states.ts';
import { INITIAL_TRANSACTION_FIELDS, type Transaction } from '../records/transaction.ts';
import { moveTransaction, postponeTransaction } from '../records/transaction-moves.ts';
import { ID_RANDOM_BYTES, makeId } from '../values/ids.ts';
import { type BusinessRequest, decideBusinessRequest } from './business-requests.ts';

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

function transaction(
  type: 'buy' | 'sell',
  state: TransactionState,
  changes: Partial<Transaction> = {},
): Transaction {
  return {
    ...INITIAL_TRANSACTION_FIELDS,
    id: makeId('txn', 1, new Uint8Array(ID_RANDOM_BYTES)),
    businessId: 'biz_1',
    mode: 'test',
    type,
    reference: 'r',
    linkTag: 'acme',
    state,
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
    quoteId: null,
    dueAtMs: 2,
    createdAtMs: 1,
    updatedAtMs: 1,
    expiresAtMs: 2,
    ...changes,
  };
}
const given = (wallet = WALLET): BusinessRequest => ({
  kind: 'wallet_given',
  wallet,
  actor: 'key_1',
  atMs: 9,
});
const cancel: BusinessRequest = { kind: 'cancel_requested', actor: 'key_1', atMs: 9 };
const codeOf = (decision: ReturnType<typeof decideBusinessRequest>) =>
  decision.kind === 'refused' ? decision.refusal.code : decision.kind;

test('setting a wallet moves a buy that waits for one; a buy on hold stores it, and every other state refuses it', () => {
  for (const state of BUY_STATES) {
    const decision = decideBusinessRequest(transaction('buy', state), given());
    const takes = state === 'awaiting_wallet' || state === 'on_hold';
    assert.equal(codeOf(decision), takes ? 'move' : 'state_conflict', state);
  }
  const before = transaction('buy', 'awaiting_wallet', { tries: 4 });
  const decision = decideBusinessRequest(before, given());
  assert.ok(decision.kind === 'move');
  assert.deepEqual(decision.move, {
    version: 3,
    after: {
      ...before,
      version: 4,
      state: 'awaiting_payment',
      stateReason: 'wallet_given',
      wallet: WALLET,
      tries: 0,
      updatedAtMs: 9,
    },
    line: {
      from: 'awaiting_wallet',
      to: 'awaiting_payment',
      actor: 'key_1',
      reason: 'wallet_given',
      evidence: null,
    },
  });
});

test('threat 19: setting a wallet moves a buy to paid only if the full payment was found, and the buy is then due at once', () => {
  for (const [receivedMinor, state, dueAtMs] of [
    [0n, 'awaiting_payment', 2],
    [1_499_999n, 'awaiting_payment', 2],
    [1_500_000n, 'paid', 9],
    [1_500_001n, 'paid', 9],
  ] as const) {
    const decision = decideBusinessRequest(transaction('buy', 'awaiting_wallet', { receivedMinor }), given());
    assert.ok(decision.kind === 'move');
    const { after, line } = decision.move;
    assert.deepEqual([after.state, line?.to, after.dueAtMs], [state, state, dueAtMs]);
    assert.equal(after.receivedMinor, receivedMinor);
  }
});

test('a buy on hold stores a wallet and stays on hold, unless only the wallet was missing', () => {
  for (const exception of ['name_mismatch', 'paid_partial', null] as const) {
    const held = transaction('buy', 'on_hold', { exception, receivedMinor: 1_500_000n, dueAtMs: null });
    const decision = decideBusinessRequest(held, given());
    assert.ok(decision.kind === 'move');
    assert.deepEqual(decision.move.after, { ...held, version: 4, wallet: WALLET, updatedAtMs: 9 });
  }
  const paid = { exception: 'wallet_missing', receivedMinor: 1_500_000n, dueAtMs: null } as const;
  const decision = decideBusinessRequest(transaction('buy', 'on_hold', paid), given());
  assert.ok(decision.kind === 'move');
  const { state, exception, wallet, dueAtMs } = decision.move.after;
  assert.deepEqual([state, exception, wallet, dueAtMs], ['paid', null, WALLET, 9]);
});

test('a refund wallet is accepted in every open state of a sell, and does not change the state', () => {
  for (const state of SELL_STATES) {
    const before = transaction('sell', state, { stateReason: 'as it was' });
    const decision = decideBusinessRequest(before, given());
    const closed = state === 'completed' || state === 'refunded';
    assert.equal(codeOf(decision), closed ? 'state_conflict' : 'move', state);
    if (decision.kind !== 'move') continue;
    const after = { ...before, version: 4, wallet: WALLET, updatedAtMs: 9 };
    assert.deepEqual(decision.move.after, after);
    assert.deepEqual([decision.move.line?.from, decision.move.line?.to], [state, state]);
  }
  const over = decideBusinessRequest(transaction('sell', 'completed', { exception: 'paid_over' }), given());
  assert.equal(codeOf(over), 'move', 'what came over the amount goes back to a wallet');
  const elsewhere = decideBusinessRequest(
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
      assert.equal(codeOf(decideBusinessRequest(held, given())), 'already_done', state);
      const other = { ...WALLET, address: '0x9' };
      assert.equal(codeOf(decideBusinessRequest(held, given(other))), 'wallet_already_set', state);
      assert.equal(
        codeOf(decideBusinessRequest(held, given({ ...WALLET, network: 'Avalanche' }))),
        'wallet_already_set',
      );
    }
  }
});

test('a cancelled transaction keeps its wallet, a repeated cancellation changes nothing, and a cancellation is refused once money may have moved', () => {
  const held = transaction('buy', 'awaiting_payment', { wallet: WALLET });
  const decision = decideBusinessRequest(held, cancel);
  assert.ok(decision.kind === 'move');
  const { after } = decision.move;
  assert.deepEqual([after.state, after.wallet, after.dueAtMs], ['cancelled', WALLET, null]);
  assert.equal(codeOf(decideBusinessRequest(transaction('sell', 'cancelled'), cancel)), 'already_done');
  for (const state of ['paid', 'on_hold', 'sending', 'completed', 'expired', 'refunded'] as const) {
    assert.equal(codeOf(decideBusinessRequest(transaction('buy', state), cancel)), 'state_conflict', state);
  }
});

test('a waiting transaction cannot be cancelled after money has arrived for it', () => {
  for (const [type, state] of [
    ['buy', 'awaiting_wallet'],
    ['buy', 'awaiting_payment'],
    ['sell', 'awaiting_deposit'],
  ] as const) {
    assert.equal(codeOf(decideBusinessRequest(transaction(type, state), cancel)), 'move');
    assert.equal(
      codeOf(decideBusinessRequest(transaction(type, state, { receivedMinor: 1n }), cancel)),
      'state_conflict',
    );
  }
});

test('a move that the table does not allow causes an error, and a move to the same state keeps the reason', () => {
  const facts = { actor: 'a', atMs: 9, reason: 'limit_day', dueAtMs: null } as const;
  assert.throws(
    () => moveTransaction(transaction('buy', 'awaiting_payment'), 'sending', facts),
    /cannot go from/,
  );
  assert.throws(() => moveTransaction(transaction('sell', 'completed'), 'refunded', facts), /cannot go from/);
  const paid = transaction('buy', 'paid', { stateReason: 'old' });
  assert.equal(moveTransaction(paid, 'paid', facts).after.stateReason, 'old');
  assert.equal(moveTransaction(paid, 'on_hold', facts).after.stateReason, 'limit_day');
});

test('postponing a transaction changes only its due time and its version', () => {
  const before = transaction('buy', 'paid', { tries: 3 });
  assert.deepEqual(postponeTransaction(before, 77), {
    version: 3,
    after: { ...before, version: 4, dueAtMs: 77 },
    line: null,
  });
});
