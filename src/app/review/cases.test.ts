// Tests how cases end. Two people post the ledger entry that ends a case, and each case ends only once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { booksBalance } from '../../../test/e2e/settled.ts';
import { CORRECTED, openReturnedStage } from '../../../test/support/stages/returned.ts';
import { applySetting } from '../../adapters/postgres/back-office/setting-writes.ts';

const stage = await openReturnedStage({ partialCredit: 'refund' });
const {
  rig,
  about,
  agree,
  balance,
  casesOf,
  completedSell,
  paidByBank,
  payAgain,
  payoutsOf,
  reported,
  returnedSell,
} = stage;
const FEE = { feeMinor: 5_000n };

test('when a payout is returned, the sell is put on hold, and the books owe the naira', async () => {
  const before = await balance('recoveries');
  const { sell, payout, caseId } = await returnedSell(FEE);
  const held = await rig.find(sell.id);
  assert.deepEqual(
    [held.state, held.exception, held.stateReason],
    ['on_hold', 'payout_returned', 'payout_returned'],
  );
  assert.deepEqual(await payoutsOf(sell), [
    { id: payout.id, state: 'returned', account: sell.accountNumber },
  ]);
  assert.equal((await balance('recoveries')) - before, -payout.nairaMinor);
  const release = await agree({ action: 'release', subjectId: sell.id, detail: {} });
  assert.match(
    release.ok ? '' : release.error.message,
    /pay it again to an account that you name, or refund it/,
  );
  for (const [action, why] of [
    ['accepted', /still owed, so they are not a loss/],
    ['counted', /not about a payout that was paid after all/],
    ['write_off', /waits for its naira/],
  ] as const) {
    const refused = await agree({ action, subjectId: caseId, detail: {} });
    assert.match(refused.ok ? '' : refused.error.message, why);
  }
});

test('a payout that is repeated to a corrected account is paid there once, and the sell completes', async () => {
  const { sell, payout, caseId } = await returnedSell(FEE);
  const before = await balance('fees');
  assert.ok((await payAgain(caseId)).ok);
  assert.equal((await rig.find(sell.id)).state, 'paying_out');
  const done = await rig.until(sell.id, 'completed');
  assert.deepEqual([done.exception, done.stateReason], [null, 'payout_made']);
  const payouts = await payoutsOf(sell);
  assert.deepEqual(
    payouts.map(({ state, account }) => [state, account]),
    [
      ['returned', sell.accountNumber],
      ['done', CORRECTED.accountNumber],
    ],
  );
  assert.deepEqual(await paidByBank(sell.id), [
    [sell.accountNumber, payout.nairaMinor],
    [CORRECTED.accountNumber, payout.nairaMinor],
  ]);
  const [closed] = await casesOf(payout.id);
  assert.deepEqual([closed!.outcome, closed!.closed_by], ['paid_again', 'per_musa']);
  const books = await rig.books(sell.id);
  assert.deepEqual(
    [books['NGN recoveries'], books['NGN payouts_due'], await balance('fees')],
    [undefined, undefined, before],
  );
  const lines = (await rig.deps.store.timeline(sell.id)).map(({ to, reason }) => `${to}: ${reason}`);
  assert.deepEqual(lines.slice(-4), [
    'completed: payout_made',
    'on_hold: payout_returned',
    'paying_out: payout_repeated',
    'completed: payout_made',
  ]);
});

test('if the second payout is returned too, it gets a separate case, and the sell is paid a third time', async () => {
  const { sell, caseId } = await returnedSell();
  assert.ok((await payAgain(caseId)).ok);
  await rig.until(sell.id, 'completed');
  const second = (await payoutsOf(sell))[1]!;
  await reported(about('payout_returned', (await rig.deps.store.movementById(second.id))!));
  const [again] = await casesOf(second.id);
  assert.equal((await rig.find(sell.id)).state, 'on_hold');
  assert.ok((await payAgain(again!.id, { ...CORRECTED, accountNumber: '0222222220' })).ok);
  await rig.until(sell.id, 'completed');
  assert.deepEqual(
    (await payoutsOf(sell)).map(({ state }) => state),
    ['returned', 'returned', 'done'],
  );
});

