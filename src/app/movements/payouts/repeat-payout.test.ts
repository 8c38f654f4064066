// Tests a payout that is made again. The service checks its account first and makes it once, even after two approvals at the
// same time. If the first payout succeeds late, this success is counted or becomes a case, and is never lost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { booksBalance } from '../../../../test/e2e/settled.ts';
import { CORRECTED, openReturnedStage } from '../../../../test/support/stages/returned.ts';
import { bankReference } from '../../../domain/records/movement.ts';
import type { BankNotice } from '../../../domain/records/notice.ts';
import { ERASED } from '../../../domain/values/erased.ts';
import { newId } from '../../engine/deps.ts';
import { makeLeaseRequest } from '../../engine/leases.ts';
import { handleNotices } from '../../settlement/handle-notices.ts';

const stage = await openReturnedStage();
const { rig, agree, approve, casesOf, payAgain, paidByBank, payoutsOf, propose, returnedSell } = stage;
const again = (subjectId: string, account: object = CORRECTED) =>
  ({ action: 'pay_again', subjectId, detail: { account } }) as never;

test('an account that the bank does not know, or that has another name, is not paid: the sell waits, and nothing is reserved', async () => {
  for (const [account, exception] of [
    [{ ...CORRECTED, accountNumber: '0000000000' }, 'account_unknown'],
    [CORRECTED, 'name_mismatch'],
  ] as const) {
    const { sell, caseId } = await returnedSell();
    const other = rig.another({
      bank: { enquireName: async () => ({ kind: 'found', name: 'SOMEONE ELSE ENTIRELY' }) },
    });
    assert.ok((await payAgain(caseId, account)).ok);
    if (exception === 'name_mismatch') await other.run();
    const held = await rig.until(sell.id, 'on_hold');
    assert.deepEqual([held.exception, held.stateReason], [exception, exception]);
    assert.equal((await paidByBank(sell.id)).length, 1);
    const books = await rig.books(sell.id);
    assert.deepEqual(
      [books['NGN bank_reserved'], books['NGN payouts_due']],
      [undefined, -sell.amountMinor],
      'still owed',
    );
    // The proposal refers to the sell, because the case of the sell is closed. The operator already owes the naira in the
    // books, so nothing is posted twice.
    const release = await agree({ action: 'release', subjectId: sell.id, detail: {} });
    assert.equal(release.ok, false);
    if (exception === 'account_unknown') {
      assert.ok((await payAgain(sell.id)).ok);
      await rig.until(sell.id, 'completed');
    } else {
      assert.ok((await agree({ action: 'refund', subjectId: sell.id, detail: { target: null } })).ok);
      await rig.until(sell.id, 'refunded');
    }
    assert.equal((await rig.books(sell.id))['NGN payouts_due'], undefined);
  }
});

test('while the bank cannot name the owner of the account, the payout waits', async () => {
  const { sell, caseId } = await returnedSell();
  const unsure = rig.another({ bank: { enquireName: async () => ({ kind: 'unknown', reason: 'later' }) } });
  assert.ok((await payAgain(caseId)).ok);
  for (let turn = 0; turn < 5; turn++) {
    await unsure.run();
    rig.pass(1_000);
  }
  assert.deepEqual(
    (await payoutsOf(sell)).map(({ state }) => state),
    ['returned', 'pending'],
  );
  rig.pass(20_000);
  await rig.until(sell.id, 'completed');
});

test('an account that was erased before a repeated payout is not looked up, and the sell is held for review', async () => {
  const { sell, caseId } = await returnedSell();
  const asked: string[] = [];
  const bank = {
    enquireName: async ({ accountNumber }: { readonly accountNumber: string }) => {
      asked.push(accountNumber);
      return { kind: 'unknown', reason: 'later' } as const;
    },
  };
  const unsure = rig.another({ bank });
  assert.ok((await payAgain(caseId)).ok);
  await unsure.run();
  assert.deepEqual(asked, [CORRECTED.accountNumber]);
  const erased = { accountNumber: ERASED, accountName: ERASED };
  await rig.database.query({
    text: `update movements set destination = destination || $2 where transaction_id = $1 and state = 'pending'`,
    values: [sell.id, JSON.stringify(erased)],
  });
  rig.pass(20_000);
  await unsure.run();
  const { state, exception } = await rig.find(sell.id);
  assert.deepEqual([state, exception, asked.length], ['on_hold', 'account_unknown', 1]);
  assert.ok((await payAgain(sell.id)).ok);
  await rig.until(sell.id, 'completed');
});

test('threat 58: if many people approve several proposals for one sell at once, only one approval succeeds and the others are refused', async () => {
  const { sell, payout, caseId } = await returnedSell();
  const proposals = [
    await propose(again(caseId)),
    await propose(again(sell.id, { ...CORRECTED, accountNumber: '0222222220' }), 'per_obi'),
    await propose({ action: 'refund', subjectId: sell.id, detail: { target: null } } as never, 'per_eve'),
  ].map((each) => (each.ok ? each.value.id : assert.fail(each.error.message)));
  const decided = await Promise.all(
    proposals.flatMap((id) => [approve(id, 'per_musa'), approve(id, 'per_uche')]),
  );
  assert.equal(decided.filter(({ ok }) => ok).length, 1);
  const done = await rig.until(sell.id, 'completed', 'refunded');
  assert.equal((await paidByBank(sell.id)).length, done.state === 'completed' ? 2 : 1);
  assert.equal((await casesOf(payout.id)).length, 1);
  assert.equal((await rig.books(sell.id))['NGN recoveries'], undefined);
});

test('threat 58: if an approval and a late success arrive at once, either the late payment is counted, or the payout is repeated and a case shows the overpayment', async () => {
  for (let round = 0; round < 6; round++) {
    const { sell, payout, caseId } = await returnedSell();
    const proposed = await propose(again(caseId));
    assert.ok(proposed.ok);
    const atMs = rig.now();
    const reference = bankReference(payout.id);
    const notice: BankNotice = {
      ...{ id: newId(rig.deps, 'ntc'), mode: 'test', source: 'simulated', sourceId: `late ${reference}` },
      ...{ kind: 'payout_paid_late', about: reference, amountMinor: payout.nairaMinor, receivedAtMs: atMs },
      ...{ raw: {}, state: 'open', version: 1, dueAtMs: atMs, tries: 0 },
    };
    await rig.deps.store.commit([{ atMs, newNotices: [notice] }]);
    const leased = await rig.deps.store.leaseNotices(makeLeaseRequest(rig.deps, 10));
    const other = rig.another();
    const [approved] = await Promise.all([
      round % 2 === 0 ? approve(proposed.value.id) : approve(proposed.value.id, 'per_uche'),
      handleNotices(other.deps, leased),
    ]);
    rig.pass(40_000);
    await rig.passing(5_000);
    const late = (await casesOf(payout.id)).find(({ kind }) => kind === 'payout_paid_late');
    assert.ok(late !== undefined, 'booked, whoever was first');
    const { state } = await rig.find(sell.id);
    assert.equal(state, approved.ok ? 'completed' : 'on_hold');
    assert.equal((await paidByBank(sell.id)).length, approved.ok ? 2 : 1);
    const way = approved.ok ? 'accepted' : 'counted';
    assert.ok((await agree({ action: way, subjectId: late.id, detail: {} })).ok);
    assert.equal((await rig.find(sell.id)).state, 'completed');
    assert.equal((await rig.books(sell.id))['NGN overpaid'], undefined);
  }
});

test('the books balance after all tests', () => booksBalance({ foundation: rig } as never));
