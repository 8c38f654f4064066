// Tests the destination of refunds. Naira goes only to the payer's account that the bank reported, or to an account whose owner
// is the payer according to the bank. Tokens go only to the wallet of the sell. A refund without such a destination waits.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { booksBalance } from '../../../test/e2e/settled.ts';
import { commitAll } from '../../../test/support/database.ts';
import { openRig, PAYER, POLYGON_WALLET } from '../../../test/support/settlement.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import { moveTransaction } from '../../domain/records/transaction-moves.ts';
import { makeCreditRefund } from '../../domain/settlement/refund.ts';
import type { NameEnquiryAnswer, NameEnquiryRequest } from '../../ports/rails/rail-payouts.ts';
import { newId } from '../engine/deps.ts';

const rig = await openRig({ lateCredit: 'refund', partialCredit: 'refund' });

let people = 0;
function newPayer() {
  people++;
  return { accountNumber: `${4_000_000_000 + people * 7_919}`, amountMinor: 1_900_000n + BigInt(people) };
}

async function cancelledBuy(changes: Partial<Transaction> = {}) {
  const payer = newPayer();
  const buy = await rig.buy({ ...payer, accountName: PAYER.name, ...changes });
  const move = moveTransaction(buy, 'cancelled', {
    actor: 'key',
    atMs: rig.now(),
    reason: 'cancelled_by_business',
    dueAtMs: null,
  });
  await commitAll(rig.deps.store, [{ atMs: rig.now(), transactions: [move] }]);
  return { buy, ...payer };
}

const refundsOf = async (id: string) =>
  (await rig.deps.store.movementsOf([id])).filter(({ kind }) => kind === 'refund');
const masked = (account: string) => `******${account.slice(-4)}`;

test('threat 24: with LATE_CREDIT=refund a late credit is refunded in full, and no tokens are sent', async () => {
  const payer = newPayer();
  const buy = await rig.buy({ ...payer, expiresAtMs: rig.now() + 1_000 });
  await rig.until(buy.id, 'expired');
  rig.pass(1);
  await rig.payIn({ payerAccount: payer.accountNumber, amountMinor: payer.amountMinor });
  const done = await rig.until(buy.id, 'refunded');
  assert.deepEqual([done.exception, done.refundedMinor], ['paid_late', payer.amountMinor]);
  const [refund, ...more] = await rig.deps.store.movementsOf([buy.id]);
  assert.deepEqual([refund!.kind, more], ['refund', []]);
  assert.equal((await rig.bank.paidOut(buy.id))[0]!.accountNumber, payer.accountNumber);
});

test('threat 24: a credit on a cancelled buy is refunded automatically to the account that the bank named', async () => {
  const { buy, amountMinor } = await cancelledBuy();
  await rig.payIn({ payerAccount: buy.accountNumber, amountMinor });
  const done = await rig.until(buy.id, 'refunded');
  assert.deepEqual([done.exception, done.refundedMinor], ['paid_after_cancel', amountMinor]);
  const [paid, ...more] = await rig.bank.paidOut(buy.id);
  assert.deepEqual([paid!.accountNumber, paid!.amountMinor, more], [buy.accountNumber, amountMinor, []]);
  assert.ok((await rig.events(buy.id)).includes('refund_paid'));
});

test('threat 24: a payment from another account than the one in the claim is refunded to the account that paid, never to the claim’s account', async () => {
  const payer = newPayer();
  const { buy, amountMinor } = await cancelledBuy({ accountName: null });
  await rig.payIn({ payerAccount: payer.accountNumber, amountMinor: amountMinor + 5n, narration: buy.id });
  await rig.passing(5_000);
  assert.deepEqual(await rig.bank.paidOut(buy.id), [], 'another amount from another account: people decide');
  const late = await rig.buy({ ...newPayer(), expiresAtMs: rig.now() + 1_000, accountName: null });
  await rig.until(late.id, 'expired');
  rig.pass(1);
  const other = newPayer();
  await rig.payIn({ payerAccount: other.accountNumber, amountMinor: late.amountMinor, narration: late.id });
  await rig.passing(5_000);
  const targets = (await rig.bank.paidOut(late.id)).map(({ accountNumber }) => accountNumber);
  assert.ok(!targets.includes(late.accountNumber), 'never the claim’s');
});

test('threat 24: the refund to a masked payer waits until the bank confirms that the claim’s account belongs to the payer', async () => {
  const { buy, accountNumber, amountMinor } = await cancelledBuy();
  await rig.payIn({ payerAccount: masked(accountNumber), amountMinor });
  // If the test gives no hint, the simulated bank returns the name of an owner who is not the payer.
  await rig.passing(40_000, 5_000);
  const [waiting] = await refundsOf(buy.id);
  assert.deepEqual([waiting!.state, waiting!.destination, waiting!.attempts], ['pending', null, 0]);
  assert.deepEqual(await rig.bank.paidOut(buy.id), []);

  const asked: NameEnquiryRequest[] = [];
  const found = (name: string): NameEnquiryAnswer => ({ kind: 'found', name });
  const knowing = rig.another({
    bank: {
      enquireName: async (question) => {
        asked.push(question);
        return found('OKAFOR ADAEZE');
      },
    },
  });
  rig.pass(10 * 60_000);
  await knowing.run();
  await rig.until(buy.id, 'refunded');
  assert.deepEqual(
    asked.map(({ expectedName }) => expectedName),
    [null],
    'asked without a hint of what we would like to hear',
  );
  const [paid] = await rig.bank.paidOut(buy.id);
  assert.deepEqual([paid!.accountNumber, paid!.amountMinor], [accountNumber, amountMinor]);
});

