// Reads the fields of MT940 messages. The session id is read from :86:, because :61: is limited to 16 characters.
import { isDay } from '../../../domain/statements/days.ts';
import type { NamedPayer, ParsedRow } from '../../../domain/statements/row.ts';

/** An amount has up to 15 digits with a comma before the kobo. `1234,5` is 1,234.50. */
const AMOUNT = /^(\d{1,15}),(\d{0,2})$/;

function parseMtAmount(text: string): bigint | undefined {
  const found = AMOUNT.exec(text);
  if (found === null) return undefined;
  return BigInt(found[1]!) * 100n + BigInt(found[2]!.padEnd(2, '0'));
}

/** Reads a day in the format YYMMDD. */
function parseMtDay(text: string): string | undefined {
  const day = `20${text.slice(0, 2)}-${text.slice(2, 4)}-${text.slice(4, 6)}`;
  return isDay(day) ? day : undefined;
}

/**
 * Reads MMDD and uses the year that is nearest to the value date, because an entry of January may have a value date in
 * December.
 */
function parseEntryDay(text: string, valueDay: string): string | undefined {
  const year = Number(valueDay.slice(0, 4));
  const days = [year, year - 1, year + 1]
    .map((each) => `${each}-${text.slice(0, 2)}-${text.slice(2, 4)}`)
    .filter(isDay);
  const far = (day: string) => Math.abs(Date.parse(day) - Date.parse(valueDay));
  return days.sort((a, b) => far(a) - far(b))[0];
}

export interface MtBalance {
  readonly day: string;
  readonly amountMinor: bigint;
  readonly currency: string;
}

const BALANCE = /^([CD])(\d{6})([A-Z]{3})([\d,]+)$/;

export function readMtBalance(text: string): MtBalance | undefined {
  const found = BALANCE.exec(text.trim());
  if (found === null) return undefined;
  const [, side, date, currency, amount] = found;
  const [day, minor] = [parseMtDay(date!), parseMtAmount(amount!)];
  if (day === undefined || minor === undefined) return undefined;
  return { day, currency: currency!, amountMinor: side === 'C' ? minor : -minor };
}

export interface MtEntry {
  readonly day: string;
  readonly valueDay: string;
  readonly amountMinor: bigint;
  readonly mark: 'reversal' | 'charge' | null;
  readonly isPending: boolean;
  readonly reference: string | null;
  /** A session id that the bank wrote into the reference. */
  readonly session: NonNullable<ParsedRow['session']>;
}

const ENTRY = /^(\d{6})(\d{4})?(R[CD]|E[CD]|[CD])([A-Z])?([\d,]+?)([NFS][A-Z0-9]{3})([\s\S]*)$/;

export interface MtProblem {
  readonly reason: string;
  readonly column: number;
  /** The day whose import is put on hold, because the entry contradicts itself about its direction. */
  readonly heldDay?: string;
}

export function readMtEntry(text: string): MtEntry | MtProblem {
  const found = ENTRY.exec(text);
  if (found === null) return { reason: 'the field :61: is not written as MT940 writes it', column: 5 };
  const [, value, entry, mark, funds, amountText, type, rest] = found;
  const valueDay = parseMtDay(value!);
  if (valueDay === undefined) return { reason: 'the date is not a day of the calendar', column: 5 };
  const day = entry === undefined ? valueDay : parseEntryDay(entry, valueDay);
  if (day === undefined) return { reason: 'the entry date is not a day of the calendar', column: 11 };
  // The letter after the mark (C or D) is a letter of the currency code. For naira, this letter is neither C nor D.
  if ((funds === 'C' || funds === 'D') && !mark!.endsWith(funds))
    return {
      reason: 'the entry is marked as debit and as credit: its day has the state "gap"',
      column: 11,
      heldDay: day,
    };
  const minor = parseMtAmount(amountText!);
  if (minor === undefined)
    return { reason: 'the amount is not written like 1234,50', column: 5 + text.indexOf(amountText!) };
  const [reference = '', supplement = ''] = rest!.split('\n');
  const [ours = '', ...more] = reference.split('//');
  const banks = more.join('//');
  return {
    ...{ day, valueDay },
    // RC reverses a credit, and RD reverses a debit.
    amountMinor: mark === 'C' || mark === 'RD' || mark === 'EC' ? minor : -minor,
    mark: mark!.startsWith('R') ? 'reversal' : type === 'NCHG' ? 'charge' : null,
    isPending: mark!.startsWith('E'),
    reference: (banks.trim() || ours.trim()).replace(/^NONREF$/, '') || null,
    session: { text: cutSession(banks, supplement) ?? cutSession(ours, supplement), from: 'field' },
  };
}

/** A reference has 16 characters, so a bank may continue the 30 digits in the supplementary line below it. */
function cutSession(reference: string, supplement: string): string | null {
  const start = reference.trim();
  if (/^\d{30}$/.test(start)) return start;
  const [rest = ''] = /^\d+(?!\S)/.exec(supplement.trim()) ?? [];
  return /^\d{16}$/.test(start) && rest.length === 14 ? start + rest : null;
}

/**
 * Returns the text of :86:, plain or in ?NN subfields, and the payer if the subfields contain the payer. A payer can write text
 * that looks like text from the bank, such as `?31` and digits. So no account is read from here. No name is read if a subfield
 * is repeated or out of order.
 */
export function readMtNarration(text: string): {
  readonly narration: string;
  readonly payer: NamedPayer | null;
} {
  if (!/^\d{3}\?|^\?\d{2}/.test(text)) return { narration: text, payer: null };
  const found = [...text.replaceAll('\n', '').matchAll(/\?(\d{2})([^?]*)/g)];
  const subfields = found.map(([, tag, value]) => ({ tag: tag!, value: value! }));
  const textOf = (...tags: readonly string[]) =>
    subfields.filter(({ tag }) => tags.includes(tag)).map(({ value }) => value);
  // The bank splits the text after every 27 characters, so the parts are joined by line breaks.
  const remittance = subfields.filter(({ tag }) => REMITTANCE.test(tag)).map(({ value }) => value);
  const narration = [...textOf('00'), remittance.join('\n')].filter(Boolean).join(' ');
  const isInOrder = subfields.every(({ tag }, index) => index === 0 || subfields[index - 1]!.tag < tag);
  const name = isInOrder ? textOf('32', '33').join('').trim() : '';
  if (name === '') return { narration, payer: null };
  return {
    narration,
    payer: { name, account: null, bankName: textOf('30').join('').trim() || null, from: 'field' },
  };
}

const REMITTANCE = /^2\d$|^6[0-3]$/;
