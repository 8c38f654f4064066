// Checks the steps of a running balance in both possible row orders of a file. The row order decides which balance comes before
// a row.
import type { ParsedRow, RowProblem, StatementItem } from './row.ts';
import type { StatementSide } from './side.ts';

export type RowOrder = 'oldestFirst' | 'newestFirst';
const ROW_ORDERS = ['oldestFirst', 'newestFirst'] as const;

interface StepTally {
  /** The number of steps that neither a credit nor a debit explains, or that contradict a row. */
  misfits: number;
  minuses: number;
  plainDebit: ParsedRow | null;
  readonly opposed: Map<string, { readonly problem: RowProblem; readonly isWritten: boolean }>;
}

export class BalanceSteps {
  readonly #signs: Readonly<Record<RowOrder, WeakMap<ParsedRow, StatementSide>>> = {
    oldestFirst: new WeakMap(),
    newestFirst: new WeakMap(),
  };
  readonly #tally: Readonly<Record<RowOrder, StepTally>> = {
    oldestFirst: newTally(),
    newestFirst: newTally(),
  };
  #first: ParsedRow | null = null;
  #last: ParsedRow | null = null;
  /** An unreadable row follows the last readable row, so the next balance proves nothing. */
  #isBroken = false;
  #openingMinor: bigint | null = null;
  readonly #days = { rise: false, fall: false };
  /** The number of rows that name their side and also have a minus. If there are such rows, the file signs its amounts. */
  #saidMinuses = 0;
  /** The balance before the first row was compared, or an unreadable part came before that row. */
  #isFirstKnown = false;

  add(item: StatementItem): void {
    if (item.kind === 'problem') this.#isBroken = true;
    if (item.kind === 'balance' && item.what === 'opening') this.#openingMinor = item.amountMinor;
    if (item.kind === 'row' && !item.row.isPending) this.#addRow(item.row);
  }

  /** `balanceMinor`: the stored balance at the start of the day of the first row. */
  firstBefore(balanceMinor: bigint | null): void {
    if (this.#first === null || this.#isFirstKnown || balanceMinor === null) return;
    this.#isFirstKnown = this.#check('oldestFirst', this.#first, balanceMinor, true);
  }

  end(balanceMinor: bigint | null): void {
    if (this.#last === null || this.#isBroken) return;
    const starts = [this.#openingMinor, balanceMinor].filter((each) => each !== null);
    starts.some((start) => this.#check('newestFirst', this.#last!, start, true));
  }

  /** The row order that is known so far. Null: the order is not known. */
  order(): RowOrder | null {
    const { rise, fall } = this.#days;
    if (rise !== fall) return rise ? 'oldestFirst' : 'newestFirst';
    const { oldestFirst, newestFirst } = this.#tally;
    if (rise || oldestFirst.misfits === newestFirst.misfits) return this.#soleOrder(rise);
    return oldestFirst.misfits < newestFirst.misfits ? 'oldestFirst' : 'newestFirst';
  }

  /**
   * A single row counts as oldest first. Otherwise the result is the row order that starts at a known balance. Null: the days
   * are mixed, no order starts at a known balance, or both do.
   */
  #soleOrder(isMixed: boolean): RowOrder | null {
    if (isMixed) return null;
    if (this.#first === this.#last) return 'oldestFirst';
    const starts = ROW_ORDERS.filter((order) =>
      this.#signs[order].has(order === 'oldestFirst' ? this.#first! : this.#last!),
    );
    return starts.length === 1 ? starts[0]! : null;
  }

  /** Whether the file marks outgoing money with a minus. A side or a balance must confirm at least one minus. */
  get isSigned(): boolean {
    const order = this.order();
    const tallies = order === null ? ROW_ORDERS.map((each) => this.#tally[each]) : [this.#tally[order]];
    if (order === null && tallies.some(({ plainDebit }) => plainDebit !== null)) return false;
    return this.#saidMinuses > 0 || tallies.some(({ minuses }) => minuses > 0);
  }

  /** `sign` null: no balance proves the sign. */
  signOf(
    row: ParsedRow,
    order: RowOrder | null,
  ): { readonly sign: StatementSide | null; readonly isOldest: boolean } {
    if (order === null) return { sign: null, isOldest: false };
    const oldest = order === 'oldestFirst' ? this.#first : this.#last;
    return { sign: this.#signs[order].get(row) ?? null, isOldest: row === oldest };
  }

  /**
   * The line of a debit without a minus, if the file was read as unsigned and a minus appeared later. Null: there is no such
   * line.
   */
  mixedSigns(decided: { readonly order: RowOrder | null; readonly isSigned: boolean } | null): number | null {
    if (decided === null || decided.order === null || decided.isSigned || !this.isSigned) return null;
    return this.#tally[decided.order].plainDebit?.line ?? null;
  }

  /** `isSigned`: the signs of the file were trusted. A balance may therefore also contradict these signs. */
  contradictions(isSigned: boolean): ReadonlyMap<string, RowProblem> {
    const order = this.order();
    const found = new Map<string, RowProblem>();
    for (const each of order === null ? ROW_ORDERS : [order])
      for (const [day, { problem, isWritten }] of this.#tally[each].opposed)
        if ((isSigned || !isWritten) && (order !== null || !this.#isMixed)) found.set(day, problem);
    return found;
  }

  get #isMixed(): boolean {
    return this.#days.rise && this.#days.fall;
  }

  #addRow(row: ParsedRow): void {
    if (row.lacks === null && row.isMinus && row.amountMinor < 0n) this.#saidMinuses++;
    const last = this.#last;
    if (last === null) {
      this.#first = row;
      this.#isFirstKnown =
        this.#isBroken ||
        (this.#openingMinor !== null && this.#check('oldestFirst', row, this.#openingMinor, true));
    } else {
      if (last.day < row.day) this.#days.rise = true;
      if (last.day > row.day) this.#days.fall = true;
      if (!this.#isBroken && last.balanceMinor !== null && row.balanceMinor !== null) {
        this.#check('oldestFirst', row, last.balanceMinor, false);
        this.#check('newestFirst', last, row.balanceMinor, false);
      }
    }
    this.#last = row;
    this.#isBroken = false;
  }

  /**
   * Whether the balance before a row proves the sign of the row. `isStart`: other rows may be between this balance and the row.
   */
  #check(order: RowOrder, row: ParsedRow, beforeMinor: bigint, isStart: boolean): boolean {
    if (row.balanceMinor === null) return false;
    const tally = this.#tally[order];
    const step = row.balanceMinor - beforeMinor;
    const size = row.amountMinor < 0n ? -row.amountMinor : row.amountMinor;
    if (step !== size && step !== -size) {
      if (!isStart) tally.misfits++;
      return false;
    }
    const sign: StatementSide = step > 0n ? 'credit' : 'debit';
    const written: StatementSide = row.amountMinor > 0n ? 'credit' : 'debit';
    this.#signs[order].set(row, sign);
    if (row.lacks === null || row.isMinus) {
      if (sign !== written) this.#oppose(tally, row, isStart);
      else if (row.isMinus && row.lacks !== null) tally.minuses++;
    } else if (sign === 'debit') {
      tally.plainDebit ??= row;
      this.#oppose(tally, row, true);
    }
    return true;
  }

  #oppose(tally: StepTally, { line, column, day, lacks }: ParsedRow, isStart: boolean): void {
    if (!isStart) tally.misfits++;
    const reason = `${day}: the balance moves in the opposite direction to the row: its day has the state "gap"`;
    const isWritten = lacks !== null;
    const known = tally.opposed.get(day);
    if (known === undefined || (known.isWritten && !isWritten))
      tally.opposed.set(day, { problem: { line, column, reason }, isWritten });
  }
}

function newTally(): StepTally {
  return { misfits: 0, minuses: 0, plainDebit: null, opposed: new Map() };
}
