// Finds the direction of the money in rows that do not state it. A running balance proves the sign of every row except the
// oldest, and an opening balance proves the sign of the oldest. For all other rows, the signs are trusted only if it is proven
// that the file signs its amounts. If any row stays uncertain, no row of the file is used, because an unsigned debit looks like
// a payment.
import { BalanceSteps, type RowOrder } from './balance-steps.ts';
import type { DirectedRow, ParsedRow, RowProblem, StatementItem } from './row.ts';

export type DirectedItem = Exclude<StatementItem, { kind: 'row' }> | { kind: 'row'; row: DirectedRow };

/**
 * The maximum number of rows that are kept. Rows are kept until it is known in which order they are, and whether the file signs
 * its amounts.
 */
const MOST_KEPT = 2_000;

const OLDEST_ROW_PROBLEM: RowProblem['reason'] =
  'nothing before this row shows whether the money came in or went out: import a file that begins earlier, or one that states its opening balance';
const NEEDED_COLUMNS =
  'The file needs two columns (money in and money out), or a column that says debit or credit in every row (Dr/Cr), or a running balance that proves each row. Nothing was imported.';

export class DirectionFinder {
  readonly #steps = new BalanceSteps();
  #kept: StatementItem[] = [];
  /** Null: the row order or the use of signs is not known yet, so rows are kept. */
  #decided: { readonly order: RowOrder | null; readonly isSigned: boolean } | null = null;
  #isKeeping = false;
  #certain = 0;
  #leftOut = 0;
  #unproven: { count: number; readonly first: ParsedRow } | null = null;

  /** Returns the rows that are certain so far, in the order of the file. */
  take(item: StatementItem): readonly DirectedItem[] {
    this.#steps.add(item);
    if (item.kind === 'row' && !item.row.isPending && item.row.lacks !== null) this.#isKeeping = true;
    if (!this.#isKeeping) return [this.#given(item)];
    this.#kept.push(item);
    if (this.#decided === null && this.#kept.length < MOST_KEPT) return [];
    return this.#release(false);
  }

  /** `balanceMinor`: the stored balance at the start of the day of the first row. */
  beginAt(balanceMinor: bigint | null): void {
    this.#steps.firstBefore(balanceMinor);
  }

  /** `balanceMinor`: the stored balance at the start of the day of the last row. */
  end(balanceMinor: bigint | null): readonly DirectedItem[] {
    this.#steps.end(balanceMinor);
    return this.#release(true);
  }

  /** The days on which the balance contradicts a row, each with that row. */
  contradictions(): ReadonlyMap<string, RowProblem> {
    return this.#steps.contradictions(this.#decided?.isSigned ?? false);
  }

  /** The reason why the file cannot be used. Null: the file can be used. */
  refusal(): string | null {
    const mixed = this.#steps.mixedSigns(this.#decided);
    if (mixed !== null)
      return `Some amounts have a minus, but line ${mixed} has none, although its balance shows that money went out: it is not certain which amounts are signed. ${NEEDED_COLUMNS}`;
    const unproven = this.#unproven;
    const isSigned = this.#steps.isSigned;
    if (unproven !== null && !isSigned) return describeUncertainty(unproven.first, unproven.count);
    if (this.#leftOut > 0 && this.#certain === 0)
      return `${capitalise(OLDEST_ROW_PROBLEM)}. ${NEEDED_COLUMNS}`;
    return null;
  }

  #release(isEnd: boolean): readonly DirectedItem[] {
    this.#decided ??= { order: this.#steps.order(), isSigned: this.#steps.isSigned };
    // If the file lists the newest row first, the sign of a row is known only after the next row.
    const waits = !isEnd && this.#decided.order === 'newestFirst';
    const upTo = waits ? this.#kept.findLastIndex(isBooked) : this.#kept.length;
    if (upTo <= 0) return [];
    const out = this.#kept.splice(0, upTo);
    return out.map((item) => this.#given(item));
  }

  #given(item: StatementItem): DirectedItem {
    if (item.kind !== 'row') return item;
    const { row } = item;
    if (row.lacks === null || row.isPending) {
      if (!row.isPending) this.#certain++;
      return { kind: 'row', row: { ...row, directionBy: 'side' } };
    }
    const { order, isSigned } = this.#decided!;
    const { sign, isOldest } = this.#steps.signOf(row, order);
    const written = row.amountMinor > 0n ? 'credit' : 'debit';
    // In a file without signs, a balance may turn an amount without a minus into a debit. In all other cases the written sign
    // stays. If the balance contradicts the written sign, the day is held.
    if (sign === written || (sign === 'debit' && !isSigned)) {
      this.#certain++;
      const amountMinor = sign === written ? row.amountMinor : -row.amountMinor;
      return { kind: 'row', row: { ...row, amountMinor, directionBy: 'balance' } };
    }
    if (sign === null && isOldest && !isSigned && row.balanceMinor !== null) {
      this.#leftOut++;
      return { kind: 'problem', problem: { line: row.line, column: row.column, reason: OLDEST_ROW_PROBLEM } };
    }
    if (this.#unproven === null) this.#unproven = { count: 1, first: row };
    else this.#unproven.count++;
    if (isSigned) this.#certain++;
    return { kind: 'row', row: { ...row, directionBy: 'signs' } };
  }
}

function isBooked(item: StatementItem): boolean {
  return item.kind === 'row' && !item.row.isPending;
}

function describeUncertainty({ line, lacks, balanceMinor }: ParsedRow, count: number): string {
  const rows = count === 1 ? `line ${line}` : `line ${line} and ${count - 1} more`;
  const balance = balanceMinor === null ? '' : ', and the balances do not prove it';
  return `It is not certain whether money came in or went out (${rows}): ${lacks}${balance}. ${NEEDED_COLUMNS}`;
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
