// Converts the cells of a table to the items of a statement. It decides which records are rows, headers, footers or balances,
// and which continue the narration of the previous row.
import { type ParsedAmount, parseStatementAmount } from '../../../domain/statements/amount.ts';
import { type ParsedDay, parseStatementDay } from '../../../domain/statements/days.ts';
import type { NamedPayer, ParsedRow, StatementItem } from '../../../domain/statements/row.ts';
import { UnreadableStatement } from '../../../ports/statements.ts';
import { type ColumnMap, type ColumnName, type ColumnProfile, findColumns } from './column-profile.ts';
import type { CsvItem } from './csv-records.ts';
import { balanceKindIn } from './preamble.ts';
import { hasTwoColumns, readRowAmount } from './row-amount.ts';

const FOOTER =
  /^\W*(?:page\b|(?:grand |sub[- ]?)?totals?\b|end of\b|printed\b|generated\b|this is\b|disclaimer\b|note\b|continued\b|statement\b|\*)/i;
const HAS_DIGIT = /\d/;
const CUT_OFF =
  'the file ends in this row without a line end, so the row may be cut off and was not imported: download the file again, or add a line end if the row is complete';
const LIKE_A_DAY = /^\W*\d{1,4}[-/. ]/;
const TOO_MANY =
  'the row has more columns than the header: is a text or an amount with a comma not in quotes?';
/** A longer narration is cut off. No bank writes a longer narration. */
const MOST_NARRATION = 4_000;

export class TableReader {
  readonly #profile: ColumnProfile;
  #columns: ColumnMap;
  #width: number;
  /** An opening balance after the last row; null: there is none. */
  #openingMinor: bigint | null = null;
  /** The account of the last row, in a table with a column for it. */
  #account: string | null = null;
  #held: ParsedRow | null = null;
  #previous: ParsedRow | null = null;
  #lastDay: { readonly text: string; readonly day: ParsedDay | undefined } = { text: '', day: undefined };

  constructor(profile: ColumnProfile, columns: ColumnMap, width: number) {
    this.#profile = profile;
    this.#columns = columns;
    this.#width = width;
  }

  isNarration(index: number): boolean {
    return index === this.#columns.narration;
  }

