// Tests that a payout goes to another rail only after it is proven that its last attempt pays nothing. Each test counts the
// real payments: one rail pays an order once, and the books show which rail paid.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openRailRig } from '../../../../test/support/rails/rail-rig.ts';
import {
  NO_MONEY,
  NOT_SENT,
  PAID_ONCE,
  SCRIPTED_TERMS,
  type ScriptedRail,
  scriptedRail,
} from '../../../../test/support/rails/scripted-rail.ts';
import type { SettlementProcess } from '../../../../test/support/settlement-process.ts';
import { makeReviewStore } from '../../../adapters/postgres/review/review-store.ts';
import { entryOf } from '../../../domain/ledger/ledger.ts';
import { callLeaseMs } from '../../../domain/rails/terms.ts';
import {
  bankReference,
  newMovement,
  parseBankReference,
  repeatedReference,
} from '../../../domain/records/movement.ts';
import { ID_RANDOM_BYTES, makeId } from '../../../domain/values/ids.ts';
import { NAIRA } from '../../../domain/values/money.ts';

const rig = await openRailRig();

let named = 0;
async function rails(...scripts: readonly Parameters<typeof scriptedRail>[1][]): Promise<ScriptedRail[]> {
  const number = ++named;
  const made = scripts.map((acts, index) => scriptedRail(`rail-${number}${'abc'[index]}`, acts));
  await rig.fund(made);
  return made;
}
const paidBy = (all: readonly ScriptedRail[]) => all.map(({ paid }) => paid.size);
const reservedNowhere = async (all: readonly ScriptedRail[], sellId: string, paying: ScriptedRail) => {
  for (const each of all) {
    const { bank_reserved: reserved, bank_out: out } = await rig.booksOf(each, sellId);
    assert.equal(reserved, undefined, `${each.rail.name} has nothing reserved`);
    assert.equal(out !== undefined, each === paying, `${each.rail.name}: naira left the account that paid`);
  }
};

test('threat 56: if the process stored the attempt but did not send it, another rail pays at once, under the same reference', async () => {
  const sell = await rig.depositedSell();
  const [a, b] = (await rails([NOT_SENT], [])) as [ScriptedRail, ScriptedRail];
  await rig.process([a, b]).run();
  const { movement, story } = await rig.payoutOf(sell);
  assert.deepEqual([movement.state, movement.attempts], ['done', 2]);
  assert.deepEqual(story, [`${a.rail.name} dead`, `${b.rail.name} landed`]);
  assert.deepEqual([...b.paid.keys()], [bankReference(movement.id)]);
  assert.deepEqual(paidBy([a, b]), [0, 1]);
  assert.equal(movement.bankAccount, `${b.rail.name}:0000000001`);
  await reservedNowhere([a, b], sell.id, b);
  assert.deepEqual(
    [a, b].map(({ given }) => given.map(({ isFirst }) => isFirst)),
    [[true], [true]],
  );
});

const LEASE_OVER_MS = callLeaseMs(SCRIPTED_TERMS) + 1;
const lookOften = async (process: SettlementProcess) => {
  for (let look = 0; look < 8; look++) {
    rig.pass(6 * 60_000);
    await process.run();
  }
};
const died = async () => assert.fail('died');

test('threat 56: the attempt of a process that died is queried and never ordered again automatically, and it is reported to people', async () => {
  const sell = await rig.depositedSell();
  const [a, b] = (await rails([died], [])) as [ScriptedRail, ScriptedRail];
  await assert.rejects(rig.process([a, b]).run());
  assert.deepEqual((await rig.payoutOf(sell)).story, [`${a.rail.name} prepared`]);
  const later = rig.process([a, b]);
  rig.pass(LEASE_OVER_MS);
  await later.run();
  assert.deepEqual((await rig.payoutOf(sell)).story, [`${a.rail.name} unknown`]);
  await lookOften(later);
  assert.deepEqual([a.given.length, b.given.length], [1, 0], 'no process orders it again');
  assert.ok(a.asked.length > 3);
  const needs = later.troubles.filter(({ message }) => message === 'a payout needs people');
  assert.equal(needs.length, 1, 'said once');
  const [unknown] = await makeReviewStore(rig.database).unknownPayouts(rig.now(), 10, 'test');
  assert.equal(unknown?.transactionId, sell.id, 'people see it at once');
  await rig.rows(`update movements set state = 'failed', due_at = null where transaction_id = $1`, sell.id);
});

test('if a rail pays each reference only once and has not found a payout for a long time, the payout is ordered again with the same reference', async () => {
  const sell = await rig.depositedSell();
  const a = scriptedRail('once-a', [died, 'pays'], {}, PAID_ONCE);
  const b = scriptedRail('once-b');
  await rig.fund([a, b]);
  await assert.rejects(rig.process([a, b]).run());
  const later = rig.process([a, b]);
  rig.pass(LEASE_OVER_MS);
  await later.run();
  assert.equal(a.given.length, 1, 'not at once');
  await lookOften(later);
  const { movement, story } = await rig.payoutOf(sell);
  assert.deepEqual(story, ['once-a landed']);
  assert.deepEqual(paidBy([a, b]), [1, 0]);
  assert.deepEqual(
    a.given.map(({ isFirst, reference }) => [isFirst, reference === bankReference(movement.id)]),
    [
      [true, true],
      [false, true],
    ],
  );
});

