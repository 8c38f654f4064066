// Reads the lines above the header of a table, and rows that are not transactions. They contain the account, the period, and
// the opening and closing balance.
import { parseStatementAmount } from '../../../domain/statements/amount.ts';
import { dayAfter, parseStatementDay } from '../../../domain/statements/days.ts';
import type { StatementItem } from '../../../domain/statements/row.ts';
import { UnreadableStatement } from '../../../ports/statements.ts';

// The text has single spaces, and every repetition has a limit, so each expression takes linear time.
const DATE = String.raw`(\d{1,4}[-/. ](?:\d{1,2}|[A-Za-z]{3,9})[-/. ]\d{2,4})`;
const ACCOUNT = /\b(?:account|acct|a\/c) ?(?:no|number|num)?\b\.? ?[:#-]? ?([\d*xX]{4,32}\d{2})\b/i;
const PERIOD = new RegExp(
  String.raw`${DATE} ?(?:to|-|\u2013|and|till|until|through|,){1,3} ?(?:to ?)?${DATE}`,
  'i',
);
const FROM = new RegExp(String.raw`\b(?:start date|from date|date from|from)\b\W{0,10}${DATE}`, 'i');
const TO = new RegExp(String.raw`\b(?:end date|to date|date to|to)\b\W{0,10}${DATE}`, 'i');
const MADE = new RegExp(
  String.raw`\b(?:print(?:ed)?|generated|created|run|request(?:ed)?)\b(?: ?(?:date|on|at)){0,3}\W{0,10}${DATE}`,
  'i',
);
const OPENING = /\b(?:opening bal(?:ance)?|bal(?:ance)? (?:b\/?f|brought forward)|brought forward)\b/i;
const CLOSING = /\b(?:closing bal(?:ance)?|bal(?:ance)? (?:c\/?f|carried forward)|carried forward)\b/i;
const CURRENCY = /\bcurrency\b[^A-Za-z\u20a6]{0,20}([A-Za-z\u20a6][A-Za-z\u20a6 ]{0,40})/i;
const AMOUNT = /[-(\u20a6N]{0,4} ?\d[\d,.]{0,30}\)?(?: ?(?:CR|DR)\b)?/i;
const MOST_LINE = 2_000;

function tidyText(text: string): string {
  return text.slice(0, MOST_LINE).replaceAll(/\s+/g, ' ').trim();
}

export function balanceKindIn(given: string): 'opening' | 'closing' | null {
  const text = tidyText(given);
  if (OPENING.test(text)) return 'opening';
  return CLOSING.test(text) ? 'closing' : null;
}

/** The account that a line names; null: none. */
export function findAccountIn(cells: readonly string[]): string | null {
  return ACCOUNT.exec(tidyText(cells.filter((cell) => cell.trim() !== '').join(' ')))?.[1] ?? null;
}

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
    const text = tidyText(cells.filter((cell) => cell.trim() !== '').join(' '));
    const currency = CURRENCY.exec(text)?.[1]?.trim();
    if (currency !== undefined && !/^(?:NGN|(?:nigerian? )?naira|N|\u20a6)\b/i.test(`${currency} `))
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
      const text = tidyText(cell).replace(OPENING, '').replace(CLOSING, '');
      const found = AMOUNT.exec(text)?.[0];
      if (found === undefined || parseStatementDay(text.trim()) !== undefined) continue;
      const amount = parseStatementAmount(found, this.#decimal);
      if (amount.kind !== 'amount') continue;
      this.#items.push({ kind: 'balance', what, day: null, amountMinor: amount.minor, isWhole: true, line });
      return;
    }
  }

  /** The account comes first, so that the other items belong to it. */
  items(): readonly StatementItem[] {
    const [from, to] = [this.#from, this.#to];
    const accounts = this.#items.filter(({ kind }) => kind === 'account');
    const items = [...accounts, ...this.#items.filter(({ kind }) => kind !== 'account')];
    if (from === null || to === null || from > to) return items;
    // A file that was created on its last day does not cover that whole day.
    const last = this.#made !== null && this.#made <= to ? dayAfter(this.#made, -1) : to;
    return last < from ? items : [...items, { kind: 'period', from, to: last }];
  }
}
