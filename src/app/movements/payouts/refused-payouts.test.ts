// Tests a payout that every rail refused. It waits until a rail is available. Two people may return the tokens instead, unless
// settlement has started the payout again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideAs } from '../../../../test/support/people/reviewers.ts';
import { openRailRig } from '../../../../test/support/rails/rail-rig.ts';
import { NO_MONEY, scriptedRail } from '../../../../test/support/rails/scripted-rail.ts';
import { makeReviewStore } from '../../../adapters/postgres/review/review-store.ts';
import { repeatedReference } from '../../../domain/records/movement.ts';
import { proposeReview } from '../../review/propose-review.ts';

const rig = await openRailRig();
const reviews = {
  ...rig.deps,
  treasuryWatch: rig.treasuryWatch,
  reviewDesk: makeReviewStore(rig.database),
  banks: rig.deps.directory,
};

test('two people return the tokens of a sell whose payout every rail refused, and the payout is never tried again', async () => {
  const sell = await rig.depositedSell();
  const poor = scriptedRail('poor', [NO_MONEY]);
  await rig.fund([poor]);
  const process = rig.process([poor]);
  await process.run();
  await rig.makeSure(process);
  const { movement: waiting } = await rig.payoutOf(sell);
  assert.equal(waiting.state, 'pending');
  const request = { action: 'refund', subjectId: sell.id, detail: { target: null } } as const;
  const proposed = await proposeReview(reviews, { ...request, actor: 'per_ada' });
  assert.ok(proposed.ok);
  const decision = {
    proposalId: proposed.value.id,
    actor: 'per_musa',
    approve: true,
    reason: 'no rail pays it',
  };
  const decided = await decideAs(rig.database, reviews, decision);
  assert.ok(decided.ok);
  const payout = async () => (await rig.deps.store.movementById(waiting.id))!;
  const { state, reason, attempts } = await payout();
  assert.deepEqual([state, reason, attempts], ['failed', 'refund_decided', 1]);
  rig.pass(60_000);
  await rig.until(sell.id, 'refunded');
  assert.deepEqual([poor.paid.size, (await payout()).attempts], [0, 1]);
});

test('threat 56: the tokens are not returned while a rail has the payout', async () => {
  const sell = await rig.depositedSell();
  const silent = scriptedRail('silent', [{ kind: 'unknown', reason: 'no answer' }]);
  await rig.fund([silent]);
  await rig.process([silent]).run();
  const request = { action: 'refund', subjectId: sell.id, detail: { target: null } } as const;
  const proposed = await proposeReview(reviews, { ...request, actor: 'per_ada' });
  assert.deepEqual([proposed.ok, !proposed.ok && proposed.error.code], [false, 'not_possible']);
});

/** The process died after it stored the attempt, and the rail does not know the reference of the payout. */
async function lostPayout(name: string) {
  const sell = await rig.depositedSell();
  const lost = scriptedRail(name, [async () => assert.fail('died')]);
  await rig.fund([lost]);
  await assert.rejects(rig.process([lost]).run());
  const process = rig.process([lost]);
  const look = async (times: number) => {
    for (let no = 0; no < times; no++) {
      rig.pass(6 * 60_000);
      await process.run();
    }
  };
  const record = async (action: 'paid' | 'unpaid') => {
    const { movement } = await rig.payoutOf(sell);
    const proposed = await proposeReview(reviews, {
      action,
      subjectId: movement.id,
      detail: {},
      actor: 'per_ada',
    });
    if (!proposed.ok) return proposed.error.code;
    const decision = {
      proposalId: proposed.value.id,
      actor: 'per_musa',
      approve: true,
      reason: 'the bank says so',
    };
    const decided = await decideAs(rig.database, reviews, decision);
    return decided.ok ? 'done' : decided.error.code;
  };
  return { sell, lost, process, look, record };
}

test('after the service stopped querying, two people record that a payout was not paid, and it starts again under another reference', async () => {
  const { sell, lost, look, record } = await lostPayout('lost-unpaid');
  assert.equal(await record('unpaid'), 'not_possible', 'the service still asks');
  await look(5);
  assert.equal(lost.given.length, 1);
  assert.equal(await record('unpaid'), 'done');
  assert.deepEqual(await rig.booksOf(lost, sell.id), {}, 'nothing is reserved');
  await look(1);
  const { movement, story } = await rig.payoutOf(sell);
  assert.deepEqual(story, ['lost-unpaid failed', 'lost-unpaid landed']);
  assert.deepEqual([...lost.paid.keys()], [repeatedReference(movement.id, 2)]);
  assert.equal((await rig.find(sell.id)).state, 'completed');
});

test('two people record that a payout was paid, and it is completed without another order', async () => {
  const { sell, lost, look, record } = await lostPayout('lost-paid');
  await look(5);
  assert.equal(await record('paid'), 'done');
  await look(2);
  assert.equal((await rig.find(sell.id)).state, 'completed');
  assert.deepEqual([lost.given.length, (await rig.payoutOf(sell)).story], [1, ['lost-paid landed']]);
  assert.equal(await record('unpaid'), 'not_possible');
});
