// Tests the reasons that a business sees. A refund has the public reason of its proposal, and a release clears the reason that
// stopped the transaction. The tests commit plans without a proposal, because other tests check who may decide.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openReviewStage } from '../../../test/support/review-stage.ts';
import { clearStoppingException, EXCEPTIONS } from '../../domain/records/exceptions.ts';
import type { PublicReason } from '../../domain/records/move-reasons.ts';
import type { ReviewRequest } from '../../domain/review/proposal.ts';
import { planReview } from './plan-review.ts';

const stage = await openReviewStage();
const { deps, clock } = stage;

async function carryOut(request: ReviewRequest) {
  const plan = await planReview(deps, request, { actor: 'per_reviewer', atMs: clock.now() });
  if (!plan.ok) return plan.error.message;
  await stage.commit(plan.value.change);
  return stage.find(plan.value.change.transactions![0]!.after.id);
}

const refund = (subjectId: string, publicReason?: PublicReason) =>
  carryOut({
    ...{ action: 'refund', subjectId },
    detail: { target: null, ...(publicReason !== undefined && { publicReason }) },
  });

async function heldBuy() {
  const { id } = await stage.buy();
  const credit = await stage.credit(1_500_000n);
  await carryOut({ action: 'match', subjectId: credit.id, detail: { transactionId: id } });
  return stage.hold(await stage.find(id), 'screening_hit');
}

test('a refund shows the public reason at once, even for a transaction that was on hold before', async () => {
  for (const [given, shown] of [
    ['on_request', 'on_request'],
    [undefined, 'being_refunded'],
  ] as const) {
    const { id } = await heldBuy();
    const refunded = await refund(id, given);
    assert.ok(typeof refunded !== 'string', `${refunded}`);
    const { state, stateReason, exception } = refunded;
    assert.deepEqual([state, stateReason, exception], ['on_hold', shown, 'refund_decided']);
    assert.equal((await stage.store.timeline(id)).at(-1)!.reason, shown);
  }
});

test('only the refund of a transaction has a public reason', async () => {
  const credit = await stage.credit(1_500_000n);
  assert.match(String(await refund(credit.id, 'declined')), /leave it out/);
});

test('a release clears an exception that only stopped the transaction, but keeps an exception about its money', async () => {
  const { id } = await heldBuy();
  const gone = await carryOut({ action: 'release', subjectId: id, detail: {} });
  assert.ok(typeof gone !== 'string');
  assert.deepEqual([gone.state, gone.stateReason, gone.exception], ['paid', 'released', null]);
  assert.deepEqual(
    EXCEPTIONS.filter((each) => clearStoppingException(each) !== null),
    [
      ...['paid_partial', 'paid_over', 'paid_late', 'paid_after_cancel', 'unexpected_deposit'],
      ...['name_mismatch', 'suspicious_name', 'payer_unclear', 'duplicate_claim', 'wallet_missing'],
      ...['payout_failed', 'payout_returned', 'credit_reversed', 'refund_decided'],
    ],
  );
  assert.equal(clearStoppingException(null), null);
});
