// Tests random months. The equation holds to the kobo with any faults, a month without faults has no differences, and the
// unexplained differences equal the faults.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeDice } from '../../../test/support/dice.ts';
import { drawMonth, reconcileMonth } from '../../../test/support/reconciliation/drawn-month.ts';
import { isExplainingReason } from './explain-differences.ts';
import { sumDifferences } from './items.ts';

const MONTHS = 40;

describe('a month of one bank account', () => {
  it('without faults, no kobo is unexplained, and no difference is open at the end of the month', () => {
    for (let seed = 0; seed < MONTHS; seed++) {
      const results = reconcileMonth(drawMonth(makeDice(`sound ${seed}`), 0));
      for (const { day, open } of results) {
        const unexplained = open.filter(({ reason }) => !isExplainingReason(reason));
        // A row that the bank shows a day late is explained by the statement of that later day. Here the later days are
        // unknown.
        const others = unexplained.filter(({ reason }) => reason !== 'only_on_statement');
        assert.deepEqual(others, [], `seed ${seed}, ${day}`);
      }
      assert.deepEqual(results.at(-1)!.open, [], `seed ${seed}`);
      assert.equal(results.at(-1)!.state, 'balanced');
    }
  });

  it('with any faults, the open differences add up to the whole difference of the balances', () => {
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

  it('at the end of the month, the open differences are exactly the faults', () => {
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
