// Sends on a scripted Polygon that the treasury guard can halt, and two people who resume the sends.
import assert from 'node:assert/strict';
import { loadBankDirectory } from '../../../src/adapters/catalogue/bank-directory.ts';
import { makeReviewStore } from '../../../src/adapters/postgres/review/review-store.ts';
import { proposeReview } from '../../../src/app/review/propose-review.ts';
import type { ReviewDeps } from '../../../src/app/review/review-deps.ts';
import { openScriptedRig } from '../networks/scripted-network.ts';
import { decideAs } from '../people/reviewers.ts';

export const ASSET = 'NGNC@Polygon';
export const RESUME = {
  action: 'resume',
  subjectId: `halt test ${ASSET}`,
  detail: { mode: 'test', asset: ASSET },
} as const;

export async function openHaltStage() {
  const { rig, paidBuys, untilAll, attemptsOf } = await openScriptedRig();
  const review: ReviewDeps = {
    ...rig.deps,
    treasuryWatch: rig.treasuryWatch,
    reviewDesk: makeReviewStore(rig.database),
    banks: loadBankDirectory(),
  };
  const lift = async () => {
    const proposed = await proposeReview(review, { ...RESUME, actor: 'per_ada' });
    assert.ok(proposed.ok, proposed.ok ? '' : proposed.error.message);
    const decision = { proposalId: proposed.value.id, approve: true, reason: 'looked at' };
    const decided = await decideAs(rig.database, review, { ...decision, actor: 'per_obi' });
    assert.ok(decided.ok, decided.ok ? '' : decided.error.message);
    return proposed.value;
  };
  const rounds = async (process: { run(): Promise<unknown> }, count: number, stepMs = 300) => {
    for (let round = 0; round < count; round++) {
      await process.run();
      rig.pass(stepMs);
    }
  };
  const halts = () => rig.rows<{ asset: string; reason: string }>('select asset, reason from halts');
  return { rig, paidBuys, untilAll, attemptsOf, review, halts, lift, rounds };
}
