// The unlinked items and rows of both sides. A rule removes items and rows that belong together; nothing is removed twice.
import { areOtherSessions } from '../values/session-id.ts';
import type { BookItem, ReconciliationRow } from './items.ts';

export const LINK_WAYS = ['row', 'name', 'amount', 'charges', 'batch', 'differs'] as const;
/**
 * How items and rows were linked: by a known row, by a session id or reference on both sides, by amount and day, by the sum of
 * the charges of one payout, by the charges of many payouts in one row, or by a name although the amounts differ.
 */
export type LinkWay = (typeof LINK_WAYS)[number];

export interface ReconciliationLink {
  readonly items: readonly BookItem[];
  readonly rows: readonly ReconciliationRow[];
  readonly way: LinkWay;
}

export class UnlinkedPool {
  readonly items: Map<string, BookItem>;
  readonly rows: Map<string, ReconciliationRow>;
  readonly links: ReconciliationLink[] = [];

  private readonly settled: ReadonlySet<string>;

  /**
   * `settled`: session ids of transfers that were linked earlier by their amount. Such a session id in a row never counts as a
   * contradiction.
   */
  constructor(
    items: readonly BookItem[],
    rows: readonly ReconciliationRow[],
    settled: ReadonlySet<string> = new Set(),
  ) {
    this.settled = settled;
    const inOrder = items.toSorted((a, b) => a.atMs - b.atMs || (a.id < b.id ? -1 : 1));
    this.items = new Map(inOrder.map((item) => [item.id, item]));
    const byDay = rows.toSorted((a, b) => compareTexts(a.day, b.day) || compareTexts(a.id, b.id));
    this.rows = new Map(byDay.map((row) => [row.id, row]));
  }

  hasItem = (item: BookItem): boolean => this.items.has(item.id);
  hasRow = (row: ReconciliationRow): boolean => this.rows.has(row.id);

  /** Whether item and row name different transfers. */
  contradict({ sessions }: BookItem, { sessionId }: ReconciliationRow): boolean {
    if (sessionId === null || sessions.length === 0 || this.settled.has(sessionId)) return false;
    return sessions.every((each) => areOtherSessions(each, sessionId));
  }

  take(items: readonly BookItem[], rows: readonly ReconciliationRow[], way: LinkWay): void {
    for (const { id } of items) this.items.delete(id);
    for (const { id } of rows) this.rows.delete(id);
    this.links.push({ items, rows, way });
  }
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Every subset, the largest first. Only the first six parts are used, because the number of subsets grows fast. */
export function* listSubsets<Part>(all: readonly Part[]): Generator<readonly Part[]> {
  const few = all.slice(0, MAX_SUBSET_ITEMS);
  for (let mask = (1 << few.length) - 1; mask > 0; mask--)
    yield few.filter((_, index) => (mask >> index) & 1);
}

const MAX_SUBSET_ITEMS = 6;

/** A subset that adds up to the amount; undefined: there is none. */
export function findSubsetWithSum<Part extends { readonly amountMinor: bigint }>(
  all: readonly Part[],
  amountMinor: bigint,
): readonly Part[] | undefined {
  for (const some of listSubsets(all))
    if (some.reduce((sum, part) => sum + part.amountMinor, 0n) === amountMinor) return some;
  return undefined;
}