test('threat 56: a step that lost its lease but never called the rail can report the attempt as not sent, and another rail pays', async () => {
  const sell = await rig.depositedSell();
  const [a, b] = (await rails([], [])) as [ScriptedRail, ScriptedRail];
  const other = rig.process([a, b]);
  const pay = async () => {
    rig.pass(LEASE_OVER_MS);
    await other.run();
    return NOT_SENT;
  };
  const slow: ScriptedRail = { ...a, rail: { ...a.rail, payouts: { ...a.rail.payouts, pay } } };
  await rig.process([slow, b]).run();
  assert.equal(a.asked.length, 1);
  assert.deepEqual(paidBy([a, b]), [0, 1]);
  assert.deepEqual((await rig.payoutOf(sell)).story, [`${a.rail.name} dead`, `${b.rail.name} landed`]);
});

test('without another rail, a refused payout waits without a reserve, each rail is tried again in turn, and the payout is not undone', async () => {
  const sell = await rig.depositedSell();
  const [a, b] = (await rails([NO_MONEY, NO_MONEY], [NO_MONEY])) as [ScriptedRail, ScriptedRail];
  const process = rig.process([a, b]);
  await process.run();
  await rig.makeSure(process);
  await rig.makeSure(process);
  const waiting = await rig.payoutOf(sell);
  assert.deepEqual(waiting.story, [`${a.rail.name} failed`, `${b.rail.name} failed`]);
  assert.deepEqual([waiting.movement.state, waiting.movement.bankAccount], ['pending', null]);
  assert.match(waiting.movement.reason ?? '', /refused it: insufficient balance/);
  assert.equal((await rig.find(sell.id)).state, 'paying_out');
  for (const each of [a, b]) assert.deepEqual(await rig.booksOf(each, sell.id), {});
  for (let look = 0; look < 2; look++) {
    rig.pass(6 * 60_000);
    await process.run();
    await rig.makeSure(process);
  }
  const { story, movement, attempts } = await rig.payoutOf(sell);
  // The rail with the oldest refusal is tried first. A rail that refused a reference never gets the same reference again.
  const [, , third, fourth] = attempts;
  assert.deepEqual(story.slice(2), [`${a.rail.name} failed`, `${b.rail.name} landed`]);
  assert.deepEqual(
    [third!.reference, fourth!.reference],
    [repeatedReference(movement.id, 3), repeatedReference(movement.id, 4)],
  );
  assert.equal(parseBankReference(fourth!.reference), movement.id);
  assert.deepEqual(paidBy([a, b]), [0, 1]);
  await reservedNowhere([a, b], sell.id, b);
});

test('a payout that was not sent, and that no other rail can pay, waits without a reserve, and the same rail gets it under another reference', async () => {
  const sell = await rig.depositedSell();
  const [a] = (await rails([NOT_SENT])) as [ScriptedRail];
  const poor = scriptedRail(`rail-${named}y`);
  await rig.fund([poor], sell.amountMinor - sell.feeMinor - 1n);
  const process = rig.process([a, poor]);
  await process.run();
  const { movement, story } = await rig.payoutOf(sell);
  assert.deepEqual([movement.state, story], ['pending', [`${a.rail.name} dead`]]);
  assert.deepEqual(await rig.booksOf(a, sell.id), {});
  rig.pass(60_000);
  await process.run();
  assert.deepEqual([...a.paid.keys()], [repeatedReference(movement.id, 2)]);
  assert.equal(poor.paid.size, 0);
  assert.equal((await rig.find(sell.id)).state, 'completed');
});

test('a bank refund moves to another rail in the same way, and waits when every rail refuses it', async () => {
  const [a, b] = (await rails([NOT_SENT, NO_MONEY], [NO_MONEY])) as [ScriptedRail, ScriptedRail];
  const atMs = rig.now();
  const id = makeId('mov', atMs, rig.deps.entropy.bytes(ID_RANDOM_BYTES));
  const of = { mode: 'test', subjectId: id, bankAccount: 'some:1', amounts: { amount: 70_000n } } as const;
  const refund = newMovement({
    ...{
      id,
      kind: 'refund',
      mode: 'test',
      network: null,
      asset: NAIRA,
      amountMinor: 70_000n,
      nairaMinor: 70_000n,
    },
    ...{ destination: { bankCode: 'access-bank', accountNumber: '0123456785', accountName: null }, atMs },
  });
  const entries = [entryOf('credit_received', of), entryOf('credit_refund_due', of)];
  await rig.deps.store.commit([{ atMs, newMovements: [refund], entries }]);
  const process = rig.process([a, b]);
  const state = async () => (await rig.deps.store.movementById(id))!;
  await process.run();
  assert.deepEqual(
    [(await state()).state, (await state()).attempts],
    ['unknown', 2],
    'a refusal is made sure of',
  );
  await rig.makeSure(process);
  assert.deepEqual([(await state()).state, (await state()).attempts, paidBy([a, b])], ['pending', 2, [0, 0]]);
  for (let look = 0; look < 2; look++) {
    rig.pass(6 * 60_000);
    await process.run();
    await rig.makeSure(process);
  }
  const { state: end, attempts, bankAccount } = await state();
  assert.deepEqual([end, attempts, bankAccount], ['done', 4, `${b.rail.name}:0000000001`]);
  assert.deepEqual(paidBy([a, b]), [0, 1]);
  await reservedNowhere([a, b], id, b);
});
