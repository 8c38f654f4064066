// Notices about one payout are booked in the order in which the rail reported them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { POLYGON_WALLET } from '../../../test/support/settlement.ts';
import { openReversalStage } from '../../../test/support/stages/credits.ts';
import { bankReference } from '../../domain/records/movement.ts';
import { readBankFeed } from './record-lines.ts';

const { casesOf, rig } = await openReversalStage();

test('a payout that was returned and then paid again before its first outcome was known is booked in that order, whichever notice is read first', async () => {
  const sell = await rig.sell({ wallet: POLYGON_WALLET });
  await rig.depositFor(sell, sell.amountMinor);
  await rig.until(sell.id, 'completed');
  const payout = (await rig.deps.store.movementsOf([sell.id])).find(({ kind }) => kind === 'payout')!;
  const about = bankReference(payout.id);
  const paid = await rig.books(sell.id);
  const line = (kind: 'payout_returned' | 'payout_paid_late', sourceId: string) =>
    ({ kind, sourceId, about, amountMinor: payout.nairaMinor, raw: {} }) as const;
  const sleep = (sourceId: string, minutes: number) =>
    rig.rows(
      `update bank_notices set due_at = to_timestamp($2::float8 / 1000), tries = 9, version = version + 1
        where source_id = $1 returning 1`,
      sourceId,
      rig.now() + minutes * 60_000,
    );
  const lines = [line('payout_returned', 'back-1'), line('payout_paid_late', 'late-1')];
  const saying = rig.another({
    bank: { statement: async (position) => ({ lines, position: position ?? '0' }) },
  });
  // The other process holds the feed until its lease ends.
  rig.pass(20_000);
  await readBankFeed(saying.deps, 'test', saying.rail);
  // Both waited for the outcome of the payout, and the later one is due first.
  await sleep('back-1', 5);
  await sleep('late-1', 0);
  assert.equal(await rig.deps.store.hasOpenReturn('test', 'simulated', about), true);
  await rig.passing(2_000);
  assert.deepEqual(await rig.rows(`select state from bank_notices where source_id = 'late-1'`), [
    { state: 'open' },
  ]);
  await rig.passing(20 * 60_000, 60_000);
  assert.deepEqual(await rig.rows(`select state from bank_notices where source_id in ('back-1', 'late-1')`), [
    { state: 'done' },
    { state: 'done' },
  ]);
  const { 'NGN bank_out': outMinor } = await rig.books(sell.id);
  assert.equal(outMinor, paid['NGN bank_out'], 'the bank has paid once, and so have the books');
  assert.deepEqual(
    (await casesOf(sell.id)).map(({ kind }) => kind),
    ['payout_returned', 'payout_paid_late'],
  );
});
