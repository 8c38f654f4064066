// Tests which buys bank credits pay, from the bank statement to the tokens, on the real store. A person decides every doubtful
// case, and no credit pays twice.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PAYER } from '../../../test/support/settlement.ts';
import { openCreditStage } from '../../../test/support/stages/credits.ts';
import { makeLeaseRequest } from '../engine/leases.ts';
import { matchCredits } from './match-credits.ts';

const { creditNamed, newPayer, nothingSent, rig } = await openCreditStage();

async function readAndDie(): Promise<void> {
  rig.pass(20_000);
  const reader = rig.another({ store: () => ({ findCandidates: async () => assert.fail('died') }) });
  await assert.rejects(reader.run());
}

test('threat 17: when two processes match one credit at once, a constraint makes sure that it pays once', async () => {
  const { accountNumber, amountMinor } = newPayer();
  const buy = await rig.buy({ accountNumber, amountMinor });
  const paid = await rig.payIn({ payerAccount: accountNumber, amountMinor });
  await readAndDie();
  rig.pass(20_000);
  const other = rig.another();
  const [credit] = (await rig.deps.store.leaseCredits(makeLeaseRequest(rig.deps, 50))).filter(
    (each) => each.sourceId === paid,
  );
  const results = await Promise.all([matchCredits(rig.deps, [credit!]), matchCredits(other.deps, [credit!])]);
  assert.deepEqual(
    results.flat().map(({ id, state }) => [id, state]),
    [[buy.id, 'paid']],
  );
  await rig.until(buy.id, 'completed');
  const [send, ...more] = await rig.deps.store.movementsOf([buy.id]);
  assert.deepEqual([more, await rig.network('Polygon').paidTimes(send!.id)], [[], 1]);
  const decisions = await rig.rows(
    'select transaction_id from match_decisions where credit_id = $1',
    credit!.id,
  );
  assert.deepEqual(decisions, [{ transaction_id: buy.id }]);
});

test('threat 19: a claim without a credit expires, and never sends tokens', async () => {
  const { accountNumber, amountMinor } = newPayer();
  const buy = await rig.buy({ accountNumber, amountMinor });
  rig.pass(86_400_000 - 1);
  await rig.run();
  assert.equal((await rig.find(buy.id)).state, 'awaiting_payment');
  rig.pass(1);
  await rig.run();
  await rig.passing(2_000);
  const { state, stateReason } = await rig.find(buy.id);
  assert.deepEqual([state, stateReason], ['expired', 'payment_not_found']);
  await nothingSent(buy);
  assert.deepEqual(await rig.events(buy.id), []);
});

test('threat 20: a payment that is one kobo short is held as paid in part; one kobo too much completes the buy, and the kobo is refunded', async () => {
  const short = newPayer();
  const over = newPayer();
  const less = await rig.buy(short);
  const more = await rig.buy(over);
  await rig.payIn({ payerAccount: short.accountNumber, amountMinor: short.amountMinor - 1n });
  await rig.payIn({ payerAccount: over.accountNumber, amountMinor: over.amountMinor + 1n });
  await rig.run();
  for (const { id } of [less, more])
    assert.equal((await rig.find(id)).state, 'awaiting_payment', 'the exact one may come');
  const held = await rig.until(less.id, 'on_hold');
  assert.equal(held.exception, 'paid_partial');
  await nothingSent(less);
  await rig.until(more.id, 'completed');
  await rig.passing(2_000);
  const done = await rig.find(more.id);
  assert.deepEqual(
    [done.exception, done.refundedMinor, done.receivedMinor],
    ['paid_over', 1n, over.amountMinor],
  );
  const [refund] = (await rig.deps.store.movementsOf([more.id])).filter(({ kind }) => kind === 'refund');
  assert.deepEqual([refund!.amountMinor, refund!.state], [1n, 'done']);
});

test('threat 22: a payment from the right account under another name is held', async () => {
  const { accountNumber, amountMinor } = newPayer();
  const buy = await rig.buy({ accountNumber, amountMinor, accountName: 'Musa Ibrahim' });
  const paid = await rig.payIn({ payerAccount: accountNumber, amountMinor });
  const held = await rig.until(buy.id, 'on_hold');
  assert.equal(held.exception, 'name_mismatch');
  await nothingSent(buy);
  const credit = await creditNamed(paid);
  assert.deepEqual([credit.state, credit.transactionId], ['review', buy.id]);
});

