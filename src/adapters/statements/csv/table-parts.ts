// Reads the tables of a file one after another: the lines above each header, then its rows. A sheet of a workbook, or a line that
// names another account, begins a new table, which has its own header.

import { parseStatementAmount } from '../../../domain/statements/amount.ts';
import { parseStatementDay } from '../../../domain/statements/days.ts';
import type { StatementItem } from '../../../domain/statements/row.ts';
import { type ColumnProfile, findColumns } from './column-profile.ts';
import type { CsvItem, CsvRecord } from './csv-records.ts';
import { findAccountIn, Preamble } from './preamble.ts';
import { TableReader } from './table-reader.ts';

const NO_HEADER =
  'this row stands below no header that the profile knows, so it was not imported: each sheet, and each account in the file, needs its own header';

export async function* readTables(
  records: AsyncIterable<readonly CsvItem[]>,
  profile: ColumnProfile,
): AsyncGenerator<readonly StatementItem[]> {
  const reader = new PartReader(profile);
  for await (const group of records) {
    const items = group.flatMap((record) => reader.take(record));
    if (items.length > 0) yield items;
  }
  yield reader.end();
}

class PartReader {
  readonly #profile: ColumnProfile;
  #preamble: Preamble;
  #table: TableReader | null = null;
  #account: string | null = null;
  /** A table was read before, so rows without a header here would be lost. */
  #isLater = false;

  constructor(profile: ColumnProfile) {
    this.#profile = profile;
    this.#preamble = new Preamble(profile.decimal);
  }

  take(record: CsvItem): readonly StatementItem[] {
    if ('newTable' in record) return this.#startPart();
    if (this.#table === null) return 'problem' in record ? [] : this.#takeAbove(record);
    const other = 'problem' in record ? null : this.#otherAccountIn(record);
    if (other === null) return this.#table.take(record);
    return [...this.#startPart(), ...this.#takeAbove(record as CsvRecord)];
  }

  end(): readonly StatementItem[] {
    return this.#table?.end() ?? [];
  }

  #startPart(): readonly StatementItem[] {
    const items = this.end();
    this.#isLater ||= this.#table !== null;
    this.#table = null;
    this.#preamble = new Preamble(this.#profile.decimal);
    return items;
  }

  #takeAbove(record: CsvRecord): readonly StatementItem[] {
    const columns = findColumns(this.#profile, record.cells);
    if (columns !== undefined) {
      this.#table = new TableReader(this.#profile, columns, record.cells.length);
      const items = this.#preamble.items();
      const named = items.findLast((item) => item.kind === 'account');
      if (named !== undefined) this.#account = named.text;
      return items;
    }
    this.#preamble.add(record.cells.map(stripQuotes), record.line);
    const { line } = record;
    if (!this.#isLater || !isLikeRow(record.cells, this.#profile)) return [];
    return [{ kind: 'problem', problem: { line, column: 1, reason: NO_HEADER } }];
  }

  /** A line such as `Account No: 0123456789` in the middle of a file; null: it names no account, or the same one. */
  #otherAccountIn({ cells }: CsvRecord): string | null {
    const first = cells.findIndex((cell) => cell.trim() !== '');
    if (
      first === -1 ||
      this.#table!.isNarration(first) ||
      !/^\W*(?:account|acct|a\/c)\b/i.test(cells[first]!)
    )
      return null;
    const named = findAccountIn(cells.map(stripQuotes));
    if (named === null || this.#account === null) return named;
    return isSameNumber(named, this.#account) ? null : named;
  }
}

/** A masked number is the same as a number with the same last digits. */
function isSameNumber(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => text.split(/\D/).at(-1)) as [string, string];
  return a.endsWith(b) || b.endsWith(a);
}

function isLikeRow(cells: readonly string[], { decimal, days }: ColumnProfile): boolean {
  const texts = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  const isAmount = (text: string) =>
    parseStatementDay(text, days) === undefined && parseStatementAmount(text, decimal).kind === 'amount';
  return (
    texts.length >= 3 &&
    texts.some((text) => parseStatementDay(text, days) !== undefined) &&
    texts.some(isAmount)
  );
}

function stripQuotes(cell: string): string {
  return cell.replace(/^\s*="([^"]*)"\s*$/, '$1');
}
