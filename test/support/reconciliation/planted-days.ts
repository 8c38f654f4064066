// Plays the days of one bank account with a planted difference, and books what a difference proposes, as two people would.
import assert from 'node:assert/strict';
import { parseLedgerKey } from '../../../src/domain/ledger/chart-of-accounts.ts';
import { describeDifference } from '../../../src/domain/reconciliation/describe-difference.ts';
import {
  type ExplainedDifference,
  isExplainingReason,
} from '../../../src/domain/reconciliation/explain-differences.ts';
import {
  type BookItem,
  normaliseReference,
  type ReconciliationRow,
  sumAmounts,
} from '../../../src/domain/reconciliation/items.ts';
import { proposeBooking } from '../../../src/domain/reconciliation/propose-booking.ts';
import {
  type DayResult,
  type ReconciliationFacts,
  reconcileDay,
} from '../../../src/domain/reconciliation/reconcile.ts';
import { bookNairaMove } from '../../../src/domain/review/naira-moves.ts';
import { lagosDayToMs } from '../../../src/domain/values/calendar.ts';
import { NOTHING_BESIDES } from './plain-day.ts';

export const ACCOUNT = '058:0123456789';
export const OTHER_ACCOUNT = '101:9876543210';
const OPENING = 5_000_000_00n;

export interface PlantedDay {
  readonly day: string;
  readonly items?: readonly BookItem[];
  /** Null: the day has no statement. */
  readonly rows?: readonly ReconciliationRow[] | null;
  /** What moved at the bank without a row on the statement. */
  readonly unseenMinor?: bigint;
}

export type PlayedFacts = Partial<
  Pick<ReconciliationFacts, 'elsewhere' | 'unmatchedRows' | 'workingDays' | 'underWay'>
>;

let serial = 0;

export function makeItem(day: string, amountMinor: bigint, given: Partial<BookItem> = {}): BookItem {
  const id = String(++serial).padStart(6, '0');
  return {
    ...{ id, day, atMs: lagosDayToMs(day) + serial, event: 'credit_received', subjectId: `crd_${id}` },
    ...{ amountMinor, days: [], rowIds: [], names: [], sessions: [], ...given },
  };
}

export function makeRow(
  day: string,
  amountMinor: bigint,
  given: Partial<ReconciliationRow> = {},
): ReconciliationRow {
  const row = { id: `r${++serial}/1`, day, valueDay: null, amountMinor, narration: 'TRF' } as const;
  return { ...row, reference: null, sessionId: null, kind: 'payment', ...given };
}

/** Reconciles the days one after the other; each starts with the result of the day before. */
export function playDays(days: readonly PlantedDay[], given: PlayedFacts = {}): readonly DayResult[] {
  const results: DayResult[] = [];
  let [booksMinor, bankMinor] = [OPENING, OPENING];
  for (const [index, { day, items = [], rows = [], unseenMinor = 0n }] of days.entries()) {
    const before = results.at(-1);
    const passed = days.slice(0, index);
    const openingMinor = bankMinor;
    bankMinor += sumAmounts(rows ?? []) + unseenMinor;
    const known = days.filter((each) => each.rows !== null).map((each) => each.day);
    const result = reconcileDay({
      ...{ ...NOTHING_BESIDES, ...given, day, items, rail: null },
      booksOpeningMinor: booksMinor,
      statement:
        rows === null
          ? null
          : { openingMinor, closingMinor: openingMinor + sumAmounts(rows) + unseenMinor, rows },
      beforeMinor: before === undefined ? OPENING : before.beforeMinor,
      carried: before?.open ?? [],
      alike: [...passed.flatMap((each) => each.rows ?? []), ...(rows ?? [])],
      withoutRowsSince: firstDayWithoutRows(passed),
      hasStatement: (asked) => known.includes(asked),
      hasLaterStatement: known.some((each) => each > day),
      settledNames: listSettledNames(passed, rows ?? [], before?.open ?? []),
    });
    results.push(result);
    booksMinor = result.books.closingMinor;
  }
  return results;
}

function firstDayWithoutRows(passed: readonly PlantedDay[]): string | null {
  const last = passed.findLastIndex(({ rows }) => (rows ?? []).length > 0);
  return last === -1 ? null : (passed[last + 1]?.day ?? null);
}

/** The names of linked transfers, except those that a second row shows. */
function listSettledNames(
  passed: readonly PlantedDay[],
  rows: readonly ReconciliationRow[],
  open: DayResult['open'],
): ReadonlySet<string> {
  const waiting = new Set(open.flatMap(({ item }) => item?.id ?? []));
  const linked = passed.flatMap(({ items = [] }) => items).filter(({ id }) => !waiting.has(id));
  const earlier = passed.flatMap((each) => each.rows ?? []);
  const shows = (row: ReconciliationRow, name: string) =>
    [row.sessionId, row.reference, row.narration].some((text) =>
      normaliseReference(text ?? '').includes(name),
    );
  const names = linked.flatMap((item) => [...item.names, ...item.sessions]);
  return new Set(names.filter((name) => [...earlier, ...rows].filter((row) => shows(row, name)).length < 2));
}

export interface ShownDifference {
  readonly reason: ExplainedDifference['reason'];
  readonly what: string;
  readonly next: string | null;
}

/** The unexplained differences of the last day, in words. */
export function listUnexplained(results: readonly DayResult[]): readonly ShownDifference[] {
  return results
    .at(-1)!
    .open.filter(({ reason }) => !isExplainingReason(reason))
    .map((each) => ({ reason: each.reason, ...describeDifference(each) }));
}

/** The booking that the difference proposes, as the ledger gets it. Its words must contain exactly the posted amount. */
export function bookProposal(
  difference: ExplainedDifference,
  bookedOn: string,
  account = ACCOUNT,
): ReadonlyMap<string, BookItem> {
  const booking = proposeBooking(difference);
  assert.ok(booking !== null, 'the difference proposes no booking');
  const { kind, charge, amountMinor: nairaMinor, day, reference, to } = booking;
  const bank = (detail: string) => ({ name: 'bank_out', detail }) as const;
  const id = `nai_${++serial}`;
  const facts = { mode: 'live', kind, charge, nairaMinor, day, reference } as const;
  const books = [ACCOUNT, OTHER_ACCOUNT].map((each) => ({
    ...{ ...bank(each), freeMinor: OPENING, reservedMinor: 0n },
  }));
  const charged = new Map([['live/NGN/charges', OPENING]]);
  const planned = bookNairaMove(
    { ...facts, account: bank(account), to: to === null ? null : bank(to) },
    { id, books, balances: charged, bookedAs: undefined },
    { actor: 'per_1', atMs: lagosDayToMs(bookedOn) },
  );
  if (!planned.ok) assert.fail(planned.error.message);
  const items = new Map<string, BookItem>();
  for (const { event, postings } of planned.value.change.entries ?? [])
    for (const { account: key, amountMinor } of postings) {
      const [name, detail] = [parseLedgerKey(key).name, key.split('/')[3]];
      if (name !== 'bank_out') continue;
      const named = { subjectId: id, event, days: [day], names: [normaliseReference(reference)] };
      items.set(detail!, makeItem(bookedOn, amountMinor, named));
    }
  return items;
}
