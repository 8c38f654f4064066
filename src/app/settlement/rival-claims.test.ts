// Tests several claims on one credit, of one business or of two. Only the claim that the payer identifies is paid. If the payer
// identifies no claim, all claims wait for a person.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BUSINESS } from '../../../test/http/store-fixtures.ts';
import { PAYER } from '../../../test/support/settlement.ts';
import { openCreditStage } from '../../../test/support/stages/credits.ts';
import type { Transaction } from '../../domain/records/transaction.ts';

const { creditNamed, newPayer, nothingSent, rig } = await openCreditStage();

async function decoys(changes: Partial<Transaction>): Promise<Transaction[]> {
  const made: Transaction[] = [];
  for (let no = 0; no < 40; no++) made.push(await rig.buy({ ...changes, businessId: 'biz_two' }));
  return made;
}

for (const first of [BUSINESS, 'biz_two']) {
  test(`threat 16: forty other claims do not hide two claims with the payer’s name, with that of ${first} made first`, async () => {
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

test('threat 16: a claim that the narration or the name identifies is paid, even if there are many other claims', async () => {
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

test('threat 16: if many claims cannot be distinguished, none is paid and none is held', async () => {
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

test('threat 16: a later claim does not get a credit that a held claim waits for', async () => {
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

test('threat 16: when two businesses claim one credit, both are held, and nothing is sent', async () => {
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

test('threat 16: the reference in the narration identifies one of two businesses, and only that one is paid', async () => {
  const { accountNumber, amountMinor } = newPayer();
  const mine = await rig.buy({ accountNumber, amountMinor });
  const other = await rig.buy({ accountNumber, amountMinor, businessId: 'biz_two' });
  await rig.payIn({ payerAccount: accountNumber, amountMinor, narration: `for ${other.id} thanks` });
  await rig.until(other.id, 'completed');
  assert.equal((await rig.find(mine.id)).state, 'awaiting_payment');
  await nothingSent(mine);
});

test('threat 16: a claim with another person’s name is ignored, and the payer’s own claim is paid', async () => {
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

test('threat 21: one credit with two equal claims pays neither; a second equal credit completes both', async () => {
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

test('threat 21: if there are as many equal credits as equal claims of two businesses, all claims stay held', async () => {
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
