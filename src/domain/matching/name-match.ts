// Decides whether two names mean one person or company. A name with look-alike or hidden characters is never a strong match,
// even if everything else is equal (threat 14). Titles and company words alone never make a match.
import { isErased } from '../values/erased.ts';
import { inspectName } from './inspect-name.ts';
import { type PairedWords, pairWords } from './pair-words.ts';

type NameVerdict = 'strong' | 'weak' | 'different' | 'suspicious';

interface NameComparison {
  /** A score from 0 to 100, which sorts and explains candidates. Only the verdict decides. */
  readonly score: number;
  readonly verdict: NameVerdict;
}

const TITLES: ReadonlySet<string> = new Set(
  `MR MRS MS MISS MASTER MADAM DR PROF ENGR BARR ARC CAPT ESQ SIR LADY HON CHIEF OTUNBA PRINCE PRINCESS
  ALHAJI ALH ALHAJA HAJIA HAJIYA MALLAM MALAM PASTOR REV BISHOP EVANG`.split(/\s+/),
);

/** Words that many companies use. Comparisons use one common spelling for each of them. */
const COMPANY_WORDS: ReadonlyMap<string, string> = new Map(
  [
    'LIMITED LTD',
    'PLC',
    'INC',
    'LLC',
    'NIGERIA NIG',
    'ENTERPRISES ENTERPRISE ENT',
    'COMPANY CO',
    'INTERNATIONAL INTL',
    'VENTURES VENTURE VENT',
    'SERVICES SERVICE SVCS SVC',
    'GROUP',
    'AND',
  ].flatMap((line) => {
    const spellings = line.split(' ');
    return spellings.map((spelling) => [spelling, spellings[0]!] as const);
  }),
);

/** Letters that Unicode normalisation leaves unchanged. Bank statements print the plain letter instead. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  Ɓ: 'B',
  Ɗ: 'D',
  Ƙ: 'K',
  Ƴ: 'Y',
  Ŋ: 'N',
  Ɔ: 'O',
  Ɛ: 'E',
  Ǝ: 'E',
  Ø: 'O',
  Ł: 'L',
  Đ: 'D',
  Ð: 'D',
  Æ: 'AE',
  Œ: 'OE',
};

// Banks cut names after 20 to 30 characters. Only the last word of a long name can therefore be incomplete.
const CUT_TEXT_MIN = 20;
const LONE_WORD_MIN = 3;

/** The words of a name without case, accents, punctuation and titles. Each company word has its one common spelling. */
export function normaliseName(text: string): string[] {
  return splitNameWords(inspectName(text).display);
}

function splitNameWords(display: string): string[] {
  return display
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .replace(/[^\p{ASCII}]/gu, (letter) => PLAIN_LETTERS[letter] ?? letter)
    .replace(/['’‘`ʼ]/g, '')
    .replaceAll('&', ' AND ')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !TITLES.has(word))
    .map((word) => COMPANY_WORDS.get(word) ?? word);
}

/** Words that banks write for a missing name or value. */
export const BLANK_TEXT = /^\s*(?:(?:null|undefined|none|nil|unknown|n\/?a)\s*)?$/i;

export interface ParsedName {
  /** False for a missing or erased name. Such a name neither matches nor contradicts another name. */
  readonly isGiven: boolean;
  /** The name has look-alike or hidden characters. */
  readonly isSuspicious: boolean;
  /** All words without titles, in a fixed order. Names with the same words have the same form. */
  readonly form: string;
  /** The distinguishing words of the name. They are sorted, because the word order does not matter. */
  readonly words: readonly string[];
  readonly companyWords: ReadonlySet<string>;
  readonly cutWord: string | null;
}

/** Parses a name. Null: no name is known. */
export function parseName(text: string | null): ParsedName {
  const given = text ?? '';
  const { display, flags } = inspectName(given);
  const all = splitNameWords(display);
  const isCompanyWord = (word: string) => COMPANY_WORDS.has(word);
  return {
    isGiven: all.length > 0 && !BLANK_TEXT.test(given) && !isErased(text),
    isSuspicious: flags.length > 0,
    form: all.toSorted().join(' '),
    words: all.filter((word) => !isCompanyWord(word)).sort(),
    companyWords: new Set(all.filter((word) => isCompanyWord(word) && word !== 'AND')),
    cutWord: display.length >= CUT_TEXT_MIN ? (all.at(-1) ?? null) : null,
  };
}

export function compareNames(a: ParsedName, b: ParsedName): NameComparison {
  const { score, verdict } = compareNameWords(a, b);
  return { score, verdict: a.isSuspicious || b.isSuspicious ? 'suspicious' : verdict };
}

function compareNameWords(a: ParsedName, b: ParsedName): NameComparison {
  // The two names are put in a fixed order, so that the result is the same in both directions.
  const [first, second] = a.words.join(' ') <= b.words.join(' ') ? [a, b] : [b, a];
  const paired = pairWords(first, second);
  const total = a.words.length + b.words.length;
  const score = total === 0 ? 0 : Math.trunc(paired.points / total);
  return { score, verdict: judgeNames(a, b, paired, score) };
}

function judgeNames(a: ParsedName, b: ParsedName, paired: PairedWords, score: number): NameVerdict {
  const contained = paired.restA === 0 || paired.restB === 0;
  // ADE FOODS LIMITED and ADE FOODS ENTERPRISES are two companies. A name without such a suffix may mean either of them.
  const sameForm = a.companyWords.isSubsetOf(b.companyWords) || b.companyWords.isSubsetOf(a.companyWords);
  if (contained && sameForm && paired.whole >= 2 && paired.slips <= 1) return 'strong';
  if (isSameLoneWord(a, b)) return 'strong';
  if (contained && paired.whole + paired.slips > 0) return 'weak';
  return paired.whole >= 2 || score === 100 ? 'weak' : 'different';
}

function isSameLoneWord(a: ParsedName, b: ParsedName): boolean {
  const [word] = a.words;
  if (word === undefined || a.words.length > 1 || b.words.length > 1 || word !== b.words[0]) return false;
  return word.length >= LONE_WORD_MIN && a.companyWords.symmetricDifference(b.companyWords).size === 0;
}
