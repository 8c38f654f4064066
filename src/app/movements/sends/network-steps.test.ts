// Tests the cost of a payment besides its fee. For a sell, the operator pays only once to open an account for the recipient,
// who must then keep it open.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHECKER, decideAs, MAKER } from '../../../../test/support/people/reviewers.ts';
import { openRig, POLYGON_WALLET } from '../../../../test/support/settlement.ts';
import { loadBankDirectory } from '../../../adapters/catalogue/bank-directory.ts';
import { makeReviewStore } from '../../../adapters/postgres/review/review-store.ts';
import { proposeReview } from '../../review/propose-review.ts';

const OTHER = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';

test('for one sell we pay only once to open an account; later refunds wait until people name another wallet', async () => {
  const rig = await openRig();
  const sell = await rig.sell({ wallet: POLYGON_WALLET });
  await rig.depositFor(sell, 2_500_000n);
  await rig.until(sell.id, 'completed');
  rig.pass(16_000);
  const asked: boolean[] = [];
  const picky = rig.another({
    network: (real) =>
      real.name === 'Polygon'
        ? {
            recipientReady: async ({ opensAccount, to }) => {
              asked.push(opensAccount);
              return opensAccount || to === OTHER ? 'ready' : 'waiting';
            },
          }
        : {},
  });
  const refunds = () =>
    rig.rows<{ id: string; state: string }>(
      "select id, state from movements where transaction_id = $1 and kind = 'refund' order by id",
      sell.id,
    );
  const passing = async (rounds: number) => {
    for (let round = 0; round < rounds; round++) {
      await picky.run();
      rig.pass(1_000);
    }
  };
  await rig.depositFor(sell, 100n, { id: 'first' });
  await passing(20);
  await rig.depositFor(sell, 100n, { id: 'second' });
  await passing(20);
  assert.deepEqual(
    (await refunds()).map(({ state }) => state),
    ['done', 'pending'],
  );
  assert.deepEqual([asked[0], new Set(asked.slice(1))], [true, new Set([false])]);

  const deps = {
    ...rig.deps,
    treasuryWatch: rig.treasuryWatch,
    reviewDesk: makeReviewStore(rig.database),
    banks: loadBankDirectory(),
  };
  const [done, waits] = await refunds();
  const redirect = (subjectId: string) =>
    proposeReview(deps, {
      ...{ action: 'refund', subjectId, detail: { target: { address: OTHER } }, actor: MAKER },
    });
  const late = await redirect(done!.id);
  assert.ok(!late.ok && /has a destination already/.test(late.error.message));
  const proposed = await redirect(waits!.id);
  assert.ok(proposed.ok);
  const decision = { proposalId: proposed.value.id, actor: CHECKER, approve: true, reason: 'they asked' };
  assert.ok((await decideAs(rig.database, deps, decision)).ok);
  await passing(20);
  assert.deepEqual(
    (await refunds()).map(({ state }) => state),
    ['done', 'done'],
  );
});
