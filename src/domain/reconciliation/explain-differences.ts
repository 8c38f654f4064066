// Why a difference exists. A difference is explained if the other side has the item on another day or will have it, or if the
// payout is in progress. People handle all other differences.
import {
  type BookItem,
  type Difference,
  isUsableReference,
  normaliseReference,
  type ReconciliationRow,
} from './items.ts';
import { linkItems } from './link-items.ts';
import { addDays, nextWorkingDay } from './working-days.ts';

export const DIFFERENCE_REASONS = [
  'later_on_statement',
  'later_in_books',
  'not_yet_on_statement',
  'under_way',
  'only_in_books',
  'only_on_statement',
  'amount_differs',
  'opening_differs',
  'balance_not_carried',
  'rail_differs',
  'rail_as_statement',
] as const;
export type DifferenceReason = (typeof DIFFERENCE_REASONS)[number];

const EXPLAINING_REASONS: ReadonlySet<DifferenceReason> = new Set([
  'later_on_statement',
  'later_in_books',
  'not_yet_on_statement',
  'under_way',
  'rail_as_statement',
]);

export function isExplainingReason(reason: DifferenceReason): boolean {
  return EXPLAINING_REASONS.has(reason);
}

export interface ExplainedDifference extends Difference {
  readonly reason: DifferenceReason;
  /** The day on which the other side has the item; null: not known. */
  readonly onDay: string | null;
}

/** A payout or refund that was sent to the bank and whose outcome is not booked yet. */
export interface UnbookedPayout {
  readonly movementId: string;
  /** Above zero. */
  readonly amountMinor: bigint;
  readonly names: readonly string[];
}

export interface DayContext {
  readonly day: string;
  /** The known items and rows of both sides after this day. */
  readonly ahead: { readonly items: readonly BookItem[]; readonly rows: readonly ReconciliationRow[] };
  readonly underWay: readonly UnbookedPayout[];
  /** Whether a day has a complete statement. */
  readonly hasStatement: (day: string) => boolean;
}

/** How many days an item waits for a missing statement before people must act. */
const WAIT_DAYS = 7;

export function explainDifferences(
  open: readonly Difference[],
  outlook: DayContext,
): readonly ExplainedDifference[] {
  const later = findLaterDays(open, outlook);
  const leaving = findPayoutsUnderWay(open, outlook.underWay);
  return open.map((each) => {
    const onDay = later.get(each.id) ?? null;
    return { ...each, onDay, reason: findReason(each, onDay, leaving, outlook) };
  });
}

function findReason(
  { kind, id, item }: Difference,
  onDay: string | null,
  leaving: ReadonlySet<string>,
  outlook: DayContext,
): DifferenceReason {
  switch (kind) {
    case 'books':
      if (onDay !== null) return 'later_on_statement';
      return mayStillAppear(item!, outlook) ? 'not_yet_on_statement' : 'only_in_books';
    case 'statement':
      if (onDay !== null) return 'later_in_books';
      return leaving.has(id) ? 'under_way' : 'only_on_statement';
    case 'amount':
      return 'amount_differs';
    case 'opening':
      return 'opening_differs';
    case 'balance':
      return 'balance_not_carried';
    case 'rail':
      return 'rail_differs';
  }
}

/** Whether an item may still appear on a statement: it waits until its day and the next working day have statements. */
export function mayStillAppear({ day: booked }: BookItem, { day, hasStatement }: DayContext): boolean {
  if (day > addDays(booked, WAIT_DAYS)) return false;
  const next = nextWorkingDay(booked);
  return day < next || !hasStatement(booked) || !hasStatement(next);
}

/** For each open difference, the day on which the other side has it. */
function findLaterDays(open: readonly Difference[], { ahead }: DayContext): ReadonlyMap<string, string> {
  const items = open.flatMap(({ kind, item }) => (kind === 'books' ? [item!] : []));
  const rows = open.flatMap(({ kind, row }) => (kind === 'statement' ? [row!] : []));
  const { links } = linkItems([...items, ...ahead.items], [...rows, ...ahead.rows]);
  const [mine, seen] = [new Set(items.map(({ id }) => id)), new Set(rows.map(({ id }) => id))];
  const days = new Map<string, string>();
  for (const each of links) {
    if (each.way === 'differs') continue;
    const last = [...each.items, ...each.rows]
      .map(({ day }) => day)
      .toSorted()
      .at(-1)!;
    for (const { id } of each.items) if (mine.has(id)) days.set(`books ${id}`, last);
    for (const { id } of each.rows) if (seen.has(id)) days.set(`row ${id}`, last);
  }
  return days;
}

function findPayoutsUnderWay(
  open: readonly Difference[],
  underWay: readonly UnbookedPayout[],
): ReadonlySet<string> {
  const left = new Set(underWay);
  const found = new Set<string>();
  for (const { id, kind, row } of open) {
    if (kind !== 'statement' || row!.amountMinor >= 0n) continue;
    const equal = [...left].filter(({ amountMinor }) => amountMinor === -row!.amountMinor);
    const payout = equal.find((each) => isNamedInRow(each, row!)) ?? equal[0];
    if (payout === undefined) continue;
    left.delete(payout);
    found.add(id);
  }
  return found;
}

function isNamedInRow(
  { names }: UnbookedPayout,
  { reference, narration, sessionId }: ReconciliationRow,
): boolean {
  const texts = [reference, narration, sessionId].map((text) => normaliseReference(text ?? ''));
  return names.filter(isUsableReference).some((name) => texts.some((text) => text.includes(name)));
}