test('a masked payer matches by its last digits and a strong name; with the last digits alone the buy is held', async () => {
  const named = { ...newPayer(), accountName: PAYER.name };
  const unnamed = { ...newPayer(), accountName: null };
  const masked = (account: string) => `******${account.slice(-4)}`;
  const strong = await rig.buy(named);
  const weak = await rig.buy(unnamed);
  for (const { accountNumber, amountMinor } of [named, unnamed])
    await rig.payIn({ payerAccount: masked(accountNumber), amountMinor, payerName: 'OKAFOR ADAEZE' });
  await rig.until(strong.id, 'completed');
  const held = await rig.until(weak.id, 'on_hold');
  assert.equal(held.exception, 'payer_unclear');
  await nothingSent(weak);
});

test('a credit that arrives before its claim waits in suspense and pays the claim once it is made', async () => {
  const { accountNumber, amountMinor } = newPayer();
  const paid = await rig.payIn({ payerAccount: accountNumber, amountMinor });
  await rig.passing(5_000);
  const credit = await creditNamed(paid);
  assert.equal(credit.exception, 'no_claim');
  const before = rig.now();
  const buy = await rig.buy({ accountNumber, amountMinor });
  await rig.until(buy.id, 'completed');
  assert.ok(rig.now() - before < 5_000, 'looked at as soon as the claim was there');
});

test('threat 24: a credit after expiry waits in suspense, and then completes the buy as late', async () => {
  const { accountNumber, amountMinor } = newPayer();
  const buy = await rig.buy({ accountNumber, amountMinor, expiresAtMs: rig.now() + 1_000 });
  await rig.until(buy.id, 'expired');
  rig.pass(1);
  const paid = await rig.payIn({ payerAccount: accountNumber, amountMinor });
  await readAndDie();
  const { id } = await creditNamed(paid);
  assert.equal((await rig.books(id))['NGN suspense'], -amountMinor, 'in suspense before it is matched');
  rig.pass(20_000);
  const done = await rig.until(buy.id, 'completed');
  assert.equal(done.exception, 'paid_late');
});

test('threat 24: a credit outside the match window matches no claim, and stays in suspense', async () => {
  const { accountNumber, amountMinor } = newPayer();
  const buy = await rig.buy({ accountNumber, amountMinor, expiresAtMs: rig.now() + 1_000 });
  await rig.until(buy.id, 'expired');
  rig.pass(8 * 86_400_000);
  const paid = await rig.payIn({ payerAccount: accountNumber, amountMinor });
  await rig.passing(3_000);
  assert.equal((await rig.find(buy.id)).state, 'expired');
  const { id, state } = await creditNamed(paid);
  assert.deepEqual([state, (await rig.books(id))['NGN suspense']], ['review', -amountMinor]);
});

test('threat 25: a claim keeps its vendor snapshot after the vendor is renamed and disabled, and is matched', async () => {
  const doing = { actor: 'test', atMs: rig.now() };
  const number = '9900000099';
  const vendor = {
    id: 'vnd_gone',
    mode: 'test',
    name: 'Old Name',
    number,
    bank: 'Providus Bank',
    bankCode: 'providus-bank',
  } as const;
  await rig.backOffice.addVendor({ ...vendor, active: true }, doing);
  const { accountNumber, amountMinor } = newPayer();
  const snapshot = { vendorId: vendor.id, name: vendor.name, number, bank: vendor.bank };
  const buy = await rig.buy({ accountNumber, amountMinor, vendor: snapshot });
  await rig.backOffice.changeVendor(vendor.id, { name: 'New Name', active: false }, doing);
  await rig.payIn({
    accountNumber: number,
    accountBankCode: vendor.bankCode,
    payerAccount: accountNumber,
    amountMinor,
  });
  const done = await rig.until(buy.id, 'completed');
  assert.deepEqual(done.vendor, snapshot);
});

test('the same account number at another bank is another account, so nothing is matched', async () => {
  const { accountNumber, amountMinor } = newPayer();
  const buy = await rig.buy({ accountNumber, amountMinor });
  await rig.payIn({ accountBankCode: 'wema-bank', payerAccount: accountNumber, amountMinor });
  await rig.passing(3_000);
  assert.equal((await rig.find(buy.id)).state, 'awaiting_payment');
});
