// Reads the payer from a narration. Banks begin it with words of their own (NIP, TRF FROM, …); the payer writes the end. So a
// name counts only directly after the bank's words or beside a bank's name, and what is read here never identifies a payer alone.
import {
  ACCOUNT,
  FROM_WORDS,
  FULL_NUMBER,
  groupFields,
  isCode,
  isHead,
  isPersonOrCompany,
  nameIn,
  REMARK_WORDS,
  type TextField,
  textOf,
  wordOf,
} from './narration-fields.ts';
import { findBehindBars, findTaggedPayer } from './narration-tags.ts';
import type { StatementPayer } from './row.ts';

/** No bank writes the payer after more characters than this. */
const MOST_TEXT = 400;

/** Labels of the payer, before a colon. */
const LABELS: ReadonlySet<string> = new Set(['SENDER', 'PAYER', 'ORIGINATOR', 'REMITTER']);
/** Words that begin what follows the payer. */
const AFTER_WORDS: ReadonlySet<string> = new Set(
  'TO REF REFERENCE VIA FOR BO REMARK REMARKS NARRATION NARR DESC PURPOSE SESSION SESSIONID RRN ON AT INTO IFO'.split(
    ' ',
  ),
);

/** `isBank`: whether a text names a bank. Null: the payer is not clear. */
export function findNarratedPayer(
  narration: string,
  isBank: (text: string) => boolean,
): StatementPayer | null {
  const text = separateRemark(narration.slice(0, MOST_TEXT).replaceAll(/\s+/g, ' ').trim());
  return findTaggedPayer(text) ?? findWrittenPayer(text, isBank);
}

const GLUED = /\bTRF(?=\S)(.{0,60}?)FRM (?=.{3,80} TO )/;

/**
 * Some banks write `TRF`, the payer's remark and `FRM` without spaces between them: `TRFORDER-1001FRM ADA OBI TO …`. Spaces do not
 * change which row it is.
 */
export function separateRemark(narration: string): string {
  return narration.length > MOST_TEXT ? narration : narration.replace(GLUED, 'TRF $1 FRM ');
}

function findWrittenPayer(text: string, isBank: (text: string) => boolean): StatementPayer | null {
  const fields = groupFields(text);
  const { rest, isFrom, heads } = skipHead(fields);
  const later = findLaterFrom(fields);
  const readLater = () => (later === null ? null : readAfterFrom(later.rest, isBank));
  const ways = [
    () => findLabelled(fields, isBank),
    () => findBehindBars(text),
    () => (later?.hasPayee === true ? readLater() : null),
    () => (isFrom ? readAfterFrom(rest, isBank) : readFields(rest, heads, isBank)),
    readLater,
    () => readNameFirst(fields, isBank),
  ];
  let partly: StatementPayer | null = null;
  for (const way of ways) {
    const found = way();
    if (found?.name != null) return found;
    partly ??= found;
  }
  return partly;
}

/** `SENDER: ADA OBI REMARK: …` */
function findLabelled(
  fields: readonly TextField[],
  isBank: (text: string) => boolean,
): StatementPayer | null {
  const at = fields.findIndex(
    (field, index) =>
      LABELS.has(wordOf(field.at(-1)!.text)) && fields[index + 1]?.[0]?.gap.includes(':') === true,
  );
  return at === -1 ? null : readAfterFrom(fields.slice(at + 1), isBank);
}

/** `ADA OBI/0123456789/BANK`, `ADA OBI/MOBILE TRF TO …`: the bank writes the payer first. */
function readNameFirst(
  [first, second, third]: readonly TextField[],
  isBank: (text: string) => boolean,
): StatementPayer | null {
  if (first === undefined || second === undefined) return null;
  const name = textOf(first);
  if (!isPersonOrCompany(name)) return null;
  const next = [second, third ?? []];
  const account = accountIn(next, isBank);
  const bankName = bankIn(next, isBank);
  const isBanksShape = isHead(second[0]!.text) || second.some(({ text }) => wordOf(text) === 'TO');
  return account === null && bankName === null && !isBanksShape ? null : { name, account, bankName };
}

/** `… Account Transfer from ADA OBI`: the words before it are the bank's, but not known here. */
function findLaterFrom(fields: readonly TextField[]): LaterFrom | null {
  return findFrom(fields, true) ?? findFrom(fields, false);
}

