// A payout goes to another rail only when its last attempt is proven to pay nothing. Each test counts what the rails really paid: an
// order is paid once, by one of them, and the books say by which.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openRailRig } from '../../../test/support/rails/rail-rig.ts';
import {
  NO_MONEY,
  NOT_SENT,
  type ScriptedRail,
  scriptedRail,
} from '../../../test/support/rails/scripted-rail.ts';
import { entryOf } from '../../domain/ledger/ledger.ts';
import {
  bankReference,
  movementOfReference,
  newMovement,
  repeatedReference,
} from '../../domain/records/movement.ts';
import { NAIRA } from '../../domain/values/assets.ts';
import { ID_RANDOM_BYTES, makeId } from '../../domain/values/ids.ts';

const rig = await openRailRig();

let named = 0;
/** Rails with naira, and names of their own in every test. */
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

test('threat 56: not sent by the step that stored it: another rail pays it at once, under the same reference', async () => {
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

test('threat 56: not sent in a later process proves nothing: the one that died may have sent it', async () => {
  const sell = await rig.depositedSell();
  const [a, b] = (await rails(
    [
      // The bank has the order, and the process dies before it learns so.
      async () => assert.fail('died'),
      NOT_SENT,
      NOT_SENT,
    ],
    [],
  )) as [ScriptedRail, ScriptedRail];
  await assert.rejects(rig.process([a, b]).run());
  assert.deepEqual((await rig.payoutOf(sell)).story, [`${a.rail.name} prepared`]);
  const later = rig.process([a, b]);
  rig.pass(16_000);
  await later.run();
  const { movement, story } = await rig.payoutOf(sell);
  assert.deepEqual([movement.state, story], ['unknown', [`${a.rail.name} unknown`]]);
  assert.deepEqual(b.given, []);
  for (let look = 0; look < 8; look++) {
    rig.pass(6 * 60_000);
    await later.run();
  }
  assert.deepEqual(paidBy([a, b]), [1, 0]);
  assert.ok(a.given.every(({ reference }) => reference === bankReference(movement.id)));
  assert.deepEqual(
    a.given.map(({ isFirst }) => isFirst),
    [true, ...a.given.slice(1).map(() => false)],
  );
});

test('a process that was too slow: what it learns about its own attempt changes nothing any more', async () => {
  const sell = await rig.depositedSell();
  const [a, b] = (await rails([], [])) as [ScriptedRail, ScriptedRail];
  const other = rig.process([a, b]);
  const slow: ScriptedRail = {
    ...a,
    rail: {
      ...a.rail,
      payouts: {
        ...a.rail.payouts,
        pay: async () => {
          // Its lease ends, and another process pays the stored attempt on the same rail.
          rig.pass(20_000);
          await other.run();
          return NOT_SENT;
        },
      },
    },
  };
  await rig.process([slow, b]).run();
  assert.deepEqual(paidBy([a, b]), [1, 0]);
  assert.deepEqual((await rig.payoutOf(sell)).story, [`${a.rail.name} landed`]);
  assert.equal((await rig.find(sell.id)).state, 'completed');
});

test('refused for good by fault of the rail, also when it is only asked: another rail pays, and the first never again', async () => {
  const sell = await rig.depositedSell();
  const [b] = (await rails([])) as [ScriptedRail];
  const a = scriptedRail(`rail-${named}z`, [{ kind: 'pending' }], {
    ask: async () => NO_MONEY,
  });
  await rig.fund([a]);
  const process = rig.process([a, b]);
  await process.run();
  assert.deepEqual((await rig.payoutOf(sell)).story, [`${a.rail.name} accepted`]);
  rig.pass(60_000);
  await process.run();
  const { story, movement } = await rig.payoutOf(sell);
  assert.deepEqual(story, [`${a.rail.name} failed`, `${b.rail.name} landed`]);
  assert.deepEqual([a.given.length, b.given.length, movement.state], [1, 1, 'done']);
  await reservedNowhere([a, b], sell.id, b);
});

test('refused for good because of the payout: no other rail gets it, and the tokens go home', async () => {
  const sell = await rig.depositedSell();
  const refusal = { kind: 'failed', fault: 'payout', reason: 'account closed' } as const;
  const [a, b] = (await rails([refusal], [])) as [ScriptedRail, ScriptedRail];
  await rig.process([a, b]).run();
  assert.deepEqual([paidBy([a, b]), b.given.length], [[0, 0], 0]);
  assert.ok(['payout_failed', 'refunded'].includes((await rig.find(sell.id)).state));
});

test('no rail is left: a refused payout waits without a reserve, is tried again in turn, and is never undone', async () => {
  const sell = await rig.depositedSell();
  const [a, b] = (await rails([NO_MONEY, NO_MONEY], [NO_MONEY])) as [ScriptedRail, ScriptedRail];
  const process = rig.process([a, b]);
  await process.run();
  const waiting = await rig.payoutOf(sell);
  assert.deepEqual(waiting.story, [`${a.rail.name} failed`, `${b.rail.name} failed`]);
  assert.deepEqual([waiting.movement.state, waiting.movement.bankAccount], ['pending', null]);
  assert.match(waiting.movement.reason ?? '', /refused it: insufficient balance/);
  assert.equal((await rig.find(sell.id)).state, 'paying_out');
  for (const each of [a, b]) assert.deepEqual(await rig.booksOf(each, sell.id), {});
  for (let look = 0; look < 3; look++) {
    rig.pass(6 * 60_000);
    await process.run();
  }
  const { story, movement, attempts } = await rig.payoutOf(sell);
  // The one whose refusal is oldest comes first; a reference that a rail refused is never given to it again.
  const [, , third, fourth] = attempts;
  assert.deepEqual(story.slice(2), [`${a.rail.name} failed`, `${b.rail.name} landed`]);
  assert.deepEqual(
    [third!.reference, fourth!.reference],
    [repeatedReference(movement.id, 3), repeatedReference(movement.id, 4)],
  );
  assert.equal(movementOfReference(fourth!.reference), movement.id);
  assert.deepEqual(paidBy([a, b]), [0, 1]);
  await reservedNowhere([a, b], sell.id, b);
});

test('not sent, and no other rail fits: it waits on its own rail', async () => {
  const sell = await rig.depositedSell();
  const [a] = (await rails([NOT_SENT])) as [ScriptedRail];
  const poor = scriptedRail(`rail-${named}y`);
  await rig.fund([poor], sell.amountMinor - sell.feeMinor - 1n);
  const process = rig.process([a, poor]);
  await process.run();
  assert.deepEqual((await rig.payoutOf(sell)).story, [`${a.rail.name} unknown`]);
  for (let look = 0; look < 6; look++) {
    rig.pass(6 * 60_000);
    await process.run();
  }
  assert.deepEqual(paidBy([a, poor]), [1, 0]);
  assert.equal((await rig.find(sell.id)).state, 'completed');
});

test('a refund by bank goes to another rail in the same way, and waits when every rail refuses it', async () => {
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
  assert.deepEqual([(await state()).state, (await state()).attempts, paidBy([a, b])], ['pending', 2, [0, 0]]);
  for (let look = 0; look < 3; look++) {
    rig.pass(6 * 60_000);
    await process.run();
  }
  const { state: end, attempts, bankAccount } = await state();
  assert.deepEqual([end, attempts, bankAccount], ['done', 4, `${b.rail.name}:0000000001`]);
  assert.deepEqual(paidBy([a, b]), [0, 1]);
  await reservedNowhere([a, b], id, b);
});
