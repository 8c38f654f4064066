// Reads MT940 messages with an opening balance, entries and a closing balance. Consecutive messages are one statement.
// domain/statements/coverage.ts checks the balances.
import type { ParsedRow, StatementItem } from '../../../domain/statements/row.ts';
import { type OpenedStatement, UnreadableStatement } from '../../../ports/statements.ts';
import { cutOffStatement } from '../text/cut-off.ts';
import { decodeText, type PeekedStream, splitIntoLines, type TextLine } from '../text/text-stream.ts';
import { type MtBalance, readMtBalance, readMtEntry, readMtNarration } from './fields.ts';

interface Mt940Field {
  readonly tag: string;
  readonly line: number;
  text: string;
}

const TAG = /^:(\d{2}[A-Z]?):(.*)$/;
/** A field with more characters than this is cut off. */
const MOST_TEXT = 8_000;

export function openMt940(peeked: PeekedStream): OpenedStatement {
  return {
    format: 'mt940',
    profile: 'mt940',
    isUnverified: false,
    listing: 'everything',
    items: itemsOf(peeked),
  };
}

async function* itemsOf(peeked: PeekedStream): AsyncGenerator<readonly StatementItem[]> {
  const reader = new Mt940Reader();
  for await (const lines of splitIntoLines(decodeText(peeked))) {
    const items = lines.flatMap((line) => reader.takeLine(line));
    if (items.length > 0) yield items;
  }
  yield reader.end();
}

class Mt940Reader {
  #field: Mt940Field | null = null;
  /** The last entry. Its :86: field may still follow. */
  #entry: ParsedRow | null = null;
  /** The line of the first entry after the last closing balance. Null if there is no such entry. */
  #unclosedLine: number | null = null;

  takeLine({ number: line, text }: TextLine): readonly StatementItem[] {
    if (text === null) return [...this.#endField(), problemItem(line, 1, 'the line is too long')];
    const body = text.replace(/^\s*\{1:.*?\{4:/, '').trimEnd();
    const tag = TAG.exec(body);
    if (tag !== null) {
      const items = this.#endField();
      this.#field = { tag: tag[1]!, line, text: tag[2]! };
      return items;
    }
    if (/^-?\}|^-$/.test(body)) return this.#endMessage();
    if (this.#field !== null && this.#field.text.length < MOST_TEXT && body !== '')
      this.#field.text += `\n${body}`;
    return [];
  }

  /** Throws UnreadableStatement if the closing balance is missing. */
  end(): readonly StatementItem[] {
    const items = this.#endMessage();
    if (this.#unclosedLine !== null)
      throw cutOffStatement(
        `the closing balance (:62F:) after the entry in line ${this.#unclosedLine} is missing`,
      );
    return items;
  }

  #endMessage(): readonly StatementItem[] {
    return [...this.#endField(), ...this.#endEntry()];
  }

  #endEntry(): readonly StatementItem[] {
    const row = this.#entry;
    this.#entry = null;
    return row === null ? [] : [{ kind: 'row', row }];
  }

  #endField(): readonly StatementItem[] {
    const field = this.#field;
    this.#field = null;
    if (field === null) return [];
    const { tag, line, text } = field;
    if (tag === '86') return this.#narrate(text);
    const before = this.#endEntry();
    if (tag === '25' || tag === '25P')
      return [...before, { kind: 'account', text: text.split('\n')[0]!.trim(), line }];
    if (tag === '61') {
      this.#unclosedLine ??= line;
      return [...before, ...this.#startEntry(field)];
    }
    if (/^6[02][FM]$/.test(tag)) return [...before, ...this.#balance(field)];
    return before;
  }

  #narrate(text: string): readonly StatementItem[] {
    if (this.#entry === null) return [];
    const { narration, payer } = readMtNarration(text);
    const row = this.#entry;
    this.#entry = {
      ...row,
      narration: row.narration === '' ? narration : `${narration}\n${row.narration}`,
      payer: payer ?? row.payer,
    };
    return this.#endEntry();
  }

  #startEntry({ line, text }: Mt940Field): readonly StatementItem[] {
    if (text.includes('\u0000')) return [problemItem(line, 5, 'the line has a NUL character')];
    const entry = readMtEntry(text);
    if ('reason' in entry) {
      const { column, reason, heldDay } = entry;
      return [{ ...problemItem(line, column, reason), ...(heldDay === undefined ? {} : { heldDay }) }];
    }
    this.#entry = {
      ...entry,
      ...{ line, column: 1, atMs: null, balanceMinor: null, payer: null, lacks: null, isMinus: false },
      narration: text.split('\n').slice(1).join('\n'),
    };
    return [];
  }

  #balance({ tag, line, text }: Mt940Field): readonly StatementItem[] {
    if (tag.startsWith('62')) this.#unclosedLine = null;
    const balance = readMtBalance(text);
    if (balance === undefined) return [problemItem(line, 6, 'the balance is not written as MT940 writes it')];
    const what = tag.startsWith('60') ? 'opening' : 'closing';
    if (balance.currency !== 'NGN')
      throw new UnreadableStatement(
        `The statement is in ${balance.currency} and not in naira (line ${line}).`,
      );
    return [balanceItem(what, balance, tag.endsWith('F'), line)];
  }
}

/** F marks the first or last balance of the day. M means that the statement continues in another message. */
function balanceItem(
  what: 'opening' | 'closing',
  { day, amountMinor }: MtBalance,
  isWhole: boolean,
  line: number,
): StatementItem {
  return { kind: 'balance', what, day, amountMinor, isWhole, line };
}

function problemItem(
  line: number,
  column: number,
  reason: string,
): Extract<StatementItem, { kind: 'problem' }> {
  return { kind: 'problem', problem: { line, column, reason } };
}
