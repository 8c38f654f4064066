// Tests each reason that a difference can have, and when people must decide.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NOTHING_BESIDES } from '../../../test/support/reconciliation/plain-day.ts';
import { describeDifference } from './describe-difference.ts';
import { isExplainingReason } from './explain-differences.ts';
import { type BookItem, normaliseReference, type ReconciliationRow } from './items.ts';
import { type ReconciliationFacts, reconcileDay } from './reconcile.ts';

const FRIDAY = '2026-11-13';
const MONDAY = '2026-11-16';
const SESSION = '0'.repeat(29);

function item(given: Partial<BookItem> = {}): BookItem {
  return {
    ...{
      id: '1',
      day: FRIDAY,
      atMs: 1,
      event: 'credit_received',
      subjectId: 'crd_1',
      amountMinor: 1_500_000n,
    },
    ...{ days: [], rowIds: [], names: [], sessions: [], ...given },
  };
}

function row(given: Partial<ReconciliationRow> = {}): ReconciliationRow {
  return {
    ...{ id: 'k/0', day: FRIDAY, valueDay: null, amountMinor: 1_500_000n, narration: 'TRF', reference: null },
    ...{ sessionId: null, kind: 'payment', ...given },
  };
}

function day(given: Partial<ReconciliationFacts> & { readonly rows?: readonly ReconciliationRow[] }) {
  const { rows = [], ...facts } = given;
  return reconcileDay({
    ...{
      day: FRIDAY,
      booksOpeningMinor: 100_000n,
      items: [],
      beforeMinor: 100_000n,
      carried: [],
      rail: null,
    },
    ...{ ...NOTHING_BESIDES, hasStatement: () => true },
    statement: { openingMinor: null, closingMinor: null, rows },
    ...facts,
  });
}

const reasons = ({ open }: ReturnType<typeof day>) => open.map(({ reason }) => reason);

