// Tests that the deposits of a sell are counted exactly: fractions of a kobo in several transfers add up, and no token is lost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Change } from '../records/change.ts';
import type { Deposit } from '../records/deposit.ts';
import { INITIAL_TRANSACTION_FIELDS, type Transaction } from '../records/transaction.ts';
import type { Policy } from './policy.ts';
import { settleFinalDeposit } from './sell.ts';

const DECIMALS = 7;
const ASSET = 'TOKEN@Net';
const POLICY = { lateDeposit: 'refund', depositGraceMs: 1_000 } as Policy;

function sell(amountMinor: bigint): Transaction {
  return {
    ...INITIAL_TRANSACTION_FIELDS,
    id: 'txn_1',
    type: 'sell',
    mode: 'test',
    state: 'awaiting_deposit',
    amountMinor,
    feeMinor: 0n,
    wallet: { network: 'Net', address: 'home' },
    expiresAtMs: 9_000,
  } as Transaction;
}

function deposit(id: string, amountMinor: bigint): Deposit {
  const at = { mode: 'test', network: 'Net', asset: ASSET, txHash: `hash ${id}`, txIndex: 0 } as const;
  return {
    ...at,
    id,
    amountMinor,
    transactionId: 'txn_1',
    state: 'seen',
    exception: null,
    version: 1,
  } as Deposit;
}

function arrive(amountMinor: bigint, transfers: readonly bigint[]) {
  let transaction = sell(amountMinor);
  const waiting: Deposit[] = [];
  const balances = new Map<string, bigint>();
  let returnedTokens = 0n;
  for (const [index, tokens] of transfers.entries()) {
    const change: Change = settleFinalDeposit(transaction, {
      deposit: deposit(`dep_${index}`, tokens),
      decimals: DECIMALS,
      waiting: waiting.map((each) => ({ deposit: each, decimals: DECIMALS })),
      policy: POLICY,
      atMs: 1,
      nextDueMs: 2,
      newRefundId: `mov_${index}`,
    });
    for (const { postings } of change.entries ?? []) {
      for (const { account, amountMinor: posted } of postings)
        balances.set(account, (balances.get(account) ?? 0n) + posted);
    }
    for (const { after } of change.deposits ?? []) if (after.state === 'suspense') waiting.push(after);
    for (const movement of change.newMovements ?? []) returnedTokens += movement.amountMinor;
    transaction = change.transactions?.[0]?.after ?? transaction;
  }
  const of = (name: string) => balances.get(`test/${ASSET}/${name}`) ?? 0n;
  return { transaction, of, returnedTokens };
}

test('threat 52: half a kobo in each of two transfers adds up to a whole kobo', () => {
  const { transaction, of } = arrive(31_345n, [1_567_250_000n, 1_567_250_000n]);
  assert.equal(transaction.state, 'deposited');
  assert.equal(of('received'), -3_134_500_000n);
  assert.equal(of('dust') + of('suspense'), 0n);
});

test('threat 7: no matter how the tokens are split, each token is received, returned, in suspense or dust', () => {
  const transfers = fc.array(fc.bigInt({ min: 1n, max: 5_000_000n }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 200n }), transfers, (amountMinor, tokens) => {
      const { transaction, of, returnedTokens } = arrive(amountMinor, tokens);
      const total = tokens.reduce((sum, each) => sum + each, 0n);
      assert.equal(of('treasury'), total);
      assert.equal(-(of('received') + of('suspense') + of('refunds_due') + of('dust')), total);
      assert.equal(-of('refunds_due'), returnedTokens);
      for (const name of ['received', 'suspense', 'refunds_due', 'dust']) assert.ok(of(name) <= 0n, name);
      if (transaction.state === 'deposited') assert.equal(-of('received'), amountMinor * 100_000n);
      else assert.ok(total / 100_000n < amountMinor, 'nothing waits for a rest that has come');
    }),
  );
});