test('when the tokens are returned, the case ends as sent back, and the sell as refunded', async () => {
  const { sell, payout, caseId } = await returnedSell(FEE);
  assert.ok((await agree({ action: 'refund', subjectId: caseId, detail: { target: null } })).ok);
  const done = await rig.until(sell.id, 'refunded');
  assert.equal(done.refundedMinor, sell.amountMinor);
  assert.equal((await casesOf(payout.id))[0]!.outcome, 'sent_back');
  const books = await rig.books(sell.id);
  for (const name of ['recoveries', 'payouts_due', 'redeemed', 'fees'])
    assert.equal(books[`NGN ${name}`], undefined, name);
  assert.equal((await paidByBank(sell.id)).length, 1);
  const late = await payAgain(sell.id);
  assert.match(late.ok ? '' : late.error.message, /refunded: only a sell on hold/);
});

test('if the bank returns less than was paid, the difference is a charge, and the whole payout is owed again', async () => {
  const [charges, recoveries] = [await balance('charges'), await balance('recoveries')];
  const { sell, payout, caseId } = await returnedSell({}, 1_000n);
  const charged = (
    await rig.rows<{ sum: string }>(
      `select sum(p.amount_minor)::text as sum from entries e join postings p on p.entry_id = e.id
      join accounts a on a.id = p.account_id where e.subject_id = $1 and e.event = 'bank_charged' and a.name = 'charges'`,
      sell.id,
    )
  )[0]!.sum;
  assert.equal((await balance('charges')) - charges, BigInt(charged) + 1_000n);
  assert.equal((await balance('recoveries')) - recoveries, -payout.nairaMinor);
  assert.ok((await payAgain(caseId)).ok);
  await rig.until(sell.id, 'completed');
  assert.equal((await paidByBank(sell.id)).at(-1)![1], payout.nairaMinor);
  assert.equal(await balance('recoveries'), recoveries);
});

