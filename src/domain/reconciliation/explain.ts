// Why a difference is there. Explained: the other side has it on another day, or will have it, or the payout is in progress. Everything else
// is for people.
import { type BookItem, type Difference, isName, nameOf, type StatementRow } from './items.ts';
import { link } from './link.ts';
import { addDays, nextWorkingDay } from './working-days.ts';

export const REASONS = [
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
export type Reason = (typeof REASONS)[number];

const EXPLAINED: ReadonlySet<Reason> = new Set([
  'later_on_statement',
  'later_in_books',
  'not_yet_on_statement',
  'under_way',
  'rail_as_statement',
]);

export function isExplained(reason: Reason): boolean {
  return EXPLAINED.has(reason);
}

export interface Explained extends Difference {
  readonly reason: Reason;
  /** The day on which the other side has it, where that is known. */
  readonly onDay: string | null;
}

/** A payout or refund that was given to the bank and whose end is not booked yet. */
export interface UnderWay {
  readonly movementId: string;
  /** Above zero. */
  readonly amountMinor: bigint;
  readonly names: readonly string[];
}

export interface Outlook {
  readonly day: string;
  /** The known items and rows of both sides after the day. */
  readonly ahead: { readonly items: readonly BookItem[]; readonly rows: readonly StatementRow[] };
  readonly underWay: readonly UnderWay[];
  /** Whether there is a whole statement of a day. */
  readonly hasStatement: (day: string) => boolean;
}

/** The days that an item waits for a missing statement before people are asked. */
const WAIT_DAYS = 7;

export function explain(open: readonly Difference[], outlook: Outlook): readonly Explained[] {
  const later = laterOf(open, outlook);
  const leaving = underWayOf(open, outlook.underWay);
  return open.map((each) => {
    const onDay = later.get(each.id) ?? null;
    return { ...each, onDay, reason: reasonOf(each, onDay, leaving, outlook) };
  });
}

function reasonOf(
  { kind, id, item }: Difference,
  onDay: string | null,
  leaving: ReadonlySet<string>,
  outlook: Outlook,
): Reason {
  switch (kind) {
    case 'books':
      if (onDay !== null) return 'later_on_statement';
      return waits(item!, outlook) ? 'not_yet_on_statement' : 'only_in_books';
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

/** Whether an item waits: until there are statements of its day and of the next working day. */
export function waits({ day: booked }: BookItem, { day, hasStatement }: Outlook): boolean {
  if (day > addDays(booked, WAIT_DAYS)) return false;
  const next = nextWorkingDay(booked);
  return day < next || !hasStatement(booked) || !hasStatement(next);
}

/** The day on which the other side has each of the open differences. */
function laterOf(open: readonly Difference[], { ahead }: Outlook): ReadonlyMap<string, string> {
  const items = open.flatMap(({ kind, item }) => (kind === 'books' ? [item!] : []));
  const rows = open.flatMap(({ kind, row }) => (kind === 'statement' ? [row!] : []));
  const { links } = link([...items, ...ahead.items], [...rows, ...ahead.rows]);
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

function underWayOf(open: readonly Difference[], underWay: readonly UnderWay[]): ReadonlySet<string> {
  const left = new Set(underWay);
  const found = new Set<string>();
  for (const { id, kind, row } of open) {
    if (kind !== 'statement' || row!.amountMinor >= 0n) continue;
    const equal = [...left].filter(({ amountMinor }) => amountMinor === -row!.amountMinor);
    const payout = equal.find((each) => isNamed(each, row!)) ?? equal[0];
    if (payout === undefined) continue;
    left.delete(payout);
    found.add(id);
  }
  return found;
}

function isNamed({ names }: UnderWay, { reference, narration, sessionId }: StatementRow): boolean {
  const texts = [reference, narration, sessionId].map((text) => nameOf(text ?? ''));
  return names.filter(isName).some((name) => texts.some((text) => text.includes(name)));
}
