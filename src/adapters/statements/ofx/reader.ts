// Reads OFX: version 1, which is SGML whose value tags are not closed, and version 2, which is XML. Both versions have the same
// tags with values, so one reader reads both tag by tag.
import { parseStatementAmount } from '../../../domain/statements/amount.ts';
import { isDay } from '../../../domain/statements/days.ts';
import type { ParsedRow, StatementItem } from '../../../domain/statements/row.ts';
import type { StatementSide } from '../../../domain/statements/side.ts';
import type { OpenedStatement } from '../../../ports/statements.ts';
import { cutOffStatement } from '../text/cut-off.ts';
import { decodeText, type PeekedStream } from '../text/text-stream.ts';
import { readOfxTags } from './tags.ts';

export function openOfx(peeked: PeekedStream): OpenedStatement {
  return {
    format: 'ofx',
    profile: 'ofx',
    isUnverified: false,
    listing: 'everything',
    items: itemsOf(peeked),
  };
}

async function* itemsOf(peeked: PeekedStream): AsyncGenerator<readonly StatementItem[]> {
  const reader = new OfxReader();
  for await (const tags of readOfxTags(decodeText(peeked))) {
    const items = tags.flatMap((tag) => reader.take(tag.name, tag.value, tag.line));
    if (items.length > 0) yield items;
  }
  reader.end();
}

class OfxReader {
  #fields: Map<string, string> | null = null;
  #line = 1;
  #list = new Map<string, string>();
  #currency = 'NGN';
  #inAccount = false;
  /** True if the transaction has two different amounts or types. */
  #isTwofold = false;
  #isListOpen = false;
  /** True if the amount is already converted. Then the currency in the file is the original currency. */
  #isConverted = false;

