// The words of a narration, in fields between separators, and which of them are the bank's own words, codes or names.

/** Words that banks write before the payer. */
const HEAD_WORDS: ReadonlySet<string> = new Set(
  `NIP NIBSS NIBBS NEFT RTGS INSTANT INWARD INW INFLOW INCOMING INTERBANK INTRABANK LOCAL CR CREDIT CREDITED TRF TRFR TFR TRSF TNF
  TRANSFER TRANSFERS TRANSF FT FIP FUND FUNDS PAYMENT PYMT PMT MOBILE MOB MBANKING USSD WEB APP ONLINE INTERNET BANKING IB MB POS
  AGENCY AGENT BANK BETWEEN CUSTOMERS ACCOUNTS VIA RECEIVED RECEIPT DEPOSIT LODGEMENT WALLET ACCOUNT ACCT REM ALERT IN N R C CIP
  CASH MONEY STP CHANNEL TRANS TXN TSF COP`.split(/\s+/),
);
export const FROM_WORDS: ReadonlySet<string> = new Set(['FROM', 'FRM', 'BY', 'BO']);
/** Words of remarks. A text with one of them is not a name. */
export const REMARK_WORDS: ReadonlySet<string> = new Set(
  `FOR OF TO PAYMENT PAYMENTS TRANSFER TRF INVOICE ORDER SALE FEE FEES REF RENT SCHOOL SALARY LOAN GOODS MONEY PURCHASE BALANCE DEPOSIT
  REFUND REVERSAL UPKEEP SAVINGS BILL BILLS MY YOUR THE PLEASE THANKS VIA FROM BUY SUPPLY ACCOUNT CHARGE CHARGES WITHDRAWAL AIRTIME
  SUBSCRIPTION CONTRIBUTION NULL SELF CARD DEBIT SETTLEMENT RVSL IFO`.split(/\s+/),
);

interface TextToken {
  readonly text: string;
  /** What stands before it: spaces, or a separator of fields. */
  readonly gap: string;
}

const TOKEN = /([^\p{L}\p{N}*]*)(\*{0,8}[\p{L}\p{N}][\p{L}\p{N}\p{M}'’.&_*-]*)/gu;
export const FULL_NUMBER = /^\d{10}$/;
/** All ten digits, or some of them masked. */
export const ACCOUNT = /^(?:\d{10}|\d{0,4}\*{2,8}\d{2,4})$/;

/** The words between two separators. */
export type TextField = readonly TextToken[];

/** A separator is a slash, a bar, a colon, a comma, a bracket, or a dash with a space or a dash beside it. */
const SEPARATOR = /[/|:;,>()[\]]|[-–—_]{2}|\s[-–—_]|[-–—_]\s/;
/** A dash inside a word: it joins two names (ABDUL-RAHMAN), or separates the payer from what follows (MUSA BELLO-RENT). */
const INNER_DASH = '-';

export function groupFields(text: string): readonly TextField[] {
  const tokens = [...text.matchAll(TOKEN)].map(([, gap, word]): TextToken => ({ gap: gap!, text: word! }));
  const fields: TextToken[][] = [];
  for (const given of tokens)
    for (const token of splitToken(given)) {
      const field = fields.at(-1);
      if (field === undefined || SEPARATOR.test(token.gap) || isSeparatingDash(token, field))
        fields.push([token]);
      else field.push(token);
    }
  return fields;
}

/** After a whole name, a dash ends it; another long word in capital letters may be the second half of a surname. */
function isSeparatingDash({ gap, text }: TextToken, field: TextField): boolean {
  if (gap !== INNER_DASH || countNames(field) < 2) return false;
  return !/^\p{Lu}{4,}$/u.test(text) || REMARK_WORDS.has(wordOf(text));
}

function splitToken({ gap, text }: TextToken): readonly TextToken[] {
  const parts = text.split(/[-_]/).filter((part) => part !== '');
  return parts.map((part, at) => ({ text: part, gap: at === 0 ? gap : INNER_DASH }));
}

/** The words after the bank's own words. */
function countNames(field: TextField): number {
  const last = field.findLastIndex(
    ({ text }) => isHead(text) || isCode(text) || FROM_WORDS.has(wordOf(text)),
  );
  return field.length - 1 - last;
}
export function wordOf(text: string): string {
  return text.toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

export function isHead(text: string): boolean {
  return HEAD_WORDS.has(wordOf(text));
}

/** A number of a transfer or of a terminal: digits, or letters and digits. */
export function isCode(text: string): boolean {
  const word = wordOf(text);
  return /\d/.test(word) && (word.length >= 5 || /^\d+$/.test(word)) && !FULL_NUMBER.test(word);
}

/** The name in a field; a number or words such as TO after it end it. */
export function nameIn(field: TextField): string | null {
  const end = field.findIndex(
    ({ text }) => /\d/.test(text) || ['TO', 'REF', 'VIA', 'IFO'].includes(wordOf(text)),
  );
  const text = textOf(end === -1 ? field : field.slice(0, end));
  return isPersonOrCompany(text) ? text : null;
}

export function textOf(field: TextField): string {
  const text = field.map((token) => token.text).join(' ');
  // Without signs at the end.
  return /^.*[^.&_-]/s.exec(text)?.[0] ?? '';
}

/** Two to eight words of letters, none of them a word of remarks. */
export function isPersonOrCompany(text: string): boolean {
  const words = text.split(' ').filter((word) => word !== '');
  if (words.length < 2 || words.length > 8 || text.length > 80) return false;
  return words.every((word) => /^[\p{L}\p{M}'’.&-]+$/u.test(word) && !REMARK_WORDS.has(wordOf(word)));
}
