// Months drawn by dice: the equation holds to the kobo whatever is wrong, a month without faults has no differences, and what a fault adds
// is what is left unexplained.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeDice } from '../../../test/support/dice.ts';
import { drawMonth, reconcileMonth } from '../../../test/support/reconciliation/drawn-month.ts';
import { isExplainingReason } from './explain-differences.ts';
import { sumDifferences } from './items.ts';

const MONTHS = 40;

describe('a month of one bank account', () => {
  it('has no unexplained kobo when nothing is wrong, and nothing open at its end', () => {
    for (let seed = 0; seed < MONTHS; seed++) {
      const results = reconcileMonth(drawMonth(makeDice(`sound ${seed}`), 0));
      for (const { day, open } of results) {
        const unexplained = open.filter(({ reason }) => !isExplainingReason(reason));
        // What the bank shows a day late is explained once that day is known: here nothing ahead is known.
        const others = unexplained.filter(({ reason }) => reason !== 'only_on_statement');
        assert.deepEqual(others, [], `seed ${seed}, ${day}`);
      }
      assert.deepEqual(results.at(-1)!.open, [], `seed ${seed}`);
      assert.equal(results.at(-1)!.state, 'balanced');
    }
  });

  it('explains every difference of the balances, whatever is wrong', () => {
    for (let seed = 0; seed < MONTHS; seed++) {
      const month = drawMonth(makeDice(`faulty ${seed}`), 1 + (seed % 7));
      for (const { day, books, statement, beforeMinor, open } of reconcileMonth(month)) {
        const closing = statement?.closingMinor ?? beforeMinor;
        if (closing !== null)
          assert.equal(books.closingMinor - closing, sumDifferences(open), `seed ${seed}, ${day}`);
        if (statement !== null) assert.equal(statement.closingMinor, month.closings.get(day));
      }
    }
  });

  it('leaves exactly what is wrong to people at its end', () => {
    for (let seed = 0; seed < MONTHS; seed++) {
      const month = drawMonth(makeDice(`left ${seed}`), 1 + (seed % 3));
      const last = reconcileMonth(month).at(-1)!;
      const wrong = month.faults.reduce((sum, { offMinor }) => sum + offMinor, 0n);
      assert.equal(sumDifferences(last.open), wrong, `seed ${seed}`);
      if (wrong !== 0n)
        assert.equal(
          last.state,
          'differs',
          `seed ${seed}: ${JSON.stringify(month.faults.map(({ kind }) => kind))}`,
        );
    }
  });
});
