// Draws a random month of one bank account: its events in the books and on the bank's statement, in the formats of banks. Each
// fault changes only one of the two sides, and the month records which side.
import type { LedgerEvent } from '../../../src/domain/ledger/ledger.ts';
import {
  type BookItem,
  normaliseReference,
  type ReconciliationRow,
  sumAmounts,
} from '../../../src/domain/reconciliation/items.ts';
import { type DayResult, reconcileDay } from '../../../src/domain/reconciliation/reconcile.ts';
import { addDays, daysBetween } from '../../../src/domain/reconciliation/working-days.ts';
import type { Dice } from '../dice.ts';
import { NOTHING_BESIDES } from './plain-day.ts';

export const FAULTS = [
  'row_lost',
  'row_added',
  'item_lost',
  'item_added',
  'amount_changed',
  'day_lost',
] as const;
export type DrawnFault = (typeof FAULTS)[number];

export interface Month {
  readonly openingMinor: bigint;
  readonly days: readonly string[];
  readonly items: readonly BookItem[];
  /** The rows of each day. A day without an entry has no statement. */
  readonly statements: ReadonlyMap<string, readonly ReconciliationRow[]>;
  readonly closings: ReadonlyMap<string, bigint>;
  readonly faults: readonly { readonly kind: DrawnFault; readonly offMinor: bigint }[];
}

const FIRST = '2026-10-01';
const DAY_COUNT = 31;
const OPENING = 5_000_000_00n;

/** How a bank lists charges: each charge in its own row, fee and tax together, or all charges in the row of the payout. */
const STYLES = ['apart', 'together', 'all', 'named'] as const;
type Style = (typeof STYLES)[number];

interface Drawn {
  readonly items: BookItem[];
  readonly rows: ReconciliationRow[];
}

export function drawMonth(dice: Dice, faultCount: number): Month {
  const days = daysBetween(FIRST, addDays(FIRST, DAY_COUNT - 1));
  const drawn: Drawn = { items: [], rows: [] };
  // The last days have no events, so that late rows have arrived by the end of the month.
  const style = dice.pick(STYLES);
  for (const day of days.slice(0, -6)) drawDay(dice, drawn, day, style);
  const { faults, lostDay } = spoil(dice, drawn, faultCount, days);
  const statements = new Map<string, readonly ReconciliationRow[]>();
  const closings = new Map<string, bigint>();
  let closing = OPENING;
  for (const day of days) {
    const rows = drawn.rows.filter((row) => row.day === day);
    closing += sumAmounts(rows);
    if (day === lostDay) continue;
    statements.set(day, rows);
    closings.set(day, closing);
  }
  return { openingMinor: OPENING, days, items: drawn.items, statements, closings, faults };
}

let serial = 0;

function drawDay(dice: Dice, { items, rows }: Drawn, day: string, style: Style): void {
  const add = (event: LedgerEvent, amountMinor: bigint, given: Partial<BookItem> = {}): BookItem => {
    const id = String(++serial).padStart(9, '0');
    const item: BookItem = {
      ...{ id, day, atMs: Date.parse(day) + serial, event, subjectId: `txn_${id}`, amountMinor },
      ...{ days: [], rowIds: [], names: [], sessions: [], ...given },
    };
    items.push(item);
    return item;
  };
  const show = (amountMinor: bigint, given: Partial<ReconciliationRow> = {}) => {
    const id = `r${String(++serial).padStart(9, '0')}/0`;
    const shownOn = dice.percent(10) ? addDays(day, 1) : day;
    const row = { id, day: shownOn, valueDay: day, amountMinor, narration: 'TRF', reference: null } as const;
    rows.push({ ...row, sessionId: null, kind: 'payment', ...given });
  };
  let duty = 0n;
  for (let count = dice.between(0, 6); count > 0; count--) {
    const session = String(++serial).padStart(30, '1');
    const amount = BigInt(dice.between(15_000, 15_004)) * 100n;
    const kind = dice.pick(['credit', 'credit', 'payout', 'returned', 'taken_back', 'undone'] as const);
    const named = dice.percent(60) ? { sessionId: session } : {};
    if (kind === 'credit' || kind === 'taken_back') {
      const { subjectId } = add('credit_received', amount, { sessions: [session] });
      show(amount, named);
      if (kind === 'credit') continue;
      add('credit_reversed', -amount, { sessions: [session], subjectId });
      show(-amount, { ...named, kind: 'reversal' });
      continue;
    }
    if (kind === 'undone') {
      // The bank debited the amount and returned it immediately, so it was never in the books.
      const shared = { sessionId: session, day } as const;
      show(-amount, shared);
      show(amount, { ...shared, kind: 'reversal' });
      continue;
    }
    const reference = `mov-${session.slice(-26)}`;
    const atMs = Date.parse(day) + serial;
    const names = { names: [normaliseReference(reference)], sessions: [session], atMs };
    const { subjectId } = add('payout_paid', -amount, names);
    const charges = (
      [
        ['bank_charged', 25_00n],
        ['vat_charged', 1_88n],
      ] as const
    ).map(([event, charge]) => {
      add(event, -charge, { ...names, subjectId });
      return charge;
    });
    add('stamp_duty_charged', -50_00n, { ...names, subjectId });
    const narration =
      style === 'named' || dice.percent(50) ? `NIP TRF ${reference.toUpperCase()} ADA` : 'NIP TRF';
    if (style === 'all') show(-amount - sumAll(charges) - 50_00n, { narration });
    else {
      show(-amount, { narration, ...named });
      if (style === 'together' || style === 'named') show(-sumAll(charges), { kind: 'charge' });
      else for (const charge of charges) show(-charge, { kind: 'charge', narration: 'COMM' });
      duty += 50_00n;
    }
    if (kind !== 'returned') continue;
    add('payout_returned', amount, { ...names, subjectId });
    show(amount, { narration: `RVSL ${reference}`, kind: 'reversal' });
  }
  if (duty > 0n) show(-duty, { kind: 'charge', narration: 'STAMP DUTY', day });
}

