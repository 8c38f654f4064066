// Tests refusals by a rail. A refusal has no effect until the rail has confirmed it twice. The service no longer trusts a rail
// that pays a payout after it refused the payout. Each test counts the orders and the payments of the rails.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openRailRig } from '../../../../test/support/rails/rail-rig.ts';
import {
  NO_MONEY,
  SCRIPTED_TERMS,
  type ScriptedRail,
  scriptedRail,
} from '../../../../test/support/rails/scripted-rail.ts';
import { applySetting } from '../../../adapters/postgres/back-office/setting-writes.ts';
import { makeTransactionDetails } from '../../../adapters/postgres/reads/transaction-details.ts';
import { bankReference } from '../../../domain/records/movement.ts';
import { readBankFeed } from '../../settlement/record-lines.ts';

const rig = await openRailRig();

let named = 0;
async function rails(...scripts: readonly Parameters<typeof scriptedRail>[1][]): Promise<ScriptedRail[]> {
  const number = ++named;
  const made = scripts.map((acts, index) => scriptedRail(`rail-${number}${'abc'[index]}`, acts));
  await rig.fund(made);
  return made;
}
const sureAtMs = async (sellId: string) => {
  const read = await makeTransactionDetails(rig.database).detailsOf([await rig.find(sellId)]);
  return read.get(sellId)?.payoutSureAtMs;
};
const paidBy = (all: readonly ScriptedRail[]) => all.map(({ paid }) => paid.size);
const reservedNowhere = async (all: readonly ScriptedRail[], sellId: string, paying: ScriptedRail) => {
  for (const each of all) {
    const { bank_reserved: reserved, bank_out: out } = await rig.booksOf(each, sellId);
    assert.equal(reserved, undefined, `${each.rail.name} has nothing reserved`);
    assert.equal(out !== undefined, each === paying, `${each.rail.name}: naira left the account that paid`);
  }
};

test('threat 97: if a refusal is the rail’s fault, even in a status query, another rail pays after confirmation, and the first rail never does', async () => {
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
  assert.deepEqual((await rig.payoutOf(sell)).story, [`${a.rail.name} unknown`], 'one answer is no proof');
  assert.equal((await rig.find(sell.id)).stateReason, 'payout_refused');
  await rig.makeSure(process);
  const { story, movement } = await rig.payoutOf(sell);
  assert.deepEqual(story, [`${a.rail.name} failed`, `${b.rail.name} landed`]);
  assert.deepEqual([a.given.length, b.given.length, movement.state], [1, 1, 'done']);
  await reservedNowhere([a, b], sell.id, b);
});

test('threat 97: if a refusal is the fault of the payout, no other rail gets it, and the tokens are returned after confirmation', async () => {
  const sell = await rig.depositedSell();
  const refusal = { kind: 'failed', fault: 'payout', reason: 'account closed' } as const;
  const [a, b] = (await rails([refusal], [])) as [ScriptedRail, ScriptedRail];
  const process = rig.process([a, b]);
  await process.run();
  assert.equal((await rig.find(sell.id)).state, 'paying_out', 'nothing goes home at the first refusal');
  await rig.makeSure(process);
  assert.deepEqual([paidBy([a, b]), b.given.length], [[0, 0], 0]);
  assert.ok(['payout_failed', 'refunded'].includes((await rig.find(sell.id)).state));
});

test('if a process dies between the two status queries, no status is lost', async () => {
  const sell = await rig.depositedSell();
  const [a, b] = (await rails([NO_MONEY], [])) as [ScriptedRail, ScriptedRail];
  await rig.process([a, b]).run();
  rig.pass(SCRIPTED_TERMS.confirmAfterMs + 1);
  await rig.process([a, b]).run();
  rig.pass(SCRIPTED_TERMS.confirmAgainMs + 1);
  await rig.process([a, b]).run();
  assert.deepEqual((await rig.payoutOf(sell)).story, [`${a.rail.name} failed`, `${b.rail.name} landed`]);
});

