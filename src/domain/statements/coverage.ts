// Finds what one file proves about each of its days: whether it covers the whole day, and what its stated balances show. It
// reads the items of the file one by one and keeps only sums for each day.
import { dayAfter } from './days.ts';
import type { ListingScope, StatementItem } from './row.ts';

export interface FileDay {
  readonly day: string;
  readonly rows: number;
  /** Whether the file contains everything that happened on the day. */
  readonly isWhole: boolean;
  /**
   * The balances at the start and the end of the day. The file states them, or they are computed from stated balances if the
   * sums of the file are correct.
   */
  readonly openingMinor: bigint | null;
  readonly closingMinor: bigint | null;
  /** Whether the sums are correct in the part of the file that has this day. Null: this part states no balances. */
  readonly sums: 'right' | 'wrong' | null;
}

export interface BalanceGap {
  readonly line: number;
  readonly day: string;
  /** The balance computed from the previous balance and the amount. `foundMinor` is the balance in the file. */
  readonly expectedMinor: bigint;
  readonly foundMinor: bigint;
}

export interface FileCoverage {
  readonly days: readonly FileDay[];
  readonly fromDay: string | null;
  readonly toDay: string | null;
  readonly gaps: readonly BalanceGap[];
  readonly gapCount: number;
}

interface FilePart {
  openingMinor: bigint | null;
  closingMinor: bigint | null;
  beginsWhole: boolean;
  endsWhole: boolean;
  sumMinor: bigint;
  readonly days: Map<string, { rows: number; sumMinor: bigint }>;
  closingLine: number;
}

interface BalanceStep {
  readonly day: string;
  readonly amountMinor: bigint;
  readonly balanceMinor: bigint | null;
  readonly line: number;
}

const MOST_GAPS = 100;
/** If a file spans more days than this, its days without rows are not listed. */
const MOST_EMPTY_DAYS = 4_000;

export class Coverage {
  readonly #parts: FilePart[] = [emptyPart()];
  readonly #tainted: [from: string, to: string][] = [];
  /** The balance gaps for both possible row orders of the file: the oldest row first, or the newest row first. */
  readonly #gaps = { oldestFirst: makeGaps(), newestFirst: makeGaps() };
  #period: { from: string; to: string } | null = null;
  #last: BalanceStep | null = null;
  #firstDay: string | null = null;
  #unread = false;
  /**
   * Whether any row has a balance. The balances of rows then show which rows are missing, and the balances that the file states
   * for its start and end are not used.
   */
  #isBalanced = false;

  add(item: StatementItem): void {
    if (item.kind === 'period') this.#period = widenPeriod(this.#period, item);
    else if (item.kind === 'problem') this.#unread = true;
    else if (item.kind === 'balance') this.#addBalance(item);
    else if (item.kind === 'row' && !item.row.isPending) this.#addRow(item.row);
  }

