// Tests credits that a bank reverses while their buy is on hold, waits, is sent or is refunded. The service sends no tokens for
// a reversed credit, and only money that already left is a loss.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { booksBalance } from '../../../test/e2e/settled.ts';
import { openRig } from '../../../test/support/settlement.ts';
import { openReversalStage } from '../../../test/support/stages/credits.ts';

const { casesOf, claimed, creditNamed, newPayer, pause, rig } = await openReversalStage();

test('a credit is reversed while its buy is held for review: the money leaves, nothing is sent, and there is no loss', async () => {
  const { buy, id } = await claimed({ accountName: 'Musa Ibrahim' });
  await rig.until(buy.id, 'on_hold');
  await rig.sandbox.reverse(id);
  await rig.passing(2_000);
  const { state, exception } = await rig.find(buy.id);
  assert.deepEqual([state, exception], ['on_hold', 'credit_reversed']);
  assert.deepEqual(await rig.books(buy.id, (await creditNamed(id)).id), {});
  assert.deepEqual(await casesOf(buy.id), []);
});

test('a credit is reversed after the match and before the send: the buy is held, and nothing is sent when movements resume', async () => {
  await pause(true);
  const { buy, id } = await claimed();
  await rig.until(buy.id, 'paid');
  await rig.sandbox.reverse(id);
  const held = await rig.until(buy.id, 'on_hold');
  assert.deepEqual([held.exception, held.receivedMinor], ['credit_reversed', 0n]);
  await pause(false);
  await rig.passing(3_000);
  assert.equal((await rig.find(buy.id)).state, 'on_hold');
  assert.deepEqual(await rig.deps.store.movementsOf([buy.id]), []);
  assert.deepEqual(await rig.books(buy.id, (await creditNamed(id)).id), {});
  assert.deepEqual(await casesOf(buy.id), []);
});

test('a credit is reversed while the wallet cannot receive the token yet: the buy is held, and nothing is sent later', async () => {
  const { buy, id } = await claimed();
  const waiting = rig.another({ network: () => ({ recipientReady: async () => 'waiting' }) });
  // The other process holds the feed until its lease ends.
  rig.pass(20_000);
  await waiting.run();
  assert.equal((await rig.find(buy.id)).state, 'awaiting_trustline');
  await rig.sandbox.reverse(id);
  rig.pass(20_000);
  await rig.passing(20_000);
  const held = await rig.find(buy.id);
  assert.deepEqual([held.state, held.exception, held.receivedMinor], ['on_hold', 'credit_reversed', 0n]);
  assert.deepEqual(await rig.deps.store.movementsOf([buy.id]), []);
  assert.deepEqual(await rig.books(buy.id, (await creditNamed(id)).id), {});
  assert.deepEqual(await casesOf(buy.id), []);
});

test('a credit is reversed after another payment paid the buy: the send continues, and only the reversed money leaves', async () => {
  const { buy, id, accountNumber, amountMinor } = await claimed({}, 1_000_000n);
  await rig.until(buy.id, 'on_hold');
  await rig.payIn({ payerAccount: accountNumber, amountMinor });
  await rig.until(buy.id, 'sending', 'confirming');
  await rig.sandbox.reverse(id);
  const { state } = await rig.until(buy.id, 'completed');
  assert.equal(state, 'completed');
  assert.equal((await creditNamed(id)).state, 'reversed');
  assert.deepEqual(await casesOf(buy.id), []);
});

test('a credit is reversed while every attempt to send is dead: the send is cancelled, and nothing is lost', async () => {
  const { buy, id } = await claimed();
  rig.meets('broadcast', '*', 'rejected');
  await rig.until(buy.id, 'sending');
  await rig.backOffice.setMovementsPaused(true, 'test', { actor: 'test', atMs: rig.now() });
  const [send] = await rig.deps.store.movementsOf([buy.id]);
  if (send!.state === 'pending') {
    await rig.sandbox.reverse(id);
    await rig.passing(2_000);
    const { state: held, exception, receivedMinor } = await rig.find(buy.id);
    assert.deepEqual([held, exception, receivedMinor], ['on_hold', 'credit_reversed', 0n]);
    assert.deepEqual(await rig.books(buy.id, (await creditNamed(id)).id), {});
    assert.deepEqual(await casesOf(buy.id), []);
  } else assert.fail(`the send is ${send!.state}`);
  await pause(false);
  await rig.passing(3_000);
  assert.equal((await rig.find(buy.id)).state, 'on_hold');
});