for (const [what, fault] of [
  ['51, 12, 58, 61, 57', 'rail'],
  ['06', 'payout'],
] as const)
  test(`threats 56, 97: a payout that was refused (${what}) but paid anyway is paid once, and the rail is no longer trusted`, async () => {
    const sell = await rig.depositedSell();
    const refusal = { kind: 'failed', fault, reason: `refused (${what})` } as const;
    const paid = { kind: 'paid', sessionId: null, chargeMinor: 0n } as const;
    const says = [refusal, paid];
    const [b] = (await rails([])) as [ScriptedRail];
    const a = scriptedRail(`rail-${named}w`, [refusal], { ask: async () => says.shift() ?? paid });
    await rig.fund([a]);
    const process = rig.process([a, b]);
    await process.run();
    await rig.makeSure(process);
    assert.equal((await rig.find(sell.id)).state, 'completed');
    assert.deepEqual([a.given.length, b.given.length], [1, 0]);
    assert.deepEqual((await rig.deps.store.movementsOf([sell.id])).length, 1, 'no refund');
    const doubts = await rig.rows<{ rail: string }>(
      'select rail from rail_doubts where rail = $1',
      a.rail.name,
    );
    assert.equal(doubts.length, 1);

    const next = await rig.depositedSell();
    const doubted = scriptedRail(a.rail.name, [refusal]);
    const suspicious = rig.process([doubted, b]);
    await suspicious.run();
    assert.ok((await sureAtMs(next.id))! > rig.now(), 'the business reads until when');
    await rig.makeSure(suspicious);
    assert.equal(await sureAtMs(next.id), null, 'a time that is over is not read');
    assert.deepEqual((await rig.payoutOf(next)).story, [`${a.rail.name} unknown`]);
    assert.equal(b.given.length, 0);
    assert.ok(suspicious.troubles.some(({ message }) => message === 'a payout needs people'));
    const doing = { actor: 'test', atMs: rig.now() };
    const trust = { setting: 'rail_trusted', mode: 'test', rail: a.rail.name, reason: 'looked at' } as const;
    assert.equal(await applySetting(rig.database, trust, doing), 'done');
    rig.pass(6 * 60_000);
    await suspicious.run();
    assert.deepEqual(b.given.length, fault === 'rail' ? 1 : 0);
    assert.notEqual((await rig.find(next.id)).state, 'paying_out');
  });

test('if a rail refused a payout and reports its return after another rail paid it, nothing is booked, and people review it', async () => {
  const sell = await rig.depositedSell();
  const [a, b] = (await rails([NO_MONEY], [])) as [ScriptedRail, ScriptedRail];
  const process = rig.process([a, b]);
  await process.run();
  await rig.makeSure(process);
  const { movement, story } = await rig.payoutOf(sell);
  assert.deepEqual(story, [`${a.rail.name} failed`, `${b.rail.name} landed`]);
  const before = await rig.books(sell.id);
  const about = bankReference(movement.id);
  const line = {
    kind: 'payout_returned',
    sourceId: `back:${about}`,
    about,
    amountMinor: movement.nairaMinor,
    raw: {},
  } as const;
  const read = async () => ({ lines: [line], position: '0' });
  await readBankFeed(process.deps, 'test', { ...a.rail, statement: { read } });
  await process.run();
  assert.deepEqual(await rig.rows('select state from bank_notices where source_id = $1', line.sourceId), [
    { state: 'review' },
  ]);
  assert.deepEqual(await rig.books(sell.id), before);
  assert.deepEqual(await rig.rows('select id from cases where movement_id = $1', movement.id), []);
  assert.equal((await rig.find(sell.id)).state, 'completed');
});

test('a tester does not wait long: a payout that the simulated bank refuses is refunded within 15 seconds', async () => {
  const sell = await rig.depositedSell();
  rig.meets('pay', '*', 'fails');
  const beganMs = rig.now();
  await rig.until(sell.id, 'refunded');
  assert.ok(rig.now() - beganMs <= 15_000, `${rig.now() - beganMs} ms`);
  const reasons = (await rig.deps.store.timeline(sell.id)).map(({ reason }) => reason);
  assert.ok(reasons.indexOf('payout_refused') < reasons.indexOf('payout_failed'));
});
