// What the text of a row shows: the session id, the payer, and whether it is a payment, a reversal or a charge. Unclear text
// stays unknown, because people and matching trust these results.
import { haveSameScheme } from '../values/session-id.ts';
import type { DirectedRow, ParsedRow, RowKind, StatementPayer, StatementRow } from './row.ts';

/** One normalised text for a narration, whatever its line breaks and spaces are. */
export function normaliseNarration(text: string): string {
  return text
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

const SESSION = /(?<!\d)\d{30}(?!\d)/;

/**
 * A payer may write any text into a narration, so only the form that proves itself is read: the 30 digits of NIP, which are the
 * sender (6), yyMMddHHmmss, and 12 more. A line break inside it is ignored.
 */
export function findSessionId(...texts: readonly (string | null)[]): string | null {
  for (const text of texts) {
    if (text === null) continue;
    for (const form of [text, text.replaceAll(/\r?\n/g, '')]) {
      const found = SESSION.exec(form)?.[0];
      if (found !== undefined && hasTime(found)) return found;
    }
  }
  return null;
}

function hasTime(sessionId: string): boolean {
  const [month, date, hour, minute, second] = [8, 10, 12, 14, 16].map((at) =>
    Number(sessionId.slice(at, at + 2)),
  ) as [number, number, number, number, number];
  return month >= 1 && month <= 12 && date >= 1 && date <= 31 && hour < 24 && minute < 60 && second < 60;
}

const REVERSAL_FIRST = /^\W*(?:RVSL|RSVL|REVERSAL|REVERSED|REV(?=[-:/]))(?![A-Z])[\s:/\-.]*(?:OF\s+)?/i;
const REVERSAL_LAST = /[\s:/\-.]*\b(?:RVSL|RSVL|REVERSAL|REVERSED)\W*$/i;

/** How many characters at the end of a text are searched for the last words. */
const LAST_WORDS = 40;

/**
 * The reversal words must be at the start, or at the end of a text without fields, because elsewhere they may be a remark of the
 * payer.
 */
export function saysReversal(narration: string): boolean {
  return (
    REVERSAL_FIRST.test(narration) ||
    (!narration.includes('/') && REVERSAL_LAST.test(narration.slice(-LAST_WORDS)))
  );
}

/** The normalised narration of the reversed row. */
function dropReversalWords(narration: string): string {
  const rest = narration.replace(REVERSAL_FIRST, '');
  const last = rest.slice(-LAST_WORDS).replace(REVERSAL_LAST, '');
  return normaliseNarration(rest.slice(0, -LAST_WORDS) + last);
}

const TO_OTHERS =
  /^\W*(?:(?:TRF|TRANSFER|TRSF|FT|NIP|NIBSS|RTGS|NEFT|MOB|WEB|USSD|POS|ATM|CHQ|CHEQUE)\b.*\b(?:TO|FRM|FROM|OUTWARD|PURCHASE|PYMT|PAYMENT|WITHDRAWAL)\b|(?:NIP|TRF|TRANSFER|POS|WEB|RTGS)\s*\/)/i;
const CHARGE =
  /\b(?:VAT|VALUE ADDED TAX|STAMP DUTY|STAMPDUTY|EMTL|E-LEVY|LEVY|CHARGES?|CHG|FEES?|COMM|COMMISSION|COT|SMS)\b/i;

/**
 * Whether the row is a fee, value added tax, stamp duty or a levy. Payers and payees use the same words in their remarks, so only
 * the start of the text counts.
 */
export function saysCharge(narration: string): boolean {
  const head = narration.replace(REVERSAL_FIRST, '').split('/')[0]!;
  return CHARGE.test(head) && !TO_OTHERS.test(narration.replace(REVERSAL_FIRST, ''));
}

function classifyRow(row: Pick<ParsedRow, 'narration' | 'amountMinor' | 'mark'>): RowKind {
  const text = row.narration.replaceAll('\n', ' ');
  if (row.mark === 'reversal' || saysReversal(text)) return 'reversal';
  return row.amountMinor < 0n && (row.mark === 'charge' || saysCharge(text)) ? 'charge' : 'payment';
}

const NAME = /^[\p{L}][\p{L}'.&-]*(?:\s+[\p{L}'.&-]+){1,7}$/u;
const HEADS = /^(?:NIP|NIBSS|NIP CR|NIP TRF|NIP TRANSFER|TRF|TRANSFER|MOBILE|USSD|WEB)$/i;
const FROM =
  /^(?:NIP\s+)?(?:TRF|TRANSFER|TRSF)?\s*(?:FRM|FROM)\s+([\p{L}][\p{L}'.& -]{3,80}?)(?=\s+TO\s|\s*[/:|]|\s+-|\s*\d|$)/iu;

/** `isBank`: whether a text names a bank. Null: the payer is not clear. */
export function findPayer(narration: string, isBank: (text: string) => boolean): StatementPayer | null {
  const text = narration.replaceAll('\n', ' ').trim();
  const fields = text.split('/').map((field) => field.trim());
  if (fields.length >= 3 && HEADS.test(fields[0]!)) return findPayerInFields(fields.slice(1, 5), isBank);
  const name = FROM.exec(text)?.[1]?.trim();
  if (name === undefined || !NAME.test(name) || isBank(name)) return null;
  return { name, account: null, bankName: null };
}

/** One field is the bank. The name is the next field or, if that is no name, the previous one. */
function findPayerInFields(
  fields: readonly string[],
  isBank: (text: string) => boolean,
): StatementPayer | null {
  const banks = fields.flatMap((field, index) => (isBank(field) ? [index] : []));
  if (banks.length !== 1) return null;
  const at = banks[0]!;
  const name = [fields[at + 1], fields[at - 1]].find((field) => field !== undefined && NAME.test(field));
  return { name: name ?? null, account: null, bankName: fields[at]! };
}

/** A row with the results from its text. */
export function interpretRow(row: DirectedRow, isBank: (text: string) => boolean): StatementRow {
  const { payer, mark: _mark, lacks: _lacks, isMinus: _isMinus, ...rest } = row;
  const said = payer ?? (row.amountMinor > 0n ? findPayer(row.narration, isBank) : null);
  return {
    ...rest,
    narration: row.narration.replaceAll(/\s+/g, (gap) => (gap.includes('\n') ? ' ' : gap)).trim(),
    sessionId: findSessionId(row.narration, row.reference),
    payerName: said?.name ?? null,
    payerAccount: said?.account ?? null,
    payerBankName: said?.bankName ?? null,
    kind: classifyRow(row),
  };
}

/** A credit that a reversal may take back. It is chosen only if no other credit fits; otherwise people decide. */
export interface ReversalCandidate {
  readonly amountMinor: bigint;
  readonly narration: string;
  readonly sessionId: string | null;
}

/** The maximum number of days that a bank may need to reverse a credit. */
export const REVERSAL_DAYS = 30;

export function isReversalOf(reversal: ReversalCandidate, credit: ReversalCandidate): boolean {
  if (credit.amountMinor !== -reversal.amountMinor) return false;
  const [one, other] = [reversal.sessionId, credit.sessionId];
  if (one !== null && other !== null && haveSameScheme(one, other)) return one === other;
  const named = dropReversalWords(reversal.narration);
  return named !== '' && named === dropReversalWords(credit.narration);
}
