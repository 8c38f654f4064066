// Which buys bank credits pay, from the statement of a bank to the tokens, on the real store: every doubt ends with a
// person, and no credit pays twice.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BUSINESS } from '../../../test/http/store-fixtures.ts';
import { openRig, PAYER } from '../../../test/support/settlement.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import { leaseOf } from './context.ts';
import { matchCredits } from './match-credits.ts';

const rig = await openRig();
await rig.addBusiness('biz_two');

let people = 0;
/** A payer whom no other test has heard of. */
function newPayer() {
  people++;
  const accountNumber = `${2_000_000_000 + people * 7_919}`;
  return { accountNumber, amountMinor: 1_600_000n + BigInt(people) };
}

/** No tokens were sent for it, and no movement is on its way. */
async function nothingSent({ id }: Transaction): Promise<void> {
  assert.deepEqual(await rig.rows('select id from movements where transaction_id = $1', id), []);
}

/** A process takes over the feed, writes down what the bank tells, and dies before it makes anything of it. */
async function readAndDie(): Promise<void> {
  rig.pass(20_000);
  const reader = rig.another({ store: () => ({ findCandidates: async () => assert.fail('died') }) });
  await assert.rejects(reader.run());
}

const creditNamed = async (sourceId: string) =>
  (await rig.deps.store.findCredit('test', 'simulated', sourceId))!;

/** Forty claims of another business that say the same but for what is given. */
async function decoys(changes: Partial<Transaction>): Promise<Transaction[]> {
  const made: Transaction[] = [];
  for (let no = 0; no < 40; no++) made.push(await rig.buy({ ...changes, businessId: 'biz_two' }));
  return made;
}

for (const first of [BUSINESS, 'biz_two']) {
  test(`threat 16: forty equal claims hide neither of two that bear the payer’s name, that of ${first} made first`, async () => {
    const equal = newPayer();
    const named = { ...equal, accountName: PAYER.name };
    const [one, two] = first === 'biz_two' ? ['biz_two', BUSINESS] : [BUSINESS, 'biz_two'];
    const claims = [
      await rig.buy({ ...named, businessId: one }),
      ...(await decoys({ ...equal, accountName: 'Musa Ibrahim' })),
      await rig.buy({ ...named, businessId: two }),
    ];
    const paid = await rig.payIn({ payerAccount: equal.accountNumber, amountMinor: equal.amountMinor });
    await rig.passing(5_000);
    for (const claim of claims) await nothingSent(claim);
    const { state, exception } = await creditNamed(paid);
    assert.deepEqual([state, exception], ['review', 'ambiguous']);
  });
}

test('threat 16: a claim that the narration or the name singles out is paid, however many others there are', async () => {
  for (const [accountName, narration] of [
    [null, (id: string) => `for ${id} thanks`],
    ['Musa Ibrahim', () => null],
  ] as const) {
    const { accountNumber, amountMinor } = newPayer();
    const mine = await rig.buy({ accountNumber, amountMinor, accountName: PAYER.name });
    const others = await decoys({ accountNumber, amountMinor, accountName });
    await rig.payIn({ payerAccount: accountNumber, amountMinor, narration: narration(mine.id) });
    await rig.until(mine.id, 'completed');
    for (const other of others) {
      assert.equal((await rig.find(other.id)).state, 'awaiting_payment');
      await nothingSent(other);
    }
  }
});

test('threat 16: of many claims that nothing tells apart none is paid, and none is held', async () => {
  const { accountNumber, amountMinor } = newPayer();
  const mine = await rig.buy({ accountNumber, amountMinor, accountName: PAYER.name });
  const others = await decoys({ accountNumber, amountMinor, accountName: null });
  const paid = await rig.payIn({ payerAccount: accountNumber, amountMinor });
  await rig.passing(5_000);
  for (const claim of [mine, ...others]) {
    assert.equal((await rig.find(claim.id)).state, 'awaiting_payment');
    await nothingSent(claim);
  }
  const { state, exception } = await creditNamed(paid);
  assert.deepEqual([state, exception], ['review', 'ambiguous']);
});

test('threat 16: a credit that a held claim waits for is not taken by whoever claims it later', async () => {
  const { accountNumber, amountMinor } = newPayer();
  const held = await rig.buy({ accountNumber, amountMinor, accountName: 'Musa Ibrahim' });
  const paid = await rig.payIn({ payerAccount: accountNumber, amountMinor });
  await rig.until(held.id, 'on_hold');
  const later = await rig.buy({ accountNumber, amountMinor, accountName: null, businessId: 'biz_two' });
  await rig.deps.store.hastenCredits([later], rig.now());
  await rig.passing(5_000);
  await nothingSent(later);
  const { state, transactionId } = await creditNamed(paid);
  assert.deepEqual([state, transactionId], ['review', held.id]);
});

test('threat 16: two businesses claim one credit: both are held, and nothing is sent', async () => {
  const { accountNumber, amountMinor } = newPayer();
  const claims = [
    await rig.buy({ accountNumber, amountMinor, accountName: PAYER.name }),
    await rig.buy({ accountNumber, amountMinor, accountName: PAYER.name, businessId: 'biz_two' }),
  ];
  const paid = await rig.payIn({ payerAccount: accountNumber, amountMinor });
  await rig.passing(5_000);
  for (const { id } of claims) {
    const { state, exception, receivedMinor } = await rig.find(id);
    assert.deepEqual([state, exception, receivedMinor], ['on_hold', 'duplicate_claim', 0n]);
    await nothingSent(claims[0]!);
  }
  const credit = await creditNamed(paid);
  assert.deepEqual([credit.state, credit.exception, credit.transactionId], ['review', 'ambiguous', null]);
  assert.deepEqual(Object.keys(await rig.books(credit.id)), ['NGN bank_in', 'NGN suspense']);
});

