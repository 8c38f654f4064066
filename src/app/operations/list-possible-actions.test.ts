// Tests that the amount on a button is the amount that the action posts. A possible action shows the amount from the same plan
// that checks its approval.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAKER } from '../../../test/support/people/reviewers.ts';
import { openReviewStage } from '../../../test/support/review-stage.ts';
import type { ReviewRequest } from '../../domain/review/proposal.ts';
import { listPossibleActions, type PossibleAction } from './list-possible-actions.ts';
import { previewReview } from './preview-review.ts';

const stage = await openReviewStage();
const { deps } = stage;

async function posted(request: ReviewRequest): Promise<bigint> {
  const preview = await previewReview(deps, request, MAKER);
  assert.ok(preview.ok, preview.ok ? '' : preview.error.message);
  const postings = preview.value.entries.flatMap((entry) => entry.postings);
  return postings.reduce((sum, { amountMinor }) => (amountMinor > 0n ? sum + amountMinor : sum), 0n);
}

const amounts = async (record: { readonly id: string }) =>
  new Map(
    (await listPossibleActions(deps, record, MAKER)).map(
      ({ action, amountMinor }) => [action, amountMinor] as [PossibleAction['action'], bigint | null],
    ),
  );

test('a short buy is refunded with the received amount, and its button shows that amount', async () => {
  const buy = await stage.buy();
  const credit = await stage.credit(1_490_000n);
  const ofCredit = await amounts(credit);
  const detail = { transactionId: buy.id };
  assert.equal(ofCredit.get('match'), await posted({ action: 'match', subjectId: credit.id, detail }));
  assert.equal((await stage.agree({ action: 'match', subjectId: credit.id, detail })).ok, true);
  const held = await stage.find(buy.id);
  const refund = { action: 'refund', subjectId: buy.id, detail: { target: null } } as const;
  const said = (await amounts(held)).get('refund');
  assert.ok(said !== held.amountMinor, 'the buy itself is about more');
  assert.deepEqual([said, await posted(refund)], [1_490_000n, 1_490_000n]);
});

test('an action that is not possible, or that needs more input, shows no amount', async () => {
  const unpaid = await amounts(await stage.buy());
  assert.equal(unpaid.get('refund'), null);
  const deposit = await stage.deposit(20_000n, { exception: 'unexpected_deposit' });
  assert.equal((await amounts(deposit)).get('refund'), null);
});
