// Tests several payments for one buy, and a payment from another account of its payer, on the real store: what is sent, what is
// refunded and to whom, and what people see.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PAYER } from '../../../test/support/settlement.ts';
import { openCreditStage } from '../../../test/support/stages/credits.ts';
import { refundBuy } from '../../domain/review/buys.ts';

const { creditNamed, newPayer, nothingSent, rig } = await openCreditStage();

async function paidInPart(firstMinor: bigint) {
  const { accountNumber, amountMinor } = newPayer();
  const buy = await rig.buy({ accountNumber, amountMinor });
  const first = await rig.payIn({ payerAccount: accountNumber, amountMinor: firstMinor });
  const held = await rig.until(buy.id, 'on_hold');
  assert.deepEqual([held.exception, held.receivedMinor], ['paid_partial', 0n]);
  const pay = (minor: bigint) => rig.payIn({ payerAccount: accountNumber, amountMinor: minor });
  return { buy, first, pay, amountMinor };
}

test('the rest of a partial payment completes the buy: both credits count, and the tokens are sent once', async () => {
  const { buy, first, pay, amountMinor } = await paidInPart(1_000_000n);
  const rest = await pay(amountMinor - 1_000_000n);
  const done = await rig.until(buy.id, 'completed');
  assert.deepEqual([done.exception, done.receivedMinor], [null, amountMinor]);
  for (const name of [first, rest]) {
    const { state, transactionId } = await creditNamed(name);
    assert.deepEqual([state, transactionId], ['matched', buy.id]);
  }
  const paying = await rig.rows('select credit_id from match_decisions where transaction_id = $1', buy.id);
  assert.equal(paying.length, 2);
});

test('a second payment that is still too small also waits in review; the payment that completes the sum pays the buy together with both', async () => {
  const { buy, first, pay, amountMinor } = await paidInPart(1_000_000n);
  const second = await pay(10_000n);
  await rig.passing(3_000);
  const { state, exception, transactionId } = await creditNamed(second);
  assert.deepEqual([state, exception, transactionId], ['review', 'paid_partial', buy.id]);
  await nothingSent(buy);
  const third = await pay(amountMinor - 1_010_000n);
  await rig.until(buy.id, 'completed');
  for (const name of [first, second, third]) assert.equal((await creditNamed(name)).state, 'matched');
});

test('payments that together exceed the amount pay the buy, and the excess is refunded to the last payer', async () => {
  const { buy, pay, amountMinor } = await paidInPart(1_000_000n);
  const rest = await pay(amountMinor - 1_000_000n + 7_700n);
  const done = await rig.until(buy.id, 'completed');
  assert.deepEqual([done.exception, done.receivedMinor], ['paid_over', amountMinor]);
  const refunds = (await rig.deps.store.movementsOf([buy.id])).filter(({ kind }) => kind === 'refund');
  const { id } = await creditNamed(rest);
  assert.deepEqual(
    refunds.map(({ creditId, nairaMinor }) => [creditId, nairaMinor]),
    [[id, 7_700n]],
  );
});

test('a buy that was paid by two payments is refunded part by part, and a reversal of one payment does not affect the other', async () => {
  const { buy, first, pay, amountMinor } = await paidInPart(1_000_000n);
  // If the buy has no wallet, the service sends nothing and keeps the money.
  await rig.database.query({
    text: 'update transaction_states set network = null, wallet_address = null where transaction_id = $1',
    values: [buy.id],
  });
  const rest = await pay(amountMinor - 1_000_000n);
  await rig.passing(3_000);
  const paid = await rig.find(buy.id);
  assert.deepEqual(
    [paid.state, paid.exception, paid.receivedMinor],
    ['on_hold', 'wallet_missing', amountMinor],
  );
  const credits = await rig.deps.store.creditsOf([buy.id]);
  const movements = await rig.deps.store.movementsOf([buy.id]);
  const by = {
    actor: 'ada',
    atMs: rig.now(),
    newRefundIds: ['mov_a', 'mov_b'],
    publicReason: 'refund_decided',
  };
  const plan = refundBuy({ transaction: paid, credits, movements }, null, by as never);
  assert.ok(plan.ok);
  assert.deepEqual(
    plan.value.change.newMovements!.map(({ creditId, nairaMinor }) => [creditId, nairaMinor]).sort(),
    [
      [(await creditNamed(first)).id, 1_000_000n],
      [(await creditNamed(rest)).id, amountMinor - 1_000_000n],
    ].sort(),
  );
  await rig.sandbox.reverse(rest);
  await rig.passing(3_000);
  const left = await rig.find(buy.id);
  assert.deepEqual(
    [left.state, left.exception, left.receivedMinor],
    ['on_hold', 'credit_reversed', 1_000_000n],
  );
  assert.equal((await creditNamed(first)).state, 'matched');
});

test('threat 16: a payment from another account with the same name does not stop a buy, and its decision names the buy', async () => {
  const { accountNumber, amountMinor } = newPayer();
  const buy = await rig.buy({ accountNumber, amountMinor, accountName: PAYER.name });
  const other = await rig.payIn({ payerAccount: '7777777776', amountMinor, payerName: PAYER.name });
  await rig.passing(5_000);
  const seen = await creditNamed(other);
  assert.deepEqual([seen.state, seen.exception, seen.transactionId], ['review', 'other_account', null]);
  assert.equal((await rig.find(buy.id)).state, 'awaiting_payment');
  const [decided] = await rig.rows(
    'select verdict, rule_version from match_decisions where credit_id = $1 order by version desc limit 1',
    seen.id,
  );
  assert.deepEqual(decided, {
    verdict: { kind: 'review', exception: 'other_account', transactionIds: [buy.id] },
    rule_version: 3,
  });
  await rig.payIn({ payerAccount: accountNumber, amountMinor });
  await rig.until(buy.id, 'completed');
  rig.pass(11 * 60_000);
  await rig.passing(2_000);
  const left = await creditNamed(other);
  assert.deepEqual([left.state, left.exception, left.transactionId], ['review', 'no_claim', null]);
});

test('if a buy is created after a payment from another account, that payment is marked at once', async () => {
  const { accountNumber, amountMinor } = newPayer();
  const other = await rig.payIn({ payerAccount: '7777777775', amountMinor, payerName: PAYER.name });
  await rig.passing(5_000);
  assert.equal((await creditNamed(other)).exception, 'no_claim');
  const buy = await rig.buy({ accountNumber, amountMinor, accountName: PAYER.name });
  await rig.deps.store.hastenCredits([buy], rig.now());
  await rig.passing(1_000);
  assert.equal((await creditNamed(other)).exception, 'other_account');
});