function findFrom(fields: readonly TextField[], hasPayee: boolean): LaterFrom | null {
  for (const [index, field] of fields.entries())
    for (const [at, { text }] of field.entries()) {
      if (!FROM_WORDS.has(wordOf(text))) continue;
      const own = field.slice(at + 1);
      const rest = own.length === 0 ? fields.slice(index + 1) : [own, ...fields.slice(index + 1)];
      const before = field[at - 1]?.text;
      const isAfterBank = before === undefined || isHead(before) || isCode(before) || wordOf(text) === 'BO';
      if (hasPayee ? namesPayee(rest) : isAfterBank) return { rest, hasPayee };
    }
  return null;
}

function namesPayee(fields: readonly TextField[]): boolean {
  return fields.slice(0, 2).some((field) => field.some(({ text }) => wordOf(text) === 'TO'));
}

interface LaterFrom {
  readonly rest: readonly TextField[];
  /** `from ADA OBI to MUSA BELLO`: only a bank writes both. */
  readonly hasPayee: boolean;
}

interface SkippedHead {
  /** The fields after the bank's own words. */
  readonly rest: readonly TextField[];
  readonly isFrom: boolean;
  readonly heads: number;
}

/** Cuts the bank's own words off the start. */
function skipHead(fields: readonly TextField[]): SkippedHead {
  let heads = 0;
  for (let index = 0; index < fields.length; index++) {
    const field = fields[index]!;
    let at = 0;
    // A single letter beside other words is the initial of a name.
    const isBanks = (text: string) =>
      (isHead(text) || isCode(text)) && (text.length > 1 || field.length === 1);
    while (at < field.length && isBanks(field[at]!.text)) {
      if (isHead(field[at]!.text)) heads++;
      at++;
    }
    // `BRAND MORE TRF/…`, `BRAND:…`: other words of the bank before the payer.
    const isBrand = index === 0 && field.length <= 4 && isHead(field.at(-1)!.text) && field.length > 1;
    const isLabel = index === 0 && field.length === 1 && fields[1]?.[0]?.gap.startsWith(':') === true;
    if (isBrand || isLabel) {
      heads++;
      continue;
    }
    const next = field[at];
    if (next !== undefined && FROM_WORDS.has(wordOf(next.text))) {
      const own = field.slice(at + 1);
      return {
        rest: own.length === 0 ? fields.slice(index + 1) : [own, ...fields.slice(index + 1)],
        isFrom: true,
        heads,
      };
    }
    if (next !== undefined)
      return { rest: [field.slice(at), ...fields.slice(index + 1)], isFrom: false, heads };
  }
  return { rest: [], isFrom: false, heads };
}

/** `TRF FROM ADA OBI 0123456789 / BANK / …` */
function readAfterFrom(
  fields: readonly TextField[],
  isBank: (text: string) => boolean,
): StatementPayer | null {
  const [given, second, third, fourth] = joinSurname(fields);
  if (given === undefined) return null;
  if (given.length === 1 && ACCOUNT.test(given[0]!.text) && second !== undefined) {
    const name = nameIn(second);
    return name === null ? null : { name, account: given[0]!.text, bankName: bankIn([third ?? []], isBank) };
  }
  // A number before the name is the payer's account, sometimes masked.
  const leading = given.findIndex(({ text }) => !/\d/.test(text));
  const first = leading > 0 ? given.slice(leading) : given;
  const number = leading > 0 && ACCOUNT.test(given[0]!.text) ? given[0]!.text : null;
  const end = first.findIndex(({ text }, at) => endsName(wordOf(text), at));
  const stop = end === -1 ? undefined : first[end]!.text;
  const { name, bankName } = splitBankOff(end === -1 ? first : first.slice(0, end), isBank);
  // The bank may come before the name.
  if (name === '' || (end === -1 && first.length === 1 && /^\p{Lu}{2,5}$/u.test(name))) {
    const after = [second, third, fourth].filter((each) => each !== undefined && !isOnlyCode(each));
    return readBehindBank(after as readonly TextField[], bankName, isBank);
  }
  if (!isPersonOrCompany(name)) return null;
  const isOpen = stop === undefined;
  const next = isOpen ? [second, third].filter((each) => each !== undefined) : [];
  const account = number ?? (stop !== undefined && ACCOUNT.test(stop) ? stop : accountIn(next, isBank));
  return { name, account, bankName: bankName ?? bankIn(next, isBank) };
}

