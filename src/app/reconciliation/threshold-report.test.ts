// Tests the threshold report: it contains the transfers above a threshold in both columns, for one month in Lagos time, and is
// safe in a spreadsheet.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openRig, PAYER, POLYGON_WALLET } from '../../../test/support/settlement.ts';
import { makeThresholdReads } from '../../adapters/postgres/reconciliation/threshold-reads.ts';
import { lagosMonth } from '../../domain/values/calendar.ts';
import type { LargeTransfer } from '../../ports/reconciliation.ts';
import { parseMonth, streamLargeTransfers, THRESHOLD_CSV_HEAD, thresholdCsvRow } from './threshold-report.ts';

const rig = await openRig();
const reads = makeThresholdReads(rig.database);
const thresholds = { individualMinor: 2_000_000n, corporateMinor: 3_000_000n };

async function report(month: string): Promise<LargeTransfer[]> {
  const found: LargeTransfer[] = [];
  for await (const page of streamLargeTransfers(reads, { mode: 'test', month, ...thresholds }))
    found.push(...page);
  return found;
}

test('lists only credits and payouts above a threshold', async () => {
  for (const amountMinor of [2_000_000n, 2_000_001n]) await rig.payIn({ amountMinor, payerName: '=SUM(A1)' });
  const sell = await rig.sell({ wallet: POLYGON_WALLET, amountMinor: 4_000_000n });
  await rig.depositFor(sell, 4_000_000n);
  await rig.until(sell.id, 'completed');
  const found = await report(lagosMonth(rig.now()));
  assert.deepEqual(
    found.map(({ direction, kind, amountMinor }) => [direction, kind, amountMinor]),
    [
      ['in', 'credit', 2_000_001n],
      ['out', 'sell', 4_000_000n],
    ],
  );
  assert.deepEqual([found[1]?.transactionId, found[1]?.otherName], [sell.id, PAYER.name]);
  assert.deepEqual(await report('2020-01'), []);
  const [credit, payout] = found.map((each) => thresholdCsvRow(each, thresholds));
  assert.match(credit!, /,in,credit,test,20000\.01,yes,no,/);
  assert.match(payout!, /,out,sell,test,40000\.00,yes,yes,/);
});

test('threat 79: a cell of the report that a spreadsheet would execute is neutralised', async () => {
  const [credit] = await report(lagosMonth(rig.now()));
  for (const sign of ['=', '+', '-', '@', '\t', '\r']) {
    const row = thresholdCsvRow({ ...credit!, otherName: `${sign}cmd` }, thresholds);
    assert.ok(row.includes(`'${sign}cmd`), JSON.stringify(sign));
  }
  const row = thresholdCsvRow(credit!, thresholds);
  assert.match(row, /,'=SUM\(A1\),'0123456785,/);
  assert.equal(row.split(',').length, THRESHOLD_CSV_HEAD.split(',').length);
});

test('only an existing calendar month is accepted', () => {
  assert.equal(parseMonth('2026-11'), '2026-11');
  for (const wrong of ['2026-13', '2026-1', '2026-11-01', '', 'x'])
    assert.equal(parseMonth(wrong), undefined);
});