test('threat 24: a masked account that differs from the claim’s is another payer, even if the names are equal', async () => {
  const { buy, accountNumber, amountMinor } = await cancelledBuy();
  const digits = `${(Number(accountNumber.slice(-4)) + 1) % 10_000}`.padStart(4, '0');
  const name = await rig.payIn({ payerAccount: `******${digits}`, amountMinor });
  rig.pass(16_000);
  await rig.passing(3_000);
  const credit = (await rig.deps.store.findCredit('test', 'simulated', name))!;
  const facts = { amountMinor, reason: 'refund_decided', transactionId: buy.id, atMs: rig.now() };
  const refund = makeCreditRefund(credit, { id: newId(rig.deps, 'mov'), ...facts });
  await commitAll(rig.deps.store, [{ atMs: rig.now(), newMovements: [refund] }]);
  const knowing = rig.another({ bank: { enquireName: async () => ({ kind: 'found', name: PAYER.name }) } });
  for (let turn = 0; turn < 3; turn++) {
    rig.pass(10 * 60_000);
    await knowing.run();
  }
  const waiting = (await rig.deps.store.movementById(refund.id))!;
  assert.deepEqual([waiting.state, waiting.destination, waiting.attempts], ['pending', null, 0]);
  assert.deepEqual(await rig.bank.paidOut(buy.id), []);
  rig.pass(16_000);
});

test('threat 24: if the bank does not respond or does not know the account, nothing is proven', async () => {
  const { buy, accountNumber, amountMinor } = await cancelledBuy();
  await rig.payIn({ payerAccount: masked(accountNumber), amountMinor });
  for (const answer of [{ kind: 'unknown', reason: 'timeout' }, { kind: 'no_account' }] as const) {
    rig.pass(10 * 60_000);
    await rig.another({ bank: { enquireName: async () => answer } }).run();
    const [waiting] = await refundsOf(buy.id);
    assert.deepEqual([waiting!.state, waiting!.destination], ['pending', null]);
  }
  // The other process holds the feed until its lease ends.
  rig.pass(16_000);
});

test('with PARTIAL_CREDIT=refund a short credit is refunded, and the exact credit that follows pays the buy in full', async () => {
  const payer = newPayer();
  const buy = await rig.buy(payer);
  await rig.payIn({ payerAccount: payer.accountNumber, amountMinor: payer.amountMinor - 100n });
  await rig.passing(5_000);
  const open = await rig.find(buy.id);
  assert.deepEqual(
    [open.state, open.exception, open.refundedMinor],
    ['awaiting_payment', 'paid_partial', payer.amountMinor - 100n],
  );
  const id = await rig.payIn({ payerAccount: payer.accountNumber, amountMinor: payer.amountMinor });
  await rig.until(buy.id, 'completed');
  await rig.passing(3_000);
  assert.equal((await refundsOf(buy.id)).length, 1, 'nothing of the second one goes back');
  const credit = await rig.deps.store.findCredit('test', 'simulated', id);
  const books = await rig.books(buy.id, credit!.id);
  assert.deepEqual([books['NGN delivered'], books['NGN owed']], [-payer.amountMinor, undefined]);
});

test('threat 53: tokens that arrive after a cancel wait while there is no wallet, and are returned once a wallet is set', async () => {
  const sell = await rig.sell({ state: 'cancelled', dueAtMs: null });
  await rig.depositFor(sell, 2_500_000n);
  await rig.passing(40_000, 2_000);
  const [waiting] = await refundsOf(sell.id);
  assert.deepEqual([waiting!.state, waiting!.destination], ['pending', null]);
  const books = await rig.books(sell.id);
  assert.equal(books['NGNC@Polygon refunds_due'], -25_000_000_000n, 'owed back, not ours');

  const now = await rig.find(sell.id);
  const facts = { actor: 'key', atMs: rig.now(), reason: 'refund_wallet_given', dueAtMs: null } as const;
  const move = moveTransaction(now, 'cancelled', { ...facts, updates: { wallet: POLYGON_WALLET } });
  await commitAll(rig.deps.store, [{ atMs: rig.now(), transactions: [move] }]);
  await rig.deps.store.hastenRefunds(sell.id, rig.now());
  const done = await rig.until(sell.id, 'refunded');
  assert.equal(done.refundedMinor, 2_500_000n);
  const [refund] = await refundsOf(sell.id);
  assert.deepEqual(refund!.destination, { address: POLYGON_WALLET.address });
  assert.equal(await rig.network('Polygon').paidTimes(refund!.id), 1);
});

test('a refund that the bank finally refuses is marked as failed, is reported, and remains owed', async () => {
  const { buy, amountMinor } = await cancelledBuy();
  rig.meets('pay', '*', 'fails');
  await rig.payIn({ payerAccount: buy.accountNumber, amountMinor });
  await rig.passing(10_000);
  const [refund] = await refundsOf(buy.id);
  assert.equal(refund!.state, 'failed');
  assert.ok(
    rig.troubles.some(
      ({ message, detail }) => message === 'a refund failed' && detail.movement === refund!.id,
    ),
  );
  assert.equal((await rig.books(buy.id))['NGN refunds_due'], -amountMinor);
  assert.equal((await rig.find(buy.id)).state, 'cancelled');
});

test('the books balance after all tests', () => booksBalance({ foundation: rig } as never));
