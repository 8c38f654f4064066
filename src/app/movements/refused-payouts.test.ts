// A payout that every rail refused waits for one. Two people may send the tokens back instead, unless settlement has taken it up.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideAs } from '../../../test/support/people/reviewers.ts';
import { openRailRig } from '../../../test/support/rails/rail-rig.ts';
import { NO_MONEY, scriptedRail } from '../../../test/support/rails/scripted-rail.ts';
import { makeReviewDesk } from '../../adapters/postgres/review/review-desk.ts';
import { proposeReview } from '../review/propose-review.ts';

const rig = await openRailRig();
const reviews = {
  ...rig.deps,
  treasuryWatch: rig.treasuryWatch,
  reviewDesk: makeReviewDesk(rig.database),
  banks: rig.deps.directory,
};

test('two people send the tokens of a sell back whose payout every rail refused; it is never tried again', async () => {
  const sell = await rig.depositedSell();
  const poor = scriptedRail('poor', [NO_MONEY]);
  await rig.fund([poor]);
  await rig.process([poor]).run();
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

test('threat 56: a payout that a rail has is not given up for the tokens', async () => {
  const sell = await rig.depositedSell();
  const silent = scriptedRail('silent', [{ kind: 'unknown', reason: 'no answer' }]);
  await rig.fund([silent]);
  await rig.process([silent]).run();
  const request = { action: 'refund', subjectId: sell.id, detail: { target: null } } as const;
  const proposed = await proposeReview(reviews, { ...request, actor: 'per_ada' });
  assert.deepEqual([proposed.ok, !proposed.ok && proposed.error.code], [false, 'not_possible']);
});
