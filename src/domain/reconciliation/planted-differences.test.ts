// What is planted, what the page says, and what it proposes. A proposal posts exactly what its words say, and ends the difference.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PLANTED_AMOUNTS } from '../../../test/support/reconciliation/planted-amounts.ts';
import {
  ACCOUNT,
  bookProposal,
  listUnexplained,
  makeRow,
  OTHER_ACCOUNT,
  type PlantedDay,
  type PlayedFacts,
  playDays,
} from '../../../test/support/reconciliation/planted-days.ts';
import {
  credit,
  creditRow,
  FRIDAY,
  MONDAY,
  OTHER_SESSION,
  PAID,
  type Planted,
  paidRow,
  payout,
  REFERENCE,
  SESSION,
  TUESDAY,
} from '../../../test/support/reconciliation/planted-parts.ts';
import { PLANTED_ROWS } from '../../../test/support/reconciliation/planted-rows.ts';
import { formatNaira } from '../values/money.ts';
import { describeDifference } from './describe-difference.ts';
import type { ReconciliationRow } from './items.ts';
import { makeWorkingDays } from './working-days.ts';

/** Advice that proposes no booking. */
const NO_BOOKING = /^(?!.*`naira charge`?.*--amount)/;

describe('each planted difference', () => {
  for (const { planted, days, given = {}, says, books } of [...PLANTED_AMOUNTS, ...PLANTED_ROWS])
    it(planted, () => {
      const results = playDays(days, given);
      const shown = listUnexplained(results);
      assert.deepEqual(
        shown.map(({ reason }) => reason).sort(),
        says.map(([reason]) => reason).sort(),
        JSON.stringify(shown, null, 1),
      );
      for (const [reason, what, next] of says) {
        const found = shown.find((each) => each.reason === reason && each.what.startsWith(what));
        assert.ok(found !== undefined, JSON.stringify(shown, null, 1));
        assert.match(found.next!, next);
        if (books === undefined) assert.match(found.next!, NO_BOOKING);
      }
      if (says.length === 0) assert.equal(results.at(-1)!.state, 'balanced');
      if (books !== undefined) endsWithBooking(days, books, given);
    });
});

/** Two people book what the difference proposes, and the next day is balanced. */
function endsWithBooking(
  days: readonly PlantedDay[],
  [amount, event]: NonNullable<Planted['books']>,
  given: PlayedFacts,
): void {
  const [difference] = playDays(days, given)
    .at(-1)!
    .open.filter((each) => describeDifference(each).next?.startsWith('Book ') === true);
  const booked = bookProposal(difference!, TUESDAY).get(ACCOUNT)!;
  const minor = booked.amountMinor < 0n ? -booked.amountMinor : booked.amountMinor;
  assert.deepEqual([formatNaira(minor), booked.event], [amount, event]);
  assert.ok(describeDifference(difference!).next!.startsWith(`Book ${amount} of `));
  const after = playDays([...days, { day: TUESDAY, items: [booked] }], given).at(-1)!;
  assert.deepEqual([after.open, after.state], [[], 'balanced']);
}

describe('the state of a day', () => {
  it('says that a statement is missing as soon as a later day has one', () => {
    assert.equal(playDays([{ day: FRIDAY }, { day: MONDAY, rows: null }])[1]!.state, 'no_statement');
    const results = playDays([
      { day: FRIDAY, rows: [] },
      { day: MONDAY, rows: null },
      { day: TUESDAY, rows: [] },
    ]);
    assert.equal(results[1]!.state, 'statement_missing');
  });

  it('waits over a public holiday only if it is in the list', () => {
    const days = [
      { day: '2026-12-24', items: [credit('2026-12-24', [])] },
      { day: '2026-12-25' },
      { day: '2026-12-28' },
    ];
    const holidays = { workingDays: makeWorkingDays(new Set(['2026-12-25', '2026-12-28'])) };
    assert.deepEqual(listUnexplained(playDays(days, holidays)), []);
    assert.equal(listUnexplained(playDays(days)).length, 1);
  });
});

describe('a payout that was booked on another of our accounts', () => {
  const [item] = payout(MONDAY, REFERENCE, false);
  const row = paidRow(MONDAY);

  it('is named on both accounts, and one move ends both differences', () => {
    const booked = { day: MONDAY, items: [item!] };
    const here = playDays([booked], { elsewhere: new Map([[`books ${item!.id}`, OTHER_ACCOUNT]]) });
    const [ofBooks] = listUnexplained(here);
    assert.equal(ofBooks!.reason, 'other_account');
    assert.match(
      ofBooks!.what,
      /is booked here, but the statement of our account 101:9876543210 shows it\.$/,
    );
    const elsewhere = new Map([[`row ${row.id}`, ACCOUNT]]);
    const there = playDays([{ day: MONDAY, rows: [row] }], { elsewhere });
    const [ofBank] = listUnexplained(there);
    assert.match(ofBank!.what, /^A debit of ₦100,000\.00 is on the statement of this account, but the books/);
    assert.match(
      ofBank!.next!,
      /^Book a move of ₦100,000\.00 from this account to 058:0123456789: `naira move/,
    );
    const moved = bookProposal(there.at(-1)!.open[0]!, TUESDAY, OTHER_ACCOUNT);
    assert.deepEqual([moved.get(OTHER_ACCOUNT)!.amountMinor, moved.get(ACCOUNT)!.amountMinor], [PAID, -PAID]);
    const after = (first: PlantedDay, account: string) =>
      playDays([first, { day: TUESDAY, items: [moved.get(account)!] }]).at(-1)!;
    assert.deepEqual(after(booked, ACCOUNT).open, []);
    assert.deepEqual(after({ day: MONDAY, rows: [row] }, OTHER_ACCOUNT).open, []);
  });
});

describe('links', () => {
  it('by session id, reference and party come before links by amount', () => {
    const [first, second] = [
      credit(FRIDAY, [], { parties: ['0123456785', 'adaobi'] }),
      credit(FRIDAY, [], { parties: ['9173724912', 'mariambello'] }),
    ];
    const rows = [
      creditRow(FRIDAY, { narration: 'NIP/MARIAM BELLO/RENT' }),
      creditRow(FRIDAY, { narration: 'NIP/OBI ADA 0123456785' }),
    ];
    const [result] = playDays([{ day: FRIDAY, items: [first, second], rows }]);
    const linked = new Map(result!.links.map(({ items, rows: [row] }) => [row!.id, items[0]!.id]));
    assert.deepEqual(
      rows.map(({ id }) => linked.get(id)),
      [second.id, first.id],
    );
    assert.deepEqual(new Set(result!.links.map(({ way }) => way)), new Set(['party']));
  });

  it('a reversal cancels its debit only if it names it or repeats its words', () => {
    const taken = (narration: string) => makeRow(FRIDAY, -900_00n, { narration });
    const given = (narration: string) => makeRow(FRIDAY, 900_00n, { narration, kind: 'reversal' });
    const open = (...rows: readonly ReconciliationRow[]) => playDays([{ day: FRIDAY, rows }])[0]!.open.length;
    assert.equal(open(taken(`TRF ${SESSION}`), given(`RVSL/${SESSION}`)), 0);
    assert.equal(open(taken('POS SHOPRITE LEKKI'), given('RVSL: POS SHOPRITE LEKKI')), 0);
    assert.equal(open(taken('POS SHOPRITE LEKKI'), given('RVSL: POS SPAR YABA')), 2);
    assert.equal(open(taken(''), given('RVSL')), 2);
    assert.equal(open(taken(`TRF ${SESSION}`), given(`RVSL/${OTHER_SESSION}`)), 2);
  });
});
