// Finds why a difference of a reconciliation exists. A difference is explained if the other side has the item on another day or
// can still get it. It is also explained if the payout is in progress. People handle all other differences.
import {
  type BookItem,
  type Difference,
  findMissingDay,
  isChargeItem,
  isUsableReference,
  normaliseReference,
  type ReconciliationRow,
} from './items.ts';
import { linkItems } from './link-items.ts';
import { mayShowCharges, shareName } from './row-words.ts';
import type { LinkKnowledge, UnmatchedRowState } from './unlinked-pool.ts';
import { addDays } from './working-days.ts';

export const DIFFERENCE_REASONS = [
  'later_on_statement',
  'later_in_books',
  'not_yet_on_statement',
  'under_way',
  'report_waits',
  'only_in_books',
  'only_on_statement',
  'report_without_credit',
  'shown_twice',
  'other_account',
  'amount_differs',
  'charge_differs',
  'charge_unclear',
  'opening_differs',
  'balance_not_carried',
  'days_missing',
  'rail_differs',
  'rail_as_statement',
] as const;
export type DifferenceReason = (typeof DIFFERENCE_REASONS)[number];

const EXPLAINING_REASONS: ReadonlySet<DifferenceReason> = new Set([
  'later_on_statement',
  'later_in_books',
  'not_yet_on_statement',
  'under_way',
  'report_waits',
  'rail_as_statement',
]);

export function isExplainingReason(reason: DifferenceReason): boolean {
  return EXPLAINING_REASONS.has(reason);
}

export interface ExplainedDifference extends Difference {
  readonly reason: DifferenceReason;
  /**
   * The day on which the other side has the item, or on which the statement shows the row for the first time; null: not known.
   */
  readonly onDay: string | null;
  /** Our other bank account that has the item; null unless the reason is `other_account`. */
  readonly otherAccount: string | null;
}

/** A payout or refund that was sent to the bank and whose outcome is not booked yet. */
export interface UnbookedPayout {
  readonly movementId: string;
  /** Above zero. */
  readonly amountMinor: bigint;
  readonly names: readonly string[];
}

export interface DayContext extends LinkKnowledge {
  readonly day: string;
  readonly ahead: { readonly items: readonly BookItem[]; readonly rows: readonly ReconciliationRow[] };
  /** The rows of this day and the days before that have the amount of an open row. */
  readonly alike: readonly ReconciliationRow[];
  /** Of open differences, by their ids: our other bank account that has a record with the same session id or reference. */
  readonly elsewhere: ReadonlyMap<string, string>;
  readonly underWay: readonly UnbookedPayout[];
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
  const first = findFirstShownDays(open, outlook.alike);
  const missing = open.filter((each) => findMissingDay(each) !== null);
  return open.map((each) => {
    const { id, kind, item, row } = each;
    const explain = (reason: DifferenceReason, onDay: string | null = null): ExplainedDifference => ({
      ...{ ...each, reason, onDay },
      otherAccount: reason === 'other_account' ? outlook.elsewhere.get(id)! : null,
    });
    const onDay = later.get(id) ?? null;
    if (kind === 'books') {
      if (onDay !== null) return explain('later_on_statement', onDay);
      if (outlook.elsewhere.has(id)) return explain('other_account');
      const waits = isOnMissingDay(item!, missing) || mayStillAppear(item!, outlook);
      return explain(waits ? 'not_yet_on_statement' : 'only_in_books');
    }
    if (kind === 'statement') {
      if (onDay !== null) return explain('later_in_books', onDay);
      const shown = first.get(id);
      if (shown !== undefined) return explain('shown_twice', shown);
      if (outlook.elsewhere.has(id)) return explain('other_account');
      if (leaving.has(id)) return explain('under_way');
      if (row!.kind === 'charge' && hasOpenCharge(row!, open)) return explain('charge_unclear');
      return explain(reasonOfRow(outlook.unmatchedRows.get(row!.id)));
    }
    return explain(reasonOfKind(each));
  });
}

/** Whether the books have a charge that no row shows and that this row may contain. To book the whole row would count it twice. */
function hasOpenCharge(row: ReconciliationRow, open: readonly Difference[]): boolean {
  return open.some(
    ({ kind, item }) =>
      kind === 'books' &&
      isChargeItem(item!) &&
      item!.amountMinor > 0n === row.amountMinor > 0n &&
      mayShowCharges(row, [item!]),
  );
}

function reasonOfRow(state: UnmatchedRowState | undefined): DifferenceReason {
  if (state === undefined) return 'only_on_statement';
  return state === 'waiting' ? 'report_waits' : 'report_without_credit';
}

function reasonOfKind(difference: Difference): DifferenceReason {
  switch (difference.kind) {
    case 'amount':
      return isChargeItem(difference.item!) ? 'charge_differs' : 'amount_differs';
    case 'opening':
      return 'opening_differs';
    case 'rail':
      return 'rail_differs';
    default:
      return findMissingDay(difference) === null ? 'balance_not_carried' : 'days_missing';
  }
}

/**
 * Whether an item may still appear on a statement. The item waits until its own day and the next working day have statements.
 */
export function mayStillAppear(
  { day: booked }: BookItem,
  { day, hasStatement, workingDays }: Pick<DayContext, 'day' | 'hasStatement' | 'workingDays'>,
): boolean {
  if (day > addDays(booked, WAIT_DAYS)) return false;
  const next = workingDays.nextWorkingDay(booked);
  return day < next || !hasStatement(booked) || !hasStatement(next);
}

/** An item waits as long as the statement of its day is known to be missing: one difference already asks for that statement. */
export function isOnMissingDay({ day }: BookItem, missing: readonly Difference[]): boolean {
  return missing.some((each) => findMissingDay(each)! <= day && day < each.day);
}

function findLaterDays(open: readonly Difference[], outlook: DayContext): ReadonlyMap<string, string> {
  const { ahead } = outlook;
  const items = open.flatMap(({ kind, item }) => (kind === 'books' ? [item!] : []));
  const rows = open.flatMap(({ kind, row }) => (kind === 'statement' ? [row!] : []));
  const { links } = linkItems([...items, ...ahead.items], [...rows, ...ahead.rows], outlook);
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

/**
 * For each open row that the statement shows a second time, the day of the first time. Two charges of one transfer can have the
 * same amount, so their words must be equal, too.
 */
function findFirstShownDays(
  open: readonly Difference[],
  alike: readonly ReconciliationRow[],
): ReadonlyMap<string, string> {
  const unlinked = new Set(open.flatMap(({ kind, row }) => (kind === 'statement' ? [row!.id] : [])));
  const linked = alike.filter(({ id }) => !unlinked.has(id));
  const days = new Map<string, string>();
  for (const { kind, id, row } of open) {
    if (kind !== 'statement') continue;
    const first = linked.find((other) => isShownAgain(other, row!));
    if (first !== undefined) days.set(id, first.day);
  }
  return days;
}

function isShownAgain(first: ReconciliationRow, again: ReconciliationRow): boolean {
  if (first.amountMinor !== again.amountMinor || first.kind !== again.kind || first.id === again.id)
    return false;
  const words = ({ narration }: ReconciliationRow) => normaliseReference(narration);
  return shareName(first, again) && (first.kind !== 'charge' || words(first) === words(again));
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