  take(record: Exclude<CsvItem, { newTable: string }>): readonly StatementItem[] {
    if ('problem' in record) return [...this.end(), problemItem(record.line, 1, record.problem)];
    const cells = record.cells.map(unwrapTextFormula);
    if (cells.every((cell) => cell === '')) return [];
    // A header has no digits in its date column, so a record with digits there is no header.
    const again = HAS_DIGIT.test(cells[this.#columns.date!] ?? '')
      ? undefined
      : findColumns(this.#profile, cells);
    if (again !== undefined) {
      this.#refuseOtherPart(record.line);
      this.#columns = again;
      this.#width = cells.length;
      return [];
    }
    const items = this.#takeCells(cells, record.line);
    return record.isOpen === true ? [...items, ...this.#endCutRow(record.line)] : items;
  }

  /**
   * Ends the last row of a file without a line end. The row may be cut off inside its text or its amount. The row counts as
   * complete only if its last column is a balance that follows from the row before it.
   */
  #endCutRow(line: number): readonly StatementItem[] {
    const row = this.#held;
    this.#held = null;
    if (row === null) return [];
    const isProven =
      row.line === line && this.#columns.balance === this.#width - 1 && followsFrom(this.#previous, row);
    return isProven ? [{ kind: 'row', row }] : [problemItem(row.line, 1, CUT_OFF)];
  }

  end(): readonly StatementItem[] {
    const row = this.#held;
    this.#held = null;
    this.#previous = row ?? this.#previous;
    return row === null ? [] : [{ kind: 'row', row }];
  }

  #takeCells(cells: readonly string[], line: number): readonly StatementItem[] {
    const cell = (column: ColumnName) => cells[this.#columns[column] ?? -1] ?? '';
    const [date, narration] = [cell('date'), cell('narration')];
    const hasMoney = [cell('debit'), cell('credit'), cell('amount')].some((text) => /[^\s-]/.test(text));
    const day = this.#dayIn(date);
    if (!hasMoney || day === undefined) {
      const balance = this.#balanceRow(cells.join(' ').slice(0, 500), cells, day?.day ?? null, line);
      if (balance !== null) return balance;
    }
    if (day !== undefined)
      return [...this.end(), ...this.#accountOf(cells, line), ...this.#rowOf(cells, line, day)];
    if (FOOTER.test(date) || (date === '' && FOOTER.test(narration))) return [];
    if (date === '' && !hasMoney) {
      if (narration !== '') this.#goOn(narration);
      return [];
    }
    if (!hasMoney && !LIKE_A_DAY.test(date)) return [];
    const isTotal = date === '' && narration === '' && cell('debit') !== '' && cell('credit') !== '';
    if (isTotal || /^\W*(?:grand |sub[- ]?)?totals?\b/i.test(narration)) return [];
    this.#refuseOtherOrder(date, line);
    const reason = date === '' ? 'the row has no date' : 'the date is not a day of the calendar';
    return [...this.end(), problemItem(line, (this.#columns.date ?? 0) + 1, reason)];
  }

  /** Where each row names its account, the rows of several accounts may alternate. */
  #accountOf(cells: readonly string[], line: number): readonly StatementItem[] {
    const text = cellText(cells[this.#columns.account ?? -1] ?? '');
    if (text === null || text === this.#account) return [];
    this.#account = text;
    return [{ kind: 'account', text, line }];
  }

  /** Another header below an opening balance that does not continue this table belongs to another account. */
  #refuseOtherPart(line: number): void {
    const opening = this.#openingMinor;
    const last = this.#held ?? this.#previous;
    if (opening === null || last === null || last.balanceMinor === null) return;
    if (opening === last.balanceMinor || opening === last.balanceMinor - last.amountMinor) return;
    throw new UnreadableStatement(
      `The part of the file that begins in line ${line} does not continue the balance above it, so it may belong to another account. Save each part as a file of its own. Nothing was imported.`,
    );
  }

  /** Rows of the same day usually follow each other, so the last result can often be reused. */
  #dayIn(text: string): ParsedDay | undefined {
    if (text !== this.#lastDay.text)
      this.#lastDay = { text, day: parseStatementDay(text, this.#profile.days) };
    return this.#lastDay.day;
  }

  /** If one date shows that day and month are exchanged, the other dates may be wrong days as well. */
  #refuseOtherOrder(date: string, line: number): void {
    const other = this.#profile.days === 'dmy' ? 'mdy' : 'dmy';
    if (parseStatementDay(date, other) === undefined) return;
    throw new UnreadableStatement(
      `The date in line ${line} is a day only if the ${other === 'mdy' ? 'month' : 'day'} comes first, but the profile ${this.#profile.name} reads ${this.#profile.days}. Use a profile with "days": "${other}", or correct the file. Nothing was imported.`,
    );
  }

  #goOn(text: string): void {
    const row = this.#held;
    if (row === null || row.narration.length > MOST_NARRATION) return;
    this.#held = { ...row, narration: `${row.narration}\n${text}` };
  }

  /** Returns an opening or closing balance among the rows, or null if the record is not a balance. */
  #balanceRow(
    words: string,
    cells: readonly string[],
    day: string | null,
    line: number,
  ): readonly StatementItem[] | null {
    const what = balanceKindIn(words);
    if (what === null) return null;
    const own = cells[this.#columns.balance ?? -1] ?? '';
    const texts = [own, ...cells.toReversed()];
    const amount = texts
      .map((text) => parseStatementAmount(text, this.#profile.decimal))
      .find((each): each is Extract<ParsedAmount, { kind: 'amount' }> => each.kind === 'amount');
    if (amount === undefined) return [];
    if (what === 'opening') this.#openingMinor = amount.minor;
    return [...this.end(), { kind: 'balance', what, day, amountMinor: amount.minor, isWhole: true, line }];
  }

  #rowOf(
    cells: readonly string[],
    line: number,
    day: { readonly day: string; readonly atMs: number | null },
  ): readonly StatementItem[] {
    const columns = this.#columns;
    const wrong = (column: ColumnName, reason: string) => [
      problemItem(line, (columns[column] ?? 0) + 1, reason),
    ];
    const textIn = (column: ColumnName) => cellText(cells[columns[column] ?? -1] ?? '');
    const last = hasTwoColumns(columns) ? Math.max(columns.debit!, columns.credit!) : columns.amount!;
    if (cells.length <= last)
      return [problemItem(line, cells.length, 'the row has fewer columns than the header')];
    if (cells.slice(this.#width).some((cell) => cell !== ''))
      return [problemItem(line, this.#width + 1, TOO_MANY)];
    const amount = readRowAmount(cells, columns, this.#profile.decimal);
    if (amount.kind === 'problem') return wrong(amount.column, amount.reason);
    if (amount.kind === 'held')
      return wrong(amount.column, `${amount.reason}: its day has the state "gap"`).map((item) => ({
        ...item,
        heldDay: day.day,
      }));
    if (amount.kind === 'none') return [];
    const balance = parseStatementAmount(cells[columns.balance ?? -1] ?? '', this.#profile.decimal);
    if (balance.kind === 'problem')
      return wrong('balance', balance.reason.replace('amount', 'balance amount'));
    const status = statusIn(cells[columns.status ?? -1] ?? '');
    if (status === 'unknown')
      return wrong(
        'status',
        'the status is not known, so it is not certain that the row is booked: its day has the state "gap"',
      ).map((item) => ({ ...item, heldDay: day.day }));
    const valueText = cells[columns.valueDate ?? -1] ?? '';
    const valueDay =
      (valueText === cells[columns.date!] ? day : parseStatementDay(valueText, this.#profile.days))?.day ??
      null;
    if (valueDay === null && /\d/.test(valueText))
      return wrong('valueDate', 'the value date is not a day of the calendar');
    this.#openingMinor = null;
    this.#held = {
      ...{ line, column: 1, day: day.day, atMs: day.atMs, valueDay },
      ...{ amountMinor: amount.minor, lacks: amount.lacks, isMinus: amount.isMinus },
      narration: cells[columns.narration!] ?? '',
      balanceMinor: balance.kind === 'amount' ? balance.minor : null,
      reference: textIn('reference'),
      payer: amount.minor > 0n ? payerIn(textIn) : null,
      ...(columns.sessionId !== undefined && {
        session: { text: textIn('sessionId'), from: 'column' as const },
      }),
      mark: null,
      isPending: status !== 'booked',
    };
    return [];
  }
}

/** Whether the balances of two neighbouring rows agree. The oldest or the newest row of the file may come first. */
function followsFrom(before: ParsedRow | null, row: ParsedRow): boolean {
  if (before === null || before.balanceMinor === null || row.balanceMinor === null) return false;
  return (
    before.balanceMinor + row.amountMinor === row.balanceMinor ||
    row.balanceMinor + before.amountMinor === before.balanceMinor
  );
}

const BOOKED =
  /^(?:|-|success(?:ful)?|succeeded|completed?|approved|posted|booked|settled|cleared|reconciled|paid|credited|debited|received|sent|done|ok|final|processed|valid|normal|active|00)$/;
const NOT_BOOKED =
  /^(?:pending|on hold|unposted|uncleared|processing|in progress|initiated|failed|fail|failure|declined|cancell?ed|rejected|abandoned|expired|unsuccessful|not successful)\b/;

/** A failed row is not booked either: it never moved money. A status such as "reversed" says too little. */
function statusIn(cell: string): 'booked' | 'pending' | 'unknown' {
  const text = cell
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, '')
    .trim();
  if (BOOKED.test(text)) return 'booked';
  return NOT_BOOKED.test(text) ? 'pending' : 'unknown';
}

/** A spreadsheet begins a cell with an apostrophe so that the cell stays text. */
function cellText(cell: string): string | null {
  return cell.replace(/^'/, '').trim() || null;
}

/** Cells of this kind mean that the bank does not know the value. */
const UNKNOWN = /^(?:[-\u2010-\u2015.*]+|n\/?a|nil|none|null|unknown|not available|0+)$/i;

function payerIn(textIn: (column: ColumnName) => string | null): NamedPayer | null {
  const known = (column: ColumnName) => {
    const text = textIn(column);
    return text === null || UNKNOWN.test(text) ? null : text.replaceAll(/\s+/g, ' ');
  };
  const [text, account, bankName] = [known('payerName'), known('payerAccount'), known('payerBank')];
  if (text === null && account === null) return null;
  // Some banks write name, bank and number into one column.
  const parts = text === null ? [] : text.split(/[/|()]|, | - /).map((part) => part.trim());
  const numbers = parts.filter((part) => ACCOUNT_NUMBER.test(part));
  return {
    name: parts.find((part) => part !== '' && !/\d/.test(part)) ?? null,
    account: account ?? (numbers.length === 1 ? numbers[0]! : null),
    ...{ bankName, from: 'column' },
  };
}

/** All ten digits, or some of them masked. */
const ACCOUNT_NUMBER = /^(?:\d{10}|\d{0,4}[*xX]{2,8}\d{2,6})$/;

function problemItem(line: number, column: number, reason: string): StatementItem {
  return { kind: 'problem', problem: { line, column, reason } };
}

/** A spreadsheet writes ="0123" so that the cell stays text. */
function unwrapTextFormula(cell: string): string {
  const text = cell.trim();
  return /^="[^"]*"$/.test(text) ? text.slice(2, -1).trim() : text;
}
