// Tests every sandbox scenario, step by step, on a sandbox that only records its calls.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeMemoryWorld } from '../../../test/support/memory-world.ts';
import type { Movement } from '../../domain/records/movement.ts';
import type { TransactionState } from '../../domain/records/states.ts';
import { INITIAL_TRANSACTION_FIELDS, type Transaction } from '../../domain/records/transaction.ts';
import { type Sandbox, SCENARIOS, type Scenario } from '../../ports/sandbox.ts';
import { playScenarios } from './play-scenario.ts';

const START = Date.parse('2026-11-14T09:30:00Z');
const BUY: Transaction = {
  ...INITIAL_TRANSACTION_FIELDS,
  id: 'txn_buy',
  businessId: 'biz_1',
  mode: 'test',
  type: 'buy',
  reference: 'ref-1',
  linkTag: 'tag',
  state: 'awaiting_payment',
  amountMinor: 1_500_000n,
  feeMinor: 0n,
  accountNumber: '0123456785',
  accountName: 'Ada Obi',
  bankName: 'A Bank',
  bankCode: null,
  flags: [],
  vendor: { vendorId: 'vnd_1', name: 'Vendor', number: '1234567890', bank: 'B Bank' },
  wallet: { network: 'N', address: 'a' },
  deposits: [],
  quoteId: null,
  dueAtMs: null,
  createdAtMs: START,
  updatedAtMs: START,
  expiresAtMs: START + 60_000,
};
const SELL: Transaction = {
  ...BUY,
  id: 'txn_sell',
  type: 'sell',
  state: 'awaiting_deposit',
  vendor: null,
  deposits: [
    {
      network: 'N',
      address: 'ours',
      memo: '7',
      memoType: 'id',
      asset: 'NGNC',
      decimals: 7,
      expectedToken: 150_000_000_001n,
      confirmations: 1,
      expiresAtMs: START + 60_000,
    },
  ],
};

function stage(transaction: Transaction, scenario: Scenario) {
  const world = makeMemoryWorld();
  world.addPlay(transaction.id, scenario, START);
  const done: string[] = [];
  let nowMs = START;
  let current = transaction;
  let reference: string | undefined;
  const sandbox: Sandbox = {
    payIn: async (id, credit, copies) => {
      done.push(`${id} ${credit.amountMinor} from ${credit.payerAccount} ${credit.payerName} x${copies}`);
    },
    reverse: async (payment) => {
      done.push(`reverse ${JSON.stringify(payment)}`);
      return true;
    },
    sendsOn: () => true,
    deposit: async (id, { network, address, memo, amountMinor }) => {
      done.push(`${id} ${amountMinor} to ${network} ${address} ${memo}`);
      return 'hash';
    },
    returnPayout: async (given) => {
      done.push(`return ${given}`);
      return true;
    },
  };
  const deps = {
    plays: world.plays,
    sandbox,
    clock: { now: () => nowMs },
    store: {
      transactionsById: async (ids: readonly string[]) =>
        new Map(ids.flatMap((id) => (current === undefined ? [] : [[id, current] as const]))),
      movementsOf: async () =>
        reference === undefined ? [] : [{ kind: 'payout', id: reference.replace('-', '_') } as Movement],
    },
  };
  return {
    done,
    deps,
    to: (state: TransactionState) => {
      current = { ...current, state };
    },
    paidAs: (text: string) => {
      reference = text;
    },
    play: (passMs = 0) => {
      nowMs += passMs;
      return playScenarios(deps, { limit: 10, leaseMs: 30_000 });
    },
    playedToTheEnd: async () => {
      nowMs += 365 * 86_400_000;
      return (await playScenarios(deps, { limit: 10, leaseMs: 0 })) === 0;
    },
  };
}

const PAID = 'txn_buy-credit 1500000 from 0123456785 Ada Obi x1';
const DEPOSITED = 'txn_sell-deposit-1 150000000001 to N ours 7';

test('in every scenario that is not about the payment, a buy is paid at once, with or without a wallet', async () => {
  const own = ['underpaid', 'overpaid', 'late', 'duplicate', 'name_mismatch', 'reversed'];
  for (const scenario of SCENARIOS.filter((each) => !own.includes(each))) {
    for (const state of ['awaiting_payment', 'awaiting_wallet'] as const) {
      const { play, done, playedToTheEnd } = stage({ ...BUY, state }, scenario);
      await play();
      assert.deepEqual(done, [PAID], scenario);
      assert.ok(await playedToTheEnd(), scenario);
    }
  }
});