const sumAll = (amounts: readonly bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n);

function spoil(dice: Dice, { items, rows }: Drawn, count: number, days: readonly string[]) {
  const faults: { kind: DrawnFault; offMinor: bigint }[] = [];
  let lostDay: string | undefined;
  for (let left = count; left > 0; left--) {
    const kind = dice.pick(FAULTS);
    const amountMinor = BigInt(dice.between(1, 99)) * 100_003n + BigInt(left);
    const day = days[dice.below(DAY_COUNT - 6)]!;
    const payments = rows.filter((row) => row.kind === 'payment');
    if (kind === 'day_lost') lostDay = day;
    else if (kind === 'row_added') {
      const row = {
        id: `x${left}/0`,
        day,
        valueDay: null,
        amountMinor,
        narration: 'ODD',
        reference: null,
      } as const;
      rows.push({ ...row, sessionId: null, kind: 'payment' });
      faults.push({ kind, offMinor: -amountMinor });
    } else if (kind === 'item_added') {
      const item = {
        id: `x${left}`,
        day,
        atMs: Date.parse(day),
        event: 'credit_received',
        amountMinor,
      } as const;
      items.push({ ...item, subjectId: `crd_x${left}`, days: [], rowIds: [], names: [], sessions: [] });
      faults.push({ kind, offMinor: amountMinor });
    } else if (payments.length > 0 && kind === 'row_lost') {
      const row = dice.pick(payments);
      rows.splice(rows.indexOf(row), 1);
      faults.push({ kind, offMinor: row.amountMinor });
    } else if (payments.length > 0 && kind === 'amount_changed') {
      const row = dice.pick(payments);
      rows[rows.indexOf(row)] = { ...row, amountMinor: row.amountMinor + 1n };
      faults.push({ kind, offMinor: -1n });
    } else if (items.length > 0 && kind === 'item_lost') {
      const item = dice.pick(items);
      items.splice(items.indexOf(item), 1);
      faults.push({ kind, offMinor: -item.amountMinor });
    }
  }
  return { faults, lostDay };
}

function settledIn(items: readonly BookItem[], day: string, open: DayResult['open']): ReadonlySet<string> {
  const waiting = new Set(open.flatMap(({ item }) => item?.id ?? []));
  const settled = items.filter((item) => item.day < day && !waiting.has(item.id));
  return new Set(settled.flatMap(({ sessions, names }) => [...sessions, ...names]));
}

/** Reconciles day by day. Each day starts with the result of the previous one. */
export function reconcileMonth({ days, items, statements, closings, openingMinor }: Month): DayResult[] {
  const results: DayResult[] = [];
  let booksOpeningMinor = openingMinor;
  for (const day of days) {
    const before = results.at(-1);
    const ofDay = items.filter((item) => item.day === day);
    const rows = statements.get(day);
    const closingMinor = closings.get(day) ?? null;
    const result = reconcileDay({
      ...{ day, booksOpeningMinor, items: ofDay, rail: null },
      statement:
        rows === undefined ? null : { openingMinor: closingMinor! - sumAmounts(rows), closingMinor, rows },
      beforeMinor: before?.beforeMinor ?? null,
      carried: before?.open ?? [],
      ...NOTHING_BESIDES,
      settledNames: settledIn(items, day, before?.open ?? []),
      hasStatement: (other) => statements.has(other),
    });
    results.push(result);
    booksOpeningMinor = result.books.closingMinor;
  }
  return results;
}