test('a credit is reversed after it was refunded: the send that another payment pays for continues, and only the refund is lost', async () => {
  const other = await openRig({ partialCredit: 'refund' });
  const [accountNumber, payerName] = ['3111222333', 'SANDBOX ACCOUNT HOLDER'];
  const buy = await other.buy({ accountNumber, accountName: null, amountMinor: 1_900_000n });
  const short = await other.payIn({ payerAccount: accountNumber, payerName, amountMinor: 400_000n });
  await other.passing(10_000);
  assert.equal((await other.find(buy.id)).refundedMinor, 400_000n);
  other.meets('broadcast', '*', 'rejected');
  await other.payIn({ payerAccount: accountNumber, payerName, amountMinor: 1_900_000n });
  await other.until(buy.id, 'sending');
  const [send] = (await other.deps.store.movementsOf([buy.id])).filter(({ kind }) => kind === 'send');
  assert.equal(send!.state, 'pending', 'its attempt did nothing, and the next is not made yet');
  await other.sandbox.reverse(short);
  const done = await other.until(buy.id, 'completed');
  assert.deepEqual([done.exception, done.refundedMinor], ['credit_reversed', 400_000n]);
  assert.equal((await other.books(buy.id))['NGN losses'], 400_000n);
  assert.equal(await other.network('Polygon').paidTimes(send!.id), 1);
  await booksBalance({ foundation: other } as never);
});

test('a credit is reversed after an overpaid match and before the send: neither the tokens nor the excess leave', async () => {
  await pause(true);
  const payer = newPayer();
  const buy = await rig.buy(payer);
  const id = await rig.payIn({ payerAccount: payer.accountNumber, amountMinor: payer.amountMinor + 10_000n });
  await rig.until(buy.id, 'paid');
  await rig.sandbox.reverse(id);
  await rig.passing(2_000);
  await pause(false);
  await rig.passing(4_000);
  const { state, exception, refundedMinor } = await rig.find(buy.id);
  assert.deepEqual([state, exception, refundedMinor], ['on_hold', 'credit_reversed', 0n]);
  const movements = await rig.deps.store.movementsOf([buy.id]);
  assert.deepEqual(
    movements.map(({ kind, state: each }) => [kind, each]),
    [['refund', 'failed']],
  );
  assert.deepEqual(await rig.bank.paidOut(buy.id), []);
  assert.deepEqual(await rig.books(buy.id, (await creditNamed(id)).id), {});
});

test('a credit is reversed before its refund was tried: the refund is cancelled, and nothing is lost', async () => {
  await pause(true);
  const { buy, id } = await claimed();
  await rig.until(buy.id, 'paid');
  const other = newPayer();
  const cancelled = await rig.buy({ ...other, state: 'cancelled', dueAtMs: null });
  const late = await rig.payIn({ payerAccount: other.accountNumber, amountMinor: other.amountMinor });
  await rig.passing(2_000);
  assert.equal((await creditNamed(late)).state, 'refunded');
  await rig.sandbox.reverse(late);
  await rig.passing(2_000);
  await pause(false);
  await rig.passing(3_000);
  const [refund] = await rig.deps.store.movementsOf([cancelled.id]);
  assert.deepEqual([refund!.state, refund!.reason], ['failed', 'credit_reversed']);
  assert.deepEqual(await rig.books(cancelled.id, (await creditNamed(late)).id), {});
  assert.deepEqual([await casesOf(cancelled.id), await rig.bank.paidOut(cancelled.id)], [[], []]);
  assert.equal((await creditNamed(id)).state, 'matched');
});

test('a credit is reversed after its excess was refunded and before the send: the tokens stay, and the excess is the loss', async () => {
  const payer = { ...newPayer(), wallet: null, state: 'awaiting_wallet' } as const;
  await rig.addBusiness('biz_excess');
  const buy = await rig.buy({ ...payer, businessId: 'biz_excess' });
  const id = await rig.payIn({ payerAccount: payer.accountNumber, amountMinor: payer.amountMinor + 10_000n });
  await rig.passing(5_000);
  assert.equal((await rig.find(buy.id)).refundedMinor, 10_000n);
  await rig.sandbox.reverse(id);
  const held = await rig.until(buy.id, 'on_hold');
  assert.deepEqual([held.exception, held.receivedMinor], ['credit_reversed', 0n]);
  assert.deepEqual(await casesOf(buy.id), [
    { kind: 'credit_reversed', business_id: 'biz_excess', amount: '10000' },
  ]);
  const books = await rig.books(buy.id, (await creditNamed(id)).id);
  assert.deepEqual(
    [books['NGN losses'], books['NGN owed'], books['NGN bank_in']],
    [10_000n, undefined, undefined],
  );
});

test('the books balance after all tests', () => booksBalance({ foundation: rig } as never));