function isOnlyCode(field: TextField): boolean {
  return field.length === 1 && isCode(field[0]!.text);
}

/** `FROM BANK/ADA OBI/…`, `FROM BANK/ rent /ADA OBI`: banks write names in capital letters, payers seldom do. */
function readBehindBank(
  fields: readonly TextField[],
  bankName: string | null,
  isBank: (text: string) => boolean,
): StatementPayer | null {
  const named = fields.slice(0, 2).filter((field) => nameIn(field) !== null);
  const capital = named.filter((field) => nameIn(field) === nameIn(field)!.toUpperCase());
  const own = named.length === 1 ? named[0] : capital.length === 1 ? capital[0] : named[0];
  if (own === undefined) return null;
  const next = fields[fields.indexOf(own) + 1];
  return { name: nameIn(own), account: accountIn([next ?? []], isBank), bankName };
}

/** `OBI, ADA CHIOMA`: the comma is a part of the name. */
function joinSurname(fields: readonly TextField[]): readonly TextField[] {
  const [first, second, ...others] = fields;
  if (first?.length !== 1 || second?.[0]?.gap.trim() !== ',') return fields;
  return [[...first, ...second], ...others];
}

function endsName(word: string, at: number): boolean {
  return /\d/.test(word) || AFTER_WORDS.has(word) || (at >= 2 && REMARK_WORDS.has(word));
}

/** A bank's name may stand behind the payer's name without a separator. The name is empty if there is only a bank. */
function splitBankOff(words: TextField, isBank: (text: string) => boolean) {
  const all = textOf(words);
  if (isBank(all)) return { name: '', bankName: all };
  for (const count of [2, 1]) {
    const at = words.length - count;
    const last = textOf(words.slice(at));
    if (at >= 2 && isBank(last)) return { name: textOf(words.slice(0, at)), bankName: last };
  }
  return { name: all, bankName: null };
}

/** The number in the first field, or in the second after a bank. A later number is the payer's remark. */
function accountIn(fields: readonly TextField[], isBank: (text: string) => boolean): string | null {
  for (const field of fields) {
    const [only] = field;
    if (field.length === 1 && ACCOUNT.test(only!.text)) return only!.text;
    if (!isBank(textOf(field))) return null;
  }
  return null;
}

function bankIn(fields: readonly TextField[], isBank: (text: string) => boolean): string | null {
  const found = fields.map(textOf).find((text) => isBank(text) && !FULL_NUMBER.test(text));
  return found ?? null;
}

/** How many fields after the bank's words may name the bank and the payer. */
const MOST_FIELDS = 4;

/**
 * The bank and the name are neighbours, the name first or last. Without a bank, the first field after the bank's words is the
 * name; a short code before it is passed.
 */
function readFields(
  all: readonly TextField[],
  heads: number,
  isBank: (text: string) => boolean,
): StatementPayer | null {
  const fields = all.filter((field) => !isOnlyCode(field)).slice(0, MOST_FIELDS);
  const texts = fields.map(textOf);
  const banks = texts.flatMap((text, index) => (isBank(text) && !/^\d+$/.test(text) ? [index] : []));
  const at = banks.length === 1 || (banks.length > 1 && banks[0] === 0) ? banks[0] : undefined;
  if (at !== undefined) {
    const after = fields[at + 1] === undefined ? null : nameIn(fields[at + 1]!);
    const before = at === 0 ? null : nameIn(fields[at - 1]!);
    // Where the bank writes no words of its own, both must be at the start.
    if (heads === 0 && at > 1) return null;
    // Between two possible names the first field is the bank's.
    const isBefore = before !== null && (after === null || at === 1);
    const name = isBefore ? before : after;
    const next = isBefore ? at + 1 : at + 2;
    return { name, account: accountIn(fields.slice(next, next + 1), isBank), bankName: texts[at]! };
  }
  if (heads === 0 || banks.length > 0) return null;
  const start = texts.findIndex((text) => !/^[\p{Lu}]{2,5}$/u.test(text) && !FULL_NUMBER.test(text));
  const field = fields[start];
  const name = field === undefined ? null : nameIn(field);
  if (name === null) return null;
  const beside = [fields[start + 1], start > 0 ? fields[start - 1] : undefined].filter(
    (each) => each !== undefined,
  );
  return {
    name,
    account: beside.map((each) => accountIn([each], isBank)).find((each) => each !== null) ?? null,
    bankName: null,
  };
}
