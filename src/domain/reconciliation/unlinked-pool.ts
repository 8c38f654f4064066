// The unlinked items and rows of both sides. A rule removes the items and rows that belong together, and each of them is
// removed only once.
import { isAccountNumber } from '../catalogue/banks.ts';
import { areOtherSessions } from '../values/session-id.ts';
import { type BookItem, isChargeItem, type ReconciliationRow } from './items.ts';
import { findNamedItems } from './named-items.ts';
import { listOwnReferences, listSessions } from './row-words.ts';
import { NO_HOLIDAYS, type WorkingDays } from './working-days.ts';

export const LINK_WAYS = ['row', 'name', 'party', 'amount', 'charges', 'batch', 'differs'] as const;
/**
 * How items and rows were linked: by a known row, by a session id or reference on both sides, by the other side's account or name
 * with amount and day, by amount and day, by the sum of the charges of one payout, by the charges of many payouts in one row, or
 * by a name although the amounts differ.
 */
export type LinkWay = (typeof LINK_WAYS)[number];

export interface ReconciliationLink {
  readonly items: readonly BookItem[];
  readonly rows: readonly ReconciliationRow[];
  readonly way: LinkWay;
}

/** What is known about items and rows besides their own fields. */
export interface LinkKnowledge {
  /**
   * Session ids and references of transfers that were linked earlier by their amount, and that only one row shows. Such a name in
   * a row never counts as a contradiction.
   */
  readonly settledNames: ReadonlySet<string>;
  /** Rows that report a credit, and that settlement could not match to any credit (yet). Their amount alone explains nothing. */
  readonly unmatchedRows: ReadonlyMap<string, UnmatchedRowState>;
  readonly workingDays: WorkingDays;
}

/** `waiting`: settlement still looks for the credit. `case`: people decide about the report, or explained it. */
export type UnmatchedRowState = 'waiting' | 'case';

export const NOTHING_KNOWN: LinkKnowledge = {
  settledNames: new Set(),
  unmatchedRows: new Map(),
  workingDays: NO_HOLIDAYS,
};

export class UnlinkedPool {
  readonly items: Map<string, BookItem>;
  readonly rows: Map<string, ReconciliationRow>;
  readonly links: ReconciliationLink[] = [];
  readonly workingDays: WorkingDays;
  /** The items that each row names, linked or not. */
  readonly named: ReadonlyMap<string, readonly BookItem[]>;
  /** The subjects that have a bank fee besides their payout. */
  readonly withFee: ReadonlySet<string>;

  private readonly knowledge: LinkKnowledge;

  constructor(
    items: readonly BookItem[],
    rows: readonly ReconciliationRow[],
    knowledge: LinkKnowledge = NOTHING_KNOWN,
  ) {
    this.knowledge = knowledge;
    this.workingDays = knowledge.workingDays;
    const inOrder = items.toSorted((a, b) => a.atMs - b.atMs || (a.id < b.id ? -1 : 1));
    this.items = new Map(inOrder.map((item) => [item.id, item]));
    const byDay = rows.toSorted((a, b) => compareTexts(a.day, b.day) || compareTexts(a.id, b.id));
    this.rows = new Map(byDay.map((row) => [row.id, row]));
    this.named = findNamedItems(inOrder, byDay);
    this.withFee = new Set(
      inOrder.flatMap(({ event, subjectId }) => (event === 'bank_charged' ? [subjectId] : [])),
    );
  }

  hasItem = (item: BookItem): boolean => this.items.has(item.id);
  hasRow = (row: ReconciliationRow): boolean => this.rows.has(row.id);

  /** Whether something says that item and row are different transfers, although their amounts and days agree. */
  contradict(item: BookItem, row: ReconciliationRow): boolean {
    if (this.knowledge.unmatchedRows.has(row.id)) return true;
    if (this.isOther(item.sessions, listSessions(row), areOtherSessions)) return true;
    if (isChargeItem(item)) return false;
    if (this.isOther(item.names, listOwnReferences(row))) return true;
    const named = this.named.get(row.id)!;
    if (named.length > 0 && named.every(({ subjectId }) => subjectId !== item.subjectId)) return true;
    const accounts = (item.parties ?? []).filter(isAccountNumber);
    const shown = row.payerAccount ?? '';
    return accounts.length > 0 && isAccountNumber(shown) && !accounts.includes(shown);
  }

  /** `differ`: whether two names can be compared and name different transfers. */
  private isOther(
    own: readonly string[],
    shown: readonly string[],
    differ = (a: string, b: string) => a !== b,
  ): boolean {
    const unknown = shown.filter((name) => !this.knowledge.settledNames.has(name));
    if (own.length === 0 || unknown.length === 0 || shown.some((name) => own.includes(name))) return false;
    return own.every((a) => unknown.every((b) => differ(a, b)));
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

/** A subset that adds up to the amount and fits; undefined: there is none. */
export function findSubsetWithSum<Part extends { readonly amountMinor: bigint }>(
  all: readonly Part[],
  amountMinor: bigint,
  fits: (some: readonly Part[]) => boolean = () => true,
): readonly Part[] | undefined {
  for (const some of listSubsets(all))
    if (some.reduce((sum, part) => sum + part.amountMinor, 0n) === amountMinor && fits(some)) return some;
  return undefined;
}