  get #part(): FilePart {
    return this.#parts.at(-1)!;
  }

  #addRow(row: BalanceStep): void {
    if (this.#unread) {
      const [from, to] = [this.#last?.day ?? row.day, row.day].sort();
      this.#tainted.push([from!, to!]);
      this.#unread = false;
    }
    const part = this.#part;
    const day = part.days.get(row.day) ?? { rows: 0, sumMinor: 0n };
    part.days.set(row.day, { rows: day.rows + 1, sumMinor: day.sumMinor + row.amountMinor });
    part.sumMinor += row.amountMinor;
    this.#isBalanced ||= row.balanceMinor !== null;
    this.#checkStep(row);
    this.#last = row;
    this.#firstDay ??= row.day;
  }

  #checkStep(row: BalanceStep): void {
    const last = this.#last;
    if (last === null || last.balanceMinor === null || row.balanceMinor === null) return;
    const after = last.balanceMinor + row.amountMinor;
    if (after !== row.balanceMinor) this.#gaps.oldestFirst.add(row, after, row.balanceMinor);
    const before = row.balanceMinor + last.amountMinor;
    if (before !== last.balanceMinor) this.#gaps.newestFirst.add(row, before, last.balanceMinor);
  }

  #addBalance(item: Extract<StatementItem, { kind: 'balance' }>): void {
    const part = this.#part;
    if (item.what === 'closing') {
      part.closingMinor = item.amountMinor;
      part.endsWhole = item.isWhole;
      part.closingLine = item.line;
      return;
    }
    if (part.openingMinor === null) {
      part.openingMinor = item.amountMinor;
      part.beginsWhole = item.isWhole;
      return;
    }
    if (part.days.size === 0 && part.openingMinor === item.amountMinor) return;
    const running = part.openingMinor + part.sumMinor;
    // A balance that is carried over to the next page or message of the file continues from the last balance.
    if (item.amountMinor === (part.closingMinor ?? running) && item.amountMinor === running) {
      part.closingMinor = null;
      part.endsWhole = false;
      return;
    }
    this.#parts.push({ ...emptyPart(), openingMinor: item.amountMinor, beginsWhole: item.isWhole });
  }

  /** `today`: this day has not ended, so no file can cover it completely. */
  finish(listing: ListingScope, today: string): FileCoverage {
    if (this.#unread && this.#last !== null) this.#tainted.push([this.#last.day, this.#last.day]);
    const parts = this.#parts.filter(({ days }) => days.size > 0);
    const days = new Map<string, FileDay>();
    for (const part of parts)
      for (const day of listPartDays(part)) {
        const twice = days.get(day.day);
        days.set(day.day, twice === undefined ? day : mergeFileDays(twice, day));
      }
    const all = [...days.keys()].sort();
    const from = minDay(this.#period?.from ?? null, all[0] ?? null);
    const to = maxDay(this.#period?.to ?? null, all.at(-1) ?? null);
    const isWhole = ({ day, isWhole: whole }: FileDay) =>
      listing === 'everything' &&
      day < today &&
      !this.#tainted.some(([first, last]) => first <= day && day <= last) &&
      (this.#isBalanced ? all[0]! < day && day < all.at(-1)! : whole || isWithinPeriod(this.#period, day));
    const covered = this.#withEmptyDays(days, from, to, parts.length).map((day) => {
      const bare = this.#isBalanced ? NO_BALANCES : {};
      return { ...day, ...bare, isWhole: isWhole(day) };
    });
    const { gaps, count } = this.#runningGaps();
    return {
      days: covered.filter((day) => day.rows > 0 || day.isWhole),
      fromDay: from,
      toDay: to,
      gaps,
      gapCount: count,
    };
  }

  #withEmptyDays(
    days: Map<string, FileDay>,
    from: string | null,
    to: string | null,
    parts: number,
  ): FileDay[] {
    const found = [...days.values()];
    if (from === null || to === null || dayAfter(from, MOST_EMPTY_DAYS) < to)
      return found.sort(compareFileDays);
    for (let day = from; day <= to; day = dayAfter(day))
      // Days may be missing between two parts of a file that do not follow each other.
      if (!days.has(day)) found.push({ ...EMPTY_DAY, day, isWhole: parts <= 1 });
    return found.sort(compareFileDays);
  }

  /**
   * A file lists the oldest or the newest row first. The days of the rows show the order. If they do not, the balances show it.
   */
  #runningGaps(): { gaps: readonly BalanceGap[]; count: number } {
    const { oldestFirst, newestFirst } = this.#gaps;
    const lastDay = this.#last?.day ?? null;
    if (this.#firstDay !== null && lastDay !== null && this.#firstDay !== lastDay)
      return this.#firstDay < lastDay ? oldestFirst : newestFirst;
    return newestFirst.count < oldestFirst.count ? newestFirst : oldestFirst;
  }

  get isNewestFirst(): boolean {
    return this.#runningGaps() === this.#gaps.newestFirst;
  }
}

const NO_BALANCES = { openingMinor: null, closingMinor: null, sums: null } as const;
const EMPTY_DAY = { rows: 0, ...NO_BALANCES } as const;

function emptyPart(): FilePart {
  return {
    ...{ openingMinor: null, closingMinor: null, beginsWhole: false, endsWhole: false, sumMinor: 0n },
    ...{ days: new Map(), closingLine: 0 },
  };
}

function makeGaps() {
  const gaps: BalanceGap[] = [];
  return {
    gaps,
    count: 0,
    add({ line, day }: BalanceStep, expectedMinor: bigint, foundMinor: bigint) {
      this.count++;
      if (gaps.length < MOST_GAPS) gaps.push({ line, day, expectedMinor, foundMinor });
    },
  };
}

function listPartDays(part: FilePart): FileDay[] {
  const days = [...part.days.keys()].sort();
  const hasBoth = part.openingMinor !== null && part.closingMinor !== null;
  const isRight = hasBoth && part.openingMinor! + part.sumMinor === part.closingMinor;
  let runningMinor = part.openingMinor;
  return days.map((day, at) => {
    const { rows, sumMinor } = part.days.get(day)!;
    const [isFirst, isLast] = [at === 0, at === days.length - 1];
    // A stated balance in the middle of a day shows nothing about the start or the end of the day.
    const openingMinor = isFirst ? (part.beginsWhole ? runningMinor : null) : isRight ? runningMinor : null;
    if (runningMinor !== null) runningMinor += sumMinor;
    return {
      ...{ day, rows, openingMinor },
      closingMinor: isLast ? part.closingMinor : isRight ? runningMinor : null,
      isWhole: (!isFirst || part.beginsWhole) && (!isLast || part.endsWhole),
      sums: hasBoth ? (isRight ? 'right' : 'wrong') : null,
    };
  });
}

function mergeFileDays(one: FileDay, other: FileDay): FileDay {
  return {
    ...{ day: one.day, rows: one.rows + other.rows, isWhole: false, openingMinor: null, closingMinor: null },
    sums: one.sums === null && other.sums === null ? null : 'wrong',
  };
}

function compareFileDays(one: FileDay, other: FileDay): number {
  return one.day < other.day ? -1 : 1;
}

function isWithinPeriod(period: { from: string; to: string } | null, day: string): boolean {
  return period !== null && period.from <= day && day <= period.to;
}

function widenPeriod(
  one: { from: string; to: string } | null,
  other: { from: string; to: string },
): { from: string; to: string } {
  if (one === null) return { from: other.from, to: other.to };
  return { from: minDay(one.from, other.from)!, to: maxDay(one.to, other.to)! };
}

function minDay(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

function maxDay(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}