test('if a returned payout is paid later after all, it is counted, both cases end, and nothing is paid again', async () => {
  const { sell, payout, caseId } = await returnedSell(FEE);
  const overpaid = await balance('overpaid');
  await reported(about('payout_paid_late', payout));
  assert.equal((await balance('overpaid')) - overpaid, payout.nairaMinor);
  for (const refused of [
    await payAgain(caseId),
    await agree({ action: 'refund', subjectId: sell.id, detail: { target: null } }),
  ])
    assert.match(refused.ok ? '' : refused.error.message, /paid it after all \(case cas_/);
  const late = (await casesOf(payout.id)).find(({ kind }) => kind === 'payout_paid_late')!;
  assert.ok((await agree({ action: 'counted', subjectId: late.id, detail: {} })).ok);
  const done = await rig.find(sell.id);
  assert.deepEqual([done.state, done.exception], ['completed', null]);
  assert.deepEqual(
    (await payoutsOf(sell)).map(({ state }) => state),
    ['done'],
  );
  assert.deepEqual(
    (await casesOf(payout.id)).map(({ outcome }) => outcome),
    ['counted', 'counted'],
  );
  assert.equal(await balance('overpaid'), overpaid);
  assert.equal((await rig.books(sell.id))['NGN recoveries'], undefined);
});

test('if a refused payout is paid after its tokens were returned, the overpayment is recovered or accepted as a loss', async () => {
  for (const outcome of ['recovered', 'accepted'] as const) {
    rig.meets('pay', '*', 'fails');
    const sell = await rig.sell({
      wallet: { network: 'Polygon', address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
    });
    await rig.depositFor(sell, sell.amountMinor);
    await rig.until(sell.id, 'refunded');
    const [failed] = await payoutsOf(sell);
    const payout = (await rig.deps.store.movementById(failed!.id))!;
    const before = [await balance('overpaid'), await balance('losses_accepted')] as const;
    await reported(about('payout_paid_late', payout));
    assert.equal((await rig.find(sell.id)).state, 'refunded');
    const [late] = await casesOf(payout.id);
    const counted = await agree({ action: 'counted', subjectId: late!.id, detail: {} });
    assert.match(counted.ok ? '' : counted.error.message, /book it as recovered, or accept the loss/);
    const named = await agree({
      ...{ action: 'recovered', subjectId: late!.id },
      detail: { into: { bankCode: 'GTBank', accountNumber: '0123456785' } },
    });
    assert.match(named.ok ? '' : named.error.message, /is not a payout account/);
    const detail = outcome === 'recovered' ? { into: null } : {};
    assert.ok((await agree({ action: outcome, subjectId: late!.id, detail } as never)).ok);
    assert.equal(await balance('overpaid'), before[0]);
    assert.equal(
      (await balance('losses_accepted')) - before[1],
      outcome === 'accepted' ? payout.nairaMinor : 0n,
    );
    assert.deepEqual(
      (await casesOf(payout.id)).map((each) => each.outcome),
      [outcome],
    );
    await reported(about('payout_paid_late', payout));
    assert.equal(await balance('overpaid'), before[0]);
    // The service no longer trusts the rail. People must review the next refusal of the rail until they trust it again.
    const trust = { setting: 'rail_trusted', mode: 'test', rail: 'simulated', reason: 'looked at' } as const;
    assert.equal(await applySetting(rig.database, trust, { actor: 'test', atMs: rig.now() }), 'done');
  }
});

test('the case of a payment that was reversed after its tokens left can end as recovered', async () => {
  const payer = { accountNumber: '5000000031', amountMinor: 1_650_000n };
  const buy = await rig.buy(payer);
  const name = await rig.payIn({ payerAccount: payer.accountNumber, amountMinor: payer.amountMinor });
  await rig.until(buy.id, 'completed');
  await rig.sandbox.reverse(name);
  await rig.passing(3_000);
  const [found] = await rig.rows<{ id: string }>('select id from cases where transaction_id = $1', buy.id);
  for (const action of ['write_off', 'counted'] as const)
    assert.equal((await agree({ action, subjectId: found!.id, detail: {} })).ok, false);
  assert.ok((await agree({ action: 'recovered', subjectId: found!.id, detail: { into: null } })).ok);
  assert.equal((await rig.books(buy.id))['NGN losses'], undefined);
  const twice = await agree({ action: 'accepted', subjectId: found!.id, detail: {} });
  assert.match(twice.ok ? '' : twice.error.message, /closed \(recovered\)/);
});

test('a returned refund is paid again to another account, or written off; it does not count as refunded', async () => {
  const buy = await rig.buy({ accountNumber: '5000000032', amountMinor: 1_700_000n });
  for (const amountMinor of [7_000n, 8_000n]) {
    await rig.payIn({ payerAccount: buy.accountNumber, amountMinor });
    await rig.passing(10_000);
  }
  const refunds = [...(await rig.deps.store.movementsOf([buy.id]))].sort((a, b) =>
    Number(a.nairaMinor - b.nairaMinor),
  );
  assert.equal((await rig.find(buy.id)).refundedMinor, 15_000n);
  const before = await balance('written_off');
  for (const refund of refunds) await reported(about('payout_returned', refund));
  assert.equal((await rig.find(buy.id)).refundedMinor, 0n);
  const [first, second] = await Promise.all(refunds.map(async ({ id }) => (await casesOf(id))[0]!.id));
  assert.ok((await payAgain(first!)).ok);
  await rig.passing(5_000);
  assert.deepEqual(
    [(await rig.find(buy.id)).refundedMinor, (await rig.find(buy.id)).exception],
    [7_000n, null],
  );
  const sent = (await rig.deps.store.movementsOf([buy.id])).find(({ state }) => state === 'done')!;
  assert.deepEqual(sent.destination, CORRECTED);
  assert.ok((await agree({ action: 'write_off', subjectId: second!, detail: {} })).ok);
  assert.equal((await balance('written_off')) - before, -8_000n);
  assert.equal((await rig.books(buy.id))['NGN recoveries'], undefined);
});

test('errors in an account are reported when the action is proposed', async () => {
  const { caseId } = await returnedSell();
  for (const [account, why] of [
    [{ ...CORRECTED, bankCode: 'No Such Bank' }, /There is no bank/],
    [{ ...CORRECTED, accountNumber: '123' }, /exactly 10 digits/],
    [{ ...CORRECTED, accountName: ' ' }, /account name is missing/],
  ] as const) {
    const refused = await payAgain(caseId, account);
    assert.match(refused.ok ? '' : refused.error.message, why);
  }
  const { sell } = await completedSell();
  const refused = await payAgain(sell.id);
  assert.match(refused.ok ? '' : refused.error.message, /only a sell on hold whose payout came back/);
});

test('the books balance after all tests', () => booksBalance({ foundation: rig } as never));