  take(name: string, value: string | null, line: number): readonly StatementItem[] {
    if (value?.includes('\u0000') === true) {
      this.#fields = null;
      return [problemItem(line, 'the value has a NUL character')];
    }
    if (name === 'STMTTRN') {
      this.#isListOpen = true;
      const before = this.#endTransaction();
      this.#fields = new Map();
      this.#isConverted = false;
      this.#isTwofold = false;
      this.#line = line;
      return before;
    }
    if (name === '/BANKTRANLIST' || name === '/OFX') this.#isListOpen = false;
    if (name === '/STMTTRN' || name === '/BANKTRANLIST') return this.#endTransaction();
    // Each list of transactions has its own period, so the period of the previous list is removed.
    if (name === 'BANKTRANLIST') this.#list = new Map();
    if (name === 'BANKACCTFROM' || name === 'CCACCTFROM') this.#inAccount = true;
    if (name === '/BANKACCTFROM' || name === '/CCACCTFROM') this.#inAccount = false;
    if (name.endsWith('ORIGCURRENCY')) this.#isConverted = !name.startsWith('/');
    if (value === null || value === '') return [];
    if (this.#fields !== null) {
      const before = this.#fields.get(name);
      if (/^TRN(?:TYPE|AMT)$/.test(name) && before !== undefined && before !== value) this.#isTwofold = true;
      if (name !== 'CURSYM' || !this.#isConverted) this.#fields.set(name, before ?? value);
      return [];
    }
    return this.#takeOutside(name, value, line);
  }

  #takeOutside(name: string, value: string, line: number): readonly StatementItem[] {
    if (name === 'CURDEF') this.#currency = value.toUpperCase();
    if (name === 'ACCTID' && this.#inAccount) return [{ kind: 'account', text: value, line }];
    if (name === 'DTSTART' || name === 'DTEND') {
      this.#list.set(name, value);
      const [from, to] = [
        parseOfxDay(this.#list.get('DTSTART') ?? '')?.day,
        parseOfxDay(this.#list.get('DTEND') ?? '')?.day,
      ];
      if (from !== undefined && to !== undefined && from <= to) {
        this.#list = new Map();
        return [{ kind: 'period', from, to }];
      }
    }
    return [];
  }

  /** Throws UnreadableStatement if the end of the list is missing. */
  end(): void {
    if (this.#isListOpen)
      throw cutOffStatement(
        `after the transaction in line ${this.#line}, the end of the list (</BANKTRANLIST>) is missing`,
      );
  }

  #endTransaction(): readonly StatementItem[] {
    const fields = this.#fields;
    this.#fields = null;
    if (fields === null) return [];
    const line = this.#line;
    const currency = fields.get('CURSYM') ?? this.#currency;
    if (currency !== 'NGN') return [problemItem(line, `the currency is ${currency.slice(0, 3)} and not NGN`)];
    const posted = parseOfxDay(fields.get('DTPOSTED') ?? '');
    if (posted === undefined) return [problemItem(line, 'the date DTPOSTED is not a day of the calendar')];
    const text = (fields.get('TRNAMT') ?? '').trim();
    const amount = parseStatementAmount(text.replace(/^([+-]?)(\d*)[.,](\d{1,2})$/, '$10$2.$3'));
    if (amount.kind !== 'amount')
      return [problemItem(line, amount.kind === 'none' ? 'the transaction has no amount' : amount.reason)];
    if (amount.minor === 0n) return [];
    const type = (fields.get('TRNTYPE') ?? '').trim().toUpperCase();
    const side = SIDES[type];
    const isMinus = amount.minor < 0n;
    if (this.#isTwofold || (side !== undefined && (side === 'debit') !== isMinus))
      return [{ ...problemItem(line, `${OPPOSED}: its day has the state "gap"`), heldDay: posted.day }];
    const [name, memo] = [fields.get('NAME') ?? fields.get('PAYEE') ?? '', fields.get('MEMO') ?? ''];
    const row: ParsedRow = {
      ...{
        line,
        column: 1,
        day: posted.day,
        atMs: posted.atMs,
        valueDay: parseOfxDay(fields.get('DTAVAIL') ?? '')?.day ?? null,
      },
      ...{ amountMinor: amount.minor, isMinus },
      lacks: side === undefined ? 'TRNTYPE says neither credit nor debit' : null,
      // Many banks cut off the name in its own field and repeat the full name in the memo.
      narration: memo.startsWith(name) ? memo : [name, memo].filter((each) => each !== '').join(' '),
      balanceMinor: null,
      reference: fields.get('FITID') ?? null,
      payer: null,
      mark: /^(?:FEE|SRVCHG)$/.test(type) ? 'charge' : null,
      isPending: false,
    };
    return [{ kind: 'row', row }];
  }
}

/** The transaction types that have a fixed direction. The other types (XFER, ATM, INT, OTHER …) can be debits or credits. */
const SIDES: Readonly<Record<string, StatementSide>> = {
  ...{ CREDIT: 'credit', DEP: 'credit', DIRECTDEP: 'credit', DIV: 'credit' },
  ...{
    DEBIT: 'debit',
    DIRECTDEBIT: 'debit',
    REPEATPMT: 'debit',
    CASH: 'debit',
    FEE: 'debit',
    SRVCHG: 'debit',
  },
};
const OPPOSED = 'TRNTYPE and the sign of TRNAMT contradict each other';

const TIME =
  /^(\d{4})(\d{2})(\d{2})(?:(\d{2})(\d{2})(\d{2})?(?:\.\d+)?)?\s*(?:\[([+-]?\d{1,2})(?:\.(\d{1,2}))?(?::[^\]]*)?\])?$/;
const LAGOS_MS = 3_600_000;

/** Reads a time such as `20260801` or `20260801143000[+1:WAT]`. A time without a zone is GMT, as OFX defines. */
function parseOfxDay(text: string): { readonly day: string; readonly atMs: number | null } | undefined {
  const found = TIME.exec(text.trim());
  if (found === null) return undefined;
  const [, year, month, date, hours, minutes, seconds = '00', offset] = found;
  const day = `${year}-${month}-${date}`;
  if (!isDay(day)) return undefined;
  // Midnight and noon mean a day without a time.
  if (hours === undefined || /^(00|12)(00)(00)$/.test(`${hours}${minutes}${seconds}`))
    return { day, atMs: null };
  const atMs = Date.parse(`${day}T${hours}:${minutes}:${seconds}Z`) - Number(offset ?? '0') * LAGOS_MS;
  if (Number.isNaN(atMs)) return undefined;
  return { day: new Date(atMs + LAGOS_MS).toISOString().slice(0, 10), atMs };
}

function problemItem(line: number, reason: string): Extract<StatementItem, { kind: 'problem' }> {
  return { kind: 'problem', problem: { line, column: 1, reason } };
}
