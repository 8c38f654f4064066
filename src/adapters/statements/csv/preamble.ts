// Reads the lines above the header of a table, and rows that are not transactions: the account, the period, the opening and
// closing balance.
import { parseStatementAmount } from '../../../domain/statements/amount.ts';
import { dayAfter, parseStatementDay } from '../../../domain/statements/days.ts';
import type { StatementItem } from '../../../domain/statements/row.ts';
import { UnreadableStatement } from '../../../ports/statements.ts';

const DATE = String.raw`(\d{1,4}[-/. ](?:\d{1,2}|[A-Za-z]{3,9})[-/. ]\d{2,4})`;
const ACCOUNT = /\b(?:account|acct|a\/c)\s*(?:no|number|num)?\b\.?\s*[:#-]?\s*([\d*xX]{4,}\d{2,})\b/i;
const PERIOD = new RegExp(
  String.raw`${DATE}\s*(?:to|-|\u2013|and|till|until|through|,)+\s*(?:to\s*)?${DATE}`,
  'i',
);
const FROM = new RegExp(String.raw`\b(?:start date|from date|date from|from)\b\W*${DATE}`, 'i');
const TO = new RegExp(String.raw`\b(?:end date|to date|date to|to)\b\W*${DATE}`, 'i');
const MADE = new RegExp(
  String.raw`\b(?:print(?:ed)?|generated|created|run|request(?:ed)?)\b(?:\s*(?:date|on|at))*\W*${DATE}`,
  'i',
);
const OPENING =
  /\b(?:opening\s+bal(?:ance)?|bal(?:ance)?\s+(?:b\/?f|brought\s+forward)|brought\s+forward)\b/i;
const CLOSING =
  /\b(?:closing\s+bal(?:ance)?|bal(?:ance)?\s+(?:c\/?f|carried\s+forward)|carried\s+forward)\b/i;
const CURRENCY = /\bcurrency\b[^A-Za-z\u20a6]*([A-Za-z\u20a6][A-Za-z\u20a6 ]*)/i;
const AMOUNT = /[-(\u20a6N]*\s*\d[\d,.]*\)?(?:\s*(?:CR|DR)\b)?/i;

export function balanceKindIn(text: string): 'opening' | 'closing' | null {
  if (OPENING.test(text)) return 'opening';
  return CLOSING.test(text) ? 'closing' : null;
}

/** Reads the lines above a header one by one; `items` returns what was found in them. */
export class Preamble {
  readonly #items: StatementItem[] = [];
  #from: string | null = null;
  #to: string | null = null;
  #made: string | null = null;
  readonly #decimal: '.' | ',';

  constructor(decimal: '.' | ',') {
    this.#decimal = decimal;
  }

  add(cells: readonly string[], line: number): void {
    const text = cells
      .filter((cell) => cell.trim() !== '')
      .join(' ')
      .slice(0, 2_000);
    const currency = CURRENCY.exec(text)?.[1]?.trim();
    if (currency !== undefined && !/^(?:NGN|(?:nigerian?\s+)?naira|N|\u20a6)\b/i.test(`${currency} `))
      throw new UnreadableStatement(`The statement is in ${currency.slice(0, 40)} and not in naira.`);
    const account = ACCOUNT.exec(text)?.[1];
    if (account !== undefined) this.#items.push({ kind: 'account', text: account, line });
    const made = MADE.exec(text)?.[1];
    if (made !== undefined) this.#made = parseStatementDay(made)?.day ?? null;
    else this.#addPeriod(text);
    const what = balanceKindIn(text);
    if (what !== null) this.#addBalance(what, cells, line);
  }

  #addPeriod(text: string): void {
    const period = PERIOD.exec(text);
    const [from, to] = period === null ? [FROM.exec(text)?.[1], TO.exec(text)?.[1]] : [period[1], period[2]];
    if (from !== undefined) this.#from = parseStatementDay(from)?.day ?? this.#from;
    if (to !== undefined) this.#to = parseStatementDay(to)?.day ?? this.#to;
  }

  #addBalance(what: 'opening' | 'closing', cells: readonly string[], line: number): void {
    for (const cell of cells.toReversed()) {
      const text = cell.replace(OPENING, '').replace(CLOSING, '');
      const found = AMOUNT.exec(text)?.[0];
      if (found === undefined || parseStatementDay(text.trim()) !== undefined) continue;
      const amount = parseStatementAmount(found, this.#decimal);
      if (amount.kind !== 'amount') continue;
      this.#items.push({ kind: 'balance', what, day: null, amountMinor: amount.minor, isWhole: true, line });
      return;
    }
  }

  items(): readonly StatementItem[] {
    const [from, to] = [this.#from, this.#to];
    if (from === null || to === null || from > to) return this.#items;
    // A file that was created on its last day does not cover that whole day.
    const last = this.#made !== null && this.#made <= to ? dayAfter(this.#made, -1) : to;
    return last < from ? this.#items : [...this.#items, { kind: 'period', from, to: last }];
  }
}
