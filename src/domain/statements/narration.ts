// Reads the narration of a statement row: the session id, the payer, and whether the row is a payment, a reversal or a charge.
// Unclear text gives an unknown result, because people and the matching trust the results.
import { haveSameScheme } from '../values/session-id.ts';
import { findNarratedPayer, separateRemark } from './narrated-payer.ts';
import type {
  DirectedRow,
  FactOrigin,
  NamedPayer,
  ParsedRow,
  RowKind,
  StatementPayer,
  StatementRow,
} from './row.ts';

/** Returns the same text for every way in which files write one narration with line breaks and spaces. */
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

/** The number of characters at the end of a narration in which the words for a reversal may be. */
const LAST_WORDS = 40;

/**
 * The words for a reversal count only at the start of the narration, or at the end of a narration without fields. Elsewhere
 * they may be a remark of the payer.
 */
export function saysReversal(narration: string): boolean {
  return (
    REVERSAL_FIRST.test(narration) ||
    (!narration.includes('/') && REVERSAL_LAST.test(narration.slice(-LAST_WORDS)))
  );
}

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

export function interpretRow(row: DirectedRow, isBank: (text: string) => boolean): StatementRow {
  const { payer: named, mark: _mark, lacks: _lacks, isMinus: _isMinus, session: _session, ...rest } = row;
  const kind = classifyRow(row);
  const isPaid = row.amountMinor > 0n && kind === 'payment';
  const said = isPaid ? readNarration(row.narration, isBank) : null;
  const pick = (fact: 'name' | 'bankName') => pickFact(named, said, fact);
  const [name, bankName] = [pick('name'), pick('bankName')];
  const account = named?.account ?? null;
  const writtenSession = findSessionId(row.narration, row.reference);
  const session = pickSession(row);
  return {
    ...rest,
    narration: separateRemark(
      row.narration.replaceAll(/\s+/g, (gap) => (gap.includes('\n') ? ' ' : gap)).trim(),
    ),
    ...{ sessionId: session.text, writtenSession },
    payerName: name.text,
    payerAccount: account,
    payerBankName: bankName.text,
    narratedAccount: said?.account ?? null,
    origins: {
      ...{ name: name.from, bankName: bankName.from, session: session.from },
      account: account === null ? null : named!.from,
    },
    kind,
  };
}

/** MT940 breaks a line after this many characters, also inside a word. */
const FULL_LINE = 65;

function readNarration(narration: string, isBank: (text: string) => boolean): StatementPayer | null {
  const lines = narration.split(/\r?\n/);
  const isBroken = (at: number) => lines[at]!.length >= FULL_LINE && !/\s$/.test(lines[at]!);
  const text = lines.map((line, at) => (at === 0 || isBroken(at - 1) ? line : ` ${line}`)).join('');
  return findNarratedPayer(text, isBank);
}

interface PickedFact {
  readonly text: string | null;
  readonly from: FactOrigin | null;
}

/** What the bank names counts before what the narration says. */
function pickFact(
  named: NamedPayer | null,
  said: StatementPayer | null,
  fact: 'name' | 'bankName',
): PickedFact {
  if (named?.[fact] != null) return { text: named[fact], from: named.from };
  // A bank that the narration names beside another name is perhaps not the bank of the named payer.
  if (fact === 'bankName' && named?.name != null) return { text: null, from: null };
  return said?.[fact] == null ? { text: null, from: null } : { text: said[fact], from: 'narration' };
}

/** What the bank writes into a column or a field counts before the narration, in which a payer can write any number. */
function pickSession({ session, reference, narration }: DirectedRow): PickedFact {
  const own = findSessionId(session?.text ?? null);
  if (own !== null) return { text: own, from: session!.from };
  const referenced = findSessionId(reference);
  if (referenced !== null) return { text: referenced, from: 'field' };
  const narrated = findSessionId(narration);
  return { text: narrated, from: narrated === null ? null : 'narration' };
}

/**
 * A credit that a reversal may cancel. The service chooses the credit only if no other credit fits; otherwise people decide.
 */
export interface ReversalCandidate {
  readonly amountMinor: bigint;
  readonly narration: string;
  readonly sessionId: string | null;
}

/** A bank may reverse a credit at most this number of days later. */
export const REVERSAL_DAYS = 30;

export function isReversalOf(reversal: ReversalCandidate, credit: ReversalCandidate): boolean {
  if (credit.amountMinor !== -reversal.amountMinor) return false;
  const [one, other] = [reversal.sessionId, credit.sessionId];
  if (one !== null && other !== null && haveSameScheme(one, other)) return one === other;
  const named = dropReversalWords(reversal.narration);
  return named !== '' && named === dropReversalWords(credit.narration);
}