test('a late sell gets the hash of its deposit, whether it is held or refunded; later tokens do not change the hash', () => {
  const facts = (policy: Policy, id = 'dep_late') => ({
    ...{ deposit: deposit(id, 1_000_000n), decimals: DECIMALS, waiting: [], policy },
    ...{ atMs: 1, nextDueMs: 2, newRefundId: 'mov_1' },
  });
  const hashOf = (change: Change) => change.transactions![0]!.after.txHash;
  for (const state of ['expired', 'cancelled'] as const) {
    for (const lateDeposit of ['hold', 'refund'] as const) {
      const late = { ...sell(10n), state, txHash: null, exception: null, receivedMinor: 0n };
      const change = settleFinalDeposit(late, facts({ ...POLICY, lateDeposit }));
      assert.equal(hashOf(change), 'hash dep_late', `${state} ${lateDeposit}`);
      const after = { ...change.transactions![0]!.after, state: 'completed' as const };
      assert.equal(hashOf(settleFinalDeposit(after, facts(POLICY, 'dep_more'))), 'hash dep_late');
    }
  }
});

const LATE = 9_000;
const IN_TIME = LATE - 1;

function afterExpiry(
  times: { readonly chainAtMs: number | null; readonly seenAtMs: number },
  lateDeposit: Policy['lateDeposit'],
  sold: Partial<Transaction> = {},
): readonly (string | null)[] {
  const expired = { ...sell(100n), createdAtMs: 1_000, state: 'expired', ...sold } as Transaction;
  const { transactions, deposits } = settleFinalDeposit(expired, {
    deposit: { ...deposit('dep_1', 10_000_000n), ...times },
    decimals: DECIMALS,
    waiting: [],
    policy: { ...POLICY, lateDeposit },
    atMs: 20_000,
    nextDueMs: 20_000,
    newRefundId: 'mov_1',
  });
  return [transactions![0]!.after.state, transactions![0]!.after.exception, deposits![0]!.after.state];
}

test('a transfer that was made before the sell expired is in time, even if we saw it later', () => {
  for (const lateDeposit of ['refund', 'hold', 'complete'] as const)
    assert.deepEqual(
      afterExpiry({ chainAtMs: IN_TIME, seenAtMs: 15_000 }, lateDeposit),
      ['deposited', null, 'applied'],
      lateDeposit,
    );
  assert.deepEqual(afterExpiry({ chainAtMs: LATE, seenAtMs: 15_000 }, 'refund'), [
    'expired',
    'paid_late',
    'refunded',
  ]);
  assert.deepEqual(afterExpiry({ chainAtMs: LATE, seenAtMs: 15_000 }, 'complete'), [
    'deposited',
    'paid_late',
    'applied',
  ]);
});

test('a chain time before the creation of the sell, or after we saw the transfer, is not trusted, and our own time is used', () => {
  const late = ['expired', 'paid_late', 'refunded'];
  assert.deepEqual(afterExpiry({ chainAtMs: 999, seenAtMs: 15_000 }, 'refund'), late);
  assert.deepEqual(afterExpiry({ chainAtMs: 0, seenAtMs: 15_000 }, 'refund'), late);
  assert.deepEqual(afterExpiry({ chainAtMs: null, seenAtMs: 15_000 }, 'refund'), late);
  const inTime = ['deposited', null, 'applied'];
  assert.deepEqual(afterExpiry({ chainAtMs: 16_000, seenAtMs: IN_TIME }, 'refund'), inTime);
  assert.deepEqual(afterExpiry({ chainAtMs: null, seenAtMs: IN_TIME }, 'refund'), inTime);
});

test('a partial deposit in time goes to review; a sell whose parts were refunded at its expiry accepts no more tokens', () => {
  const inTime = { chainAtMs: IN_TIME, seenAtMs: 15_000 };
  assert.deepEqual(afterExpiry(inTime, 'refund', { amountMinor: 200n }), [
    'on_hold',
    'paid_partial',
    'suspense',
  ]);
  assert.deepEqual(afterExpiry(inTime, 'refund', { exception: 'paid_partial' }), [
    'expired',
    'paid_partial',
    'refunded',
  ]);
});