describe('the reasons for differences', () => {
  it('an entry booked on a day without a statement is linked to a row of an earlier day', () => {
    const before = day({ rows: [row()] });
    const booked = item({ day: MONDAY, rowIds: ['k/0'] });
    const after = day({
      ...{ day: MONDAY, items: [booked], statement: null, carried: before.open },
      beforeMinor: before.beforeMinor,
    });
    assert.deepEqual([after.open, after.links.length, after.state], [[], 1, 'no_statement']);
    assert.deepEqual(after.resolved, ['row k/0']);
  });

  it('entries and rows are linked by row id, by session id, by a reference in the narration, and by amount and day', () => {
    const pairs: readonly (readonly [Partial<BookItem>, Partial<ReconciliationRow>, string])[] = [
      [{ rowIds: ['k/0'] }, {}, 'row'],
      [{ sessions: [`${SESSION}1`] }, { sessionId: `${SESSION}1` }, 'name'],
      [{ names: [normaliseReference('mov-01abcdefgh')] }, { narration: 'NIP/MOV 01ABCDEFGH/ADA' }, 'name'],
      [{}, {}, 'amount'],
    ];
    for (const [ofBooks, ofBank, way] of pairs) {
      const result = day({ items: [item(ofBooks)], rows: [row(ofBank)] });
      assert.deepEqual([result.links[0]?.way, result.state], [way, 'balanced']);
    }
  });

  it('two transfers with different session ids are not linked, even if their amounts are equal', () => {
    const mine = item({ sessions: [`${SESSION}1`] });
    const result = day({ items: [mine], rows: [row({ sessionId: `${SESSION}2` })] });
    assert.deepEqual(reasons(result), ['not_yet_on_statement', 'only_on_statement']);
    assert.equal(result.state, 'differs');
  });

  it('a difference waits for the statement of the next working day, and after that people must act', () => {
    const friday = day({ items: [item()] });
    assert.deepEqual([reasons(friday), friday.state], [['not_yet_on_statement'], 'explained']);
    const carried = { carried: friday.open, booksOpeningMinor: friday.books.closingMinor };
    assert.deepEqual(reasons(day({ ...carried, day: MONDAY })), ['only_in_books']);
    const late = day({ ...carried, day: MONDAY, rows: [row({ day: MONDAY })] });
    assert.deepEqual([late.resolved, late.state], [['books 1'], 'balanced']);
    const none = day({ ...carried, day: MONDAY, hasStatement: (each) => each === FRIDAY });
    assert.deepEqual(reasons(none), ['not_yet_on_statement']);
    const much = day({ ...carried, day: '2026-11-27', hasStatement: () => false });
    assert.deepEqual(reasons(much), ['only_in_books']);
  });

  it('a difference is explained by a later entry or row on the other side, or by a payout in progress', () => {
    const ahead = { items: [item({ id: '2', day: '2026-11-14' })], rows: [] };
    assert.deepEqual(reasons(day({ rows: [row()], ahead })), ['later_in_books']);
    const shown = { items: [], rows: [row({ day: MONDAY })] };
    const result = day({ items: [item()], ahead: shown });
    assert.equal(
      describeDifference(result.open[0]!).what,
      `Booked on ${FRIDAY}; on the statement of ${MONDAY}.`,
    );
    const paid = row({ amountMinor: -1_500_000n, narration: 'mov-01abcdefgh' });
    const underWay = [{ movementId: 'mov_1', amountMinor: 1_500_000n, names: ['mov01abcdefgh'] }];
    assert.deepEqual(reasons(day({ rows: [paid], underWay })), ['under_way']);
  });

  it('differences in amounts, opening balances and carried balances are reported in kobo', () => {
    const named = item({ sessions: [`${SESSION}1`] });
    const differs = day({
      items: [named],
      rows: [row({ sessionId: `${SESSION}1`, amountMinor: 1_499_999n })],
    });
    assert.deepEqual([reasons(differs), differs.open[0]?.offMinor], [['amount_differs'], 1n]);
    assert.match(describeDifference(differs.open[0]!).what, /₦15,000\.00, the statement ₦14,999\.99/);
    const statement = { openingMinor: 90_000n, closingMinor: 80_000n, rows: [] };
    const opening = day({ statement: { ...statement, closingMinor: 90_000n }, beforeMinor: null });
    assert.deepEqual([reasons(opening), opening.open[0]?.offMinor], [['opening_differs'], 10_000n]);
    const gap = day({ statement });
    assert.deepEqual([reasons(gap), gap.open[0]?.offMinor], [['balance_not_carried'], 20_000n]);
  });

  it('a row and its reversal cancel each other, and so do an opening balance and the entry that people booked for it', () => {
    const both = [row({ amountMinor: -5n }), row({ id: 'l/0', amountMinor: 5n, kind: 'reversal' })];
    assert.equal(day({ rows: both }).state, 'balanced');
    const opening = day({ statement: { openingMinor: 0n, closingMinor: 0n, rows: [] }, beforeMinor: null });
    const booked = item({ event: 'naira_withdrawn', amountMinor: -100_000n, day: '2026-11-02' });
    const after = day({ carried: opening.open, beforeMinor: 0n, items: [booked] });
    assert.deepEqual([after.open, after.resolved], [[], [`opening ${FRIDAY}`]]);
  });

  it('the balance that the rail reports is compared with the books at the same moment', () => {
    const reading = (balanceMinor: bigint, reservedMinor = 0n) =>
      day({ rail: { balanceMinor, booksMinor: 100_000n, reservedMinor } });
    assert.equal(reading(100_000n).state, 'balanced');
    assert.equal(reading(60_000n, 40_000n).state, 'balanced');
    const off = reading(60_000n);
    assert.deepEqual([reasons(off), off.state], [['rail_differs'], 'differs']);
    const next = { balanceMinor: 60_000n, booksMinor: 100_000n, reservedMinor: 0n };
    const again = day({ day: MONDAY, carried: off.open, rail: next });
    assert.equal(again.open[0]?.id, `rail ${FRIDAY}`);
    assert.deepEqual(
      day({ day: MONDAY, carried: off.open, rail: { ...next, balanceMinor: 100_000n } }).resolved,
      [`rail ${FRIDAY}`],
    );
  });

  it('every reason has a sentence, and a next step if people must act', () => {
    const all = [
      day({ items: [item()] }),
      day({ rows: [row()] }),
      day({ rows: [row({ kind: 'charge', amountMinor: -5_000n })] }),
    ];
    for (const { open } of all)
      for (const each of open) {
        const { what, next } = describeDifference(each);
        assert.match(what, /\.$/);
        if (!isExplainingReason(each.reason)) assert.match(next!, /\.$/);
      }
  });

  it('a day before the first statement is not compared', () => {
    const result = day({ statement: null, beforeMinor: null, items: [item()] });
    assert.deepEqual([result.state, result.open, result.beforeMinor], ['no_statement', [], null]);
  });
});
