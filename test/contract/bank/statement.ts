// Defines the contract of statements: a statement lists every line, and its pages do not change. A reader that restarts at any
// position misses no line and repeats no line.
import assert from 'node:assert/strict';
import type { CreditLine, NoticeLine, RailStatement } from '../../../src/ports/rails/rail-statement.ts';
import { assertPaidOnce, type Case, order, payoutsOf, statementOf } from './case.ts';
import type { BankHarness } from './harness.ts';

const ARRIVING = { amountMinor: 15_000_00n, payerName: 'Ọláṣẹ́hìndé "O\'Neil" \\ 😀' };

type Line = CreditLine | NoticeLine;
const reports = ({ rail, outside }: BankHarness) => rail.statement !== null && outside !== undefined;

async function readOn(statement: RailStatement, from: string | null) {
  const pages: { readonly from: string | null; readonly lines: readonly Line[]; readonly to: string }[] = [];
  for (let position = from; ; ) {
    const { lines, position: to } = await statement.read(position);
    if (lines.length === 0) return { pages, lines: pages.flatMap((page) => page.lines), end: to };
    pages.push({ from: position, lines, to });
    position = to;
  }
}

const idsOf = (lines: readonly Line[]) => lines.map(({ sourceId }) => sourceId);

const CREDITS: readonly Case[] = [
  {
    title: 'an incoming payment is a credit line with the bank’s data, and no line follows it',
    needs: reports,
    run: async (harness) => {
      const statement = statementOf(harness);
      const { end } = await readOn(statement, null);
      const reported = await harness.outside!.payIn(ARRIVING, 1);
      const { lines, end: position } = await readOn(statement, end);
      assert.equal(lines.length, 1);
      const { valueAtMs, raw, ...line } = lines[0] as CreditLine;
      assert.deepEqual(line, reported);
      assert.ok(Number.isSafeInteger(valueAtMs) && raw !== undefined);
      assert.deepEqual(await statement.read(position), { lines: [], position });
    },
  },
  {
    title: 'threat 18: two equal payments are two lines with two source ids',
    needs: reports,
    run: async (harness) => {
      const { end } = await readOn(statementOf(harness), null);
      const paid = [await harness.outside!.payIn(ARRIVING, 1), await harness.outside!.payIn(ARRIVING, 1)];
      const { lines } = await readOn(statementOf(harness), end);
      assert.equal(new Set(idsOf(lines)).size, 2);
      assert.deepEqual(idsOf(lines).toSorted(), paid.map(({ sourceId }) => sourceId).toSorted());
    },
  },
  {
    title: 'threat 18: a line that is reported twice has the same source id',
    needs: (harness) => reports(harness) && harness.outside!.repeats,
    run: async (harness) => {
      const { end } = await readOn(statementOf(harness), null);
      const twice = await harness.outside!.payIn(ARRIVING, 2);
      const once = await harness.outside!.payIn(ARRIVING, 1);
      assert.notEqual(twice.sourceId, once.sourceId);
      const { lines } = await readOn(statementOf(harness), end);
      assert.deepEqual(idsOf(lines).toSorted(), [twice.sourceId, twice.sourceId, once.sourceId].toSorted());
    },
  },
  {
    title: 'pages and positions are the same on every read, from any start position and in every process',
    needs: reports,
    run: async (harness) => {
      const { manyLines, payIn } = harness.outside!;
      const { end } = await readOn(statementOf(harness), null);
      const paid: string[] = [];
      for (let count = 0; count < manyLines; count++) paid.push((await payIn(ARRIVING, 1)).sourceId);
      const whole = await readOn(statementOf(harness), end);
      assert.ok(whole.pages.length > 1, 'there is more than one page');
      assert.deepEqual(idsOf(whole.lines).toSorted(), paid.toSorted());
      const again = statementOf({ rail: harness.restarted() });
      for (const { from, lines, to } of whole.pages.toReversed())
        assert.deepEqual(await again.read(from), { lines, position: to });
      assert.deepEqual(await readOn(again, end), whole);
    },
  },
  {
    title: 'a reader that restarts at its stored position misses nothing and repeats nothing',
    needs: reports,
    run: async (harness) => {
      let { end: position } = await readOn(statementOf(harness), null);
      const paid: string[] = [];
      const read: string[] = [];
      for (let round = 0; round < 4; round++) {
        for (let count = 0; count < 5; count++)
          paid.push((await harness.outside!.payIn(ARRIVING, 1)).sourceId);
        if (round === 1) continue;
        const reading = await readOn(statementOf({ rail: harness.restarted() }), position);
        read.push(...idsOf(reading.lines));
        position = reading.end;
      }
      assert.deepEqual(read.toSorted(), paid.toSorted());
    },
  },
  {
    title: 'a read without an answer throws, and the next one returns everything',
    needs: (harness) => reports(harness) && harness.troubles.has('read_lost'),
    run: async (harness) => {
      const { end } = await readOn(statementOf(harness), null);
      const { sourceId } = await harness.outside!.payIn(ARRIVING, 1);
      await harness.meet('read_lost', '');
      await assert.rejects(statementOf(harness).read(end));
      assert.deepEqual(idsOf((await readOn(statementOf(harness), end)).lines), [sourceId]);
    },
  },
];

const about = (lines: readonly Line[]) =>
  lines.map((line) => [line.kind, line.kind !== 'credit' && line.about, line.amountMinor]);

const NOTICES: readonly Case[] = [
  {
    title: 'a reversed credit is a notice with its source id',
    needs: (harness) => reports(harness) && harness.outside!.reverse !== undefined,
    run: async (harness) => {
      const { sourceId, amountMinor } = await harness.outside!.payIn(ARRIVING, 1);
      const { end } = await readOn(statementOf(harness), null);
      await harness.outside!.reverse!(sourceId);
      const { lines } = await readOn(statementOf(harness), end);
      assert.deepEqual(about(lines), [['credit_reversed', sourceId, amountMinor]]);
    },
  },
  {
    title: 'a returned payout is a notice with our reference',
    needs: (harness) =>
      reports(harness) && harness.rail.payouts !== null && harness.outside!.returnPayout !== undefined,
    run: async (harness) => {
      const wanted = order(harness);
      await payoutsOf(harness).pay(wanted);
      await assertPaidOnce(harness, wanted);
      const { end } = await readOn(statementOf(harness), null);
      await harness.outside!.returnPayout!(wanted.reference);
      const { lines } = await readOn(statementOf(harness), end);
      assert.deepEqual(about(lines), [['payout_returned', wanted.reference, wanted.amountMinor]]);
    },
  },
];

export const STATEMENTS: readonly Case[] = [...CREDITS, ...NOTICES];