test('scenarios pay a buy with too little, with too much, with a payment reported twice, and under another name', async () => {
  for (const [scenario, expected] of [
    ['underpaid', 'txn_buy-credit 1490000 from 0123456785 Ada Obi x1'],
    ['overpaid', 'txn_buy-credit 1510000 from 0123456785 Ada Obi x1'],
    ['duplicate', 'txn_buy-credit 1500000 from 0123456785 Ada Obi x2'],
    ['name_mismatch', 'txn_buy-credit 1500000 from 0123456785 TOTALLY UNRELATED STRANGER x1'],
  ] as const) {
    const { play, done, playedToTheEnd } = stage(BUY, scenario);
    await play();
    assert.deepEqual(done, [expected]);
    assert.ok(await playedToTheEnd());
  }
  const unnamed = stage({ ...BUY, accountName: null }, 'paid');
  await unnamed.play();
  assert.match(unnamed.done[0]!, /SANDBOX PAYER/);
});

test('late: the payment arrives only after the expiry of the buy', async () => {
  for (const [transaction, scenario, expected] of [
    [BUY, 'late', PAID],
    [SELL, 'late', DEPOSITED],
    [SELL, 'deposit_late', DEPOSITED],
  ] as const) {
    const { play, to, done, playedToTheEnd } = stage(transaction, scenario);
    await play();
    await play(60_000);
    assert.deepEqual(done, []);
    to('expired');
    await play(300);
    assert.deepEqual(done, [expected]);
    assert.ok(await playedToTheEnd());
  }
  const cancelled = stage({ ...BUY, state: 'cancelled' }, 'late');
  await cancelled.play();
  assert.deepEqual(cancelled.done, []);
  assert.ok(await cancelled.playedToTheEnd());
});

test('reversed: the credit is reversed once the buy is completed', async () => {
  const { play, to, done, playedToTheEnd } = stage(BUY, 'reversed');
  await play();
  to('sending');
  await play(300);
  assert.deepEqual(done, [PAID]);
  to('completed');
  await play(300);
  assert.deepEqual(done, [PAID, 'reverse {"businessId":"biz_1","creditId":"crd_buy"}']);
  assert.ok(await playedToTheEnd());
});

test('a scenario ends when its transaction ends in another way; a scenario that waits for a long time checks less often', async () => {
  const over = stage(BUY, 'reversed');
  await over.play();
  over.to('rejected');
  await over.play(300);
  assert.ok(await over.playedToTheEnd());

  const waiting = stage(BUY, 'reversed');
  for (let look = 0; look <= 100; look++) assert.equal(await waiting.play(300), 1);
  assert.equal(await waiting.play(300), 0);
  assert.equal(await waiting.play(30_000), 1);
});

test('scenarios deposit for a sell the exact amount, too little, too much, two halves, or one deposit reported twice', async () => {
  for (const [scenario, expected] of [
    ['paid', [DEPOSITED]],
    ['payout_fails', [DEPOSITED]],
    ['reversed', [DEPOSITED]],
    ['underpaid', ['txn_sell-deposit-1 149000000001 to N ours 7']],
    ['deposit_short', ['txn_sell-deposit-1 149000000001 to N ours 7']],
    ['overpaid', ['txn_sell-deposit-1 151000000001 to N ours 7']],
    ['deposit_over', ['txn_sell-deposit-1 151000000001 to N ours 7']],
    [
      'deposit_split',
      ['txn_sell-deposit-1 75000000000 to N ours 7', 'txn_sell-deposit-2 75000000001 to N ours 7'],
    ],
    ['duplicate', [DEPOSITED, DEPOSITED]],
  ] as const) {
    const { play, done, playedToTheEnd } = stage(SELL, scenario);
    await play();
    await play(300);
    assert.deepEqual(done, expected, scenario);
    assert.ok(await playedToTheEnd());
  }
});

test('payout_returned: the payout is returned once the sell is completed and the payout is known', async () => {
  const { play, to, paidAs, done, playedToTheEnd } = stage(SELL, 'payout_returned');
  await play();
  await play(300);
  to('completed');
  await play(300);
  assert.deepEqual(done, [DEPOSITED]);
  paidAs('mov-1');
  await play(300);
  assert.deepEqual(done, [DEPOSITED, 'return mov-1']);
  assert.ok(await playedToTheEnd());
});

test('a failed step is repeated with the same id after its lease, and does not delay others', async () => {
  const { deps, play, done } = stage(BUY, 'paid');
  const { payIn } = deps.sandbox;
  deps.sandbox.payIn = async (...given) => {
    await payIn(...given);
    throw new Error('away');
  };
  await assert.rejects(play(), /away/);
  deps.sandbox.payIn = payIn;
  assert.equal(await play(29_999), 0);
  assert.equal(await play(1), 1);
  assert.deepEqual(done, [PAID, PAID]);
});