test('threat 16: the reference in the narration singles out one of two businesses; only it is paid', async () => {
  const { accountNumber, amountMinor } = newPayer();
  const mine = await rig.buy({ accountNumber, amountMinor });
  const other = await rig.buy({ accountNumber, amountMinor, businessId: 'biz_two' });
  await rig.payIn({ payerAccount: accountNumber, amountMinor, narration: `for ${other.id} thanks` });
  await rig.until(other.id, 'completed');
  assert.equal((await rig.find(mine.id)).state, 'awaiting_payment');
  await nothingSent(mine);
});

test('threat 16: a claim in another’s name falls out, and the payer’s own is paid', async () => {
  const { accountNumber, amountMinor } = newPayer();
  const thief = await rig.buy({
    accountNumber,
    amountMinor,
    accountName: 'Musa Ibrahim',
    businessId: 'biz_two',
  });
  const payer = await rig.buy({ accountNumber, amountMinor, accountName: PAYER.name });
  await rig.payIn({ payerAccount: accountNumber, amountMinor });
  await rig.until(payer.id, 'completed');
  assert.equal((await rig.find(thief.id)).state, 'awaiting_payment');
  await nothingSent(thief);
});

test('threat 17: two processes match one credit at once: it pays once, by constraint', async () => {
  const { accountNumber, amountMinor } = newPayer();
  const buy = await rig.buy({ accountNumber, amountMinor });
  const paid = await rig.payIn({ payerAccount: accountNumber, amountMinor });
  // Read, and whoever read it died: its lease ends, and two others believe it to be theirs.
  await readAndDie();
  rig.pass(20_000);
  const other = rig.another();
  const [credit] = (await rig.deps.store.leaseCredits(leaseOf(rig.deps, 50))).filter(
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
  assert.deepEqual([state, stateReason], ['expired', 'no payment was found in time']);
  await nothingSent(buy);
  assert.deepEqual(await rig.events(buy.id), []);
});

test('threat 20: a kobo less is held as paid in part, a kobo more is paid and the kobo goes back', async () => {
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

test('threat 21: one credit and two equal claims: neither; the second equal credit completes both', async () => {
  const { accountNumber, amountMinor } = newPayer();
  const claims = [
    await rig.buy({ accountNumber, amountMinor }),
    await rig.buy({ accountNumber, amountMinor }),
  ];
  await rig.payIn({ payerAccount: accountNumber, amountMinor });
  await rig.passing(3_000);
  for (const { id } of claims) assert.equal((await rig.find(id)).exception, 'duplicate_claim');
  await rig.payIn({ payerAccount: accountNumber, amountMinor });
  for (const { id } of claims) {
    const done = await rig.until(id, 'completed');
    assert.deepEqual([done.exception, done.receivedMinor], [null, amountMinor]);
  }
});

test('threat 21: as many equal credits as equal claims of two businesses: all stay held', async () => {
  const { accountNumber, amountMinor } = newPayer();
  const claims = [
    await rig.buy({ accountNumber, amountMinor }),
    await rig.buy({ accountNumber, amountMinor, businessId: 'biz_two' }),
  ];
  for (let i = 0; i < 2; i++) await rig.payIn({ payerAccount: accountNumber, amountMinor });
  await rig.passing(5_000);
  rig.pass(11 * 60_000);
  await rig.passing(2_000);
  for (const claim of claims) {
    assert.equal((await rig.find(claim.id)).state, 'on_hold');
    await nothingSent(claim);
  }
});

test('threat 22: the right account in another name is held', async () => {
  const { accountNumber, amountMinor } = newPayer();
  const buy = await rig.buy({ accountNumber, amountMinor, accountName: 'Musa Ibrahim' });
  const paid = await rig.payIn({ payerAccount: accountNumber, amountMinor });
  const held = await rig.until(buy.id, 'on_hold');
  assert.equal(held.exception, 'name_mismatch');
  await nothingSent(buy);
  const credit = await creditNamed(paid);
  assert.deepEqual([credit.state, credit.transactionId], ['review', buy.id]);
});

test('a masked payer matches by its end and a strong name; its end alone is held', async () => {
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

test('a credit that comes before its claim waits in suspense and pays the claim once it is made', async () => {
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

test('threat 24: a credit after expiry waits in suspense, then completes the buy as late', async () => {
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

test('threat 24: a credit beyond the window is no claim’s, and stays in suspense', async () => {
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

test('threat 25: a vendor renamed and taken off the list since leaves the claim on its snapshot: it is matched', async () => {
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

test('the same account number at another bank is another account: nothing is matched', async () => {
  const { accountNumber, amountMinor } = newPayer();
  const buy = await rig.buy({ accountNumber, amountMinor });
  await rig.payIn({ accountBankCode: 'wema-bank', payerAccount: accountNumber, amountMinor });
  await rig.passing(3_000);
  assert.equal((await rig.find(buy.id)).state, 'awaiting_payment');
});
