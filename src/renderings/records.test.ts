// The schemas of records against records of PostgreSQL: every stored field that is not internal is described, and no field of a
// schema is missing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TProperties, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { closed } from '../../test/support/client/documented.ts';
import { openReviewStage } from '../../test/support/review-stage.ts';
import { readRecord } from '../app/review/read-record.ts';
import { queueAnswer, recordAnswer, renderQueue, renderRecordWithRest } from './records.ts';

const stage = await openReviewStage();

function assertDescribed(answer: TProperties, shown: object): void {
  const [fits, errors] = Compile(closed(Type.Object(answer), {})).Errors(JSON.parse(JSON.stringify(shown)));
  assert.ok(fits, JSON.stringify(errors));
}

const refundTo = (subjectId: string, target: { readonly address: string } | null = null) =>
  stage.agree({ action: 'refund', subjectId, detail: { target } });

test('the schemas describe each record that waits, and each record alone, without other fields', async () => {
  const buys = [await stage.buy(), await stage.buy()];
  await stage.inReview(await stage.credit(1_500_000n), buys, 'duplicate_claim');
  const sell = await stage.sell();
  const unowned = await stage.deposit(20_000n, { exception: 'wrong_token', asset: 'unknown@Polygon' });
  const tokens = await stage.deposit(5_000_000_000n);
  assert.ok((await refundTo(tokens.id, { address: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359' })).ok);
  const paid = await stage.credit(200_000n);
  assert.ok((await refundTo(paid.id)).ok);
  const [refund] = await stage.store.movementsOfCredit(paid.id);
  await stage.giveUp(refund!.id);
  await stage.database.query({
    text: `insert into bank_notices (id, mode, source, source_id, kind, about, amount_minor, received_at, raw, state, version)
      values ('ntc_1', 'test', 'stage', 'n1', 'credit_reversed', 'x', 5, now(), '{}', 'review', 1)`,
  });
  await stage.database.query({
    text: `insert into cases (id, kind, mode, amount_minor, opened_at, closed_at, outcome, about)
      values ('cas_1', 'credit_reversed', 'test', 5, now(), null, null, 'crd_x'),
        ('cas_2', 'report_left_over', 'test', 5, now(), now(), 'explained', null)`,
  });
  await stage.commit({
    atMs: stage.clock.now(),
    quarantine: { mode: 'test', source: 'stage', reason: 'it is not a transaction', raw: '{}' },
  });
  await stage.database.query({
    text: `update movements set state = 'unknown' where kind = 'refund' and network is null`,
  });

  const queue = await stage.reviewDesk.listQueue(50, 'test');
  const unknown = await stage.reviewDesk.unknownPayouts(stage.clock.now() + 7 * 86_400_000, 50, 'test');
  const shown = renderQueue(queue, unknown);
  assertDescribed(queueAnswer, shown);
  const { refunds: _, ...kinds } = shown;
  for (const [kind, records] of Object.entries(kinds)) assert.ok(records.length > 0, `${kind} is empty`);
  assert.deepEqual(
    shown.deposits.find(({ id }) => id === unowned.id),
    {
      ...{ id: unowned.id, mode: 'test', network: 'Polygon', tx_hash: unowned.txHash, tx_index: 0 },
      ...{ address: 'ours', memo: '', sender: null, asset: 'unknown@Polygon', amount_minor: '20000' },
      ...{ transaction_id: null, state: 'suspense', exception: 'wrong_token', chain_at: null },
      seen_at: new Date(unowned.seenAtMs).toISOString(),
    },
  );

  const { rows } = await stage.database.query<{ id: string }>({ text: 'select id from movements' });
  const movements = rows.map(({ id }) => id);
  assert.equal(movements.length, 2);
  const ids = [buys[0]!.id, sell.id, paid.id, unowned.id, ...movements, 'ntc_1', 'cas_1', 'cas_2'];
  for (const id of ids)
    assertDescribed(recordAnswer, renderRecordWithRest((await readRecord(stage.deps, id))!));
});
