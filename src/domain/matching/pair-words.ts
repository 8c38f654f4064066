// Pairs the words of two names as bank statements write them: whole, joined, misspelt by one letter, cut short, or as an
// initial. Each word is used once, and the most certain pairs are made first.
interface NameWords {
  readonly words: readonly string[];
  readonly companyWords: ReadonlySet<string>;
  readonly cutWord: string | null;
}

export interface PairedWords {
  readonly whole: number;
  readonly slips: number;
  /** The score of both names: 100 points for each complete word that has a partner. */
  readonly points: number;
  readonly restA: number;
  readonly restB: number;
}

const CUT_WORD_MIN = 2;
const PART_MIN = 2;
const SLIP_WORD_MIN = 5;

/** The words of both names must be sorted, so that the pairs do not depend on the original word order. */
export function pairWords(a: NameWords, b: NameWords): PairedWords {
  const restA = [...a.words];
  const restB = [...b.words];
  let points = 0;
  const pairUp = (pointsEach: number, fits: (x: string, y: string) => boolean): string[] => {
    const paired = restA.filter((x) => {
      const at = restB.findIndex((y) => fits(x, y));
      if (at >= 0) restB.splice(at, 1);
      return at >= 0;
    });
    for (const x of paired) removeWord(restA, x);
    points += 2 * pointsEach * paired.length;
    return paired;
  };
  const joinUp = (joined: string[], parts: string[]): number => {
    let count = 0;
    for (const word of [...joined]) {
      const pair = splitJoinedWord(word, parts);
      if (pair === undefined) continue;
      for (const part of pair) removeWord(parts, part);
      removeWord(joined, word);
      count += 1;
    }
    points += 300 * count;
    return count;
  };

  const equal = pairUp(100, (x, y) => x === y);
  const joins = joinUp(restA, restB) + joinUp(restB, restA);
  const slips = pairUp(70, isMisspelling).length;
  pairUp(70, (x, y) => isTruncation(x, y, a.cutWord) || isTruncation(y, x, b.cutWord));
  pairUp(50, (x, y) => isInitial(x, y) || isInitial(y, x));
  dropCutCompanyWord(restA, a.cutWord, b.companyWords);
  dropCutCompanyWord(restB, b.cutWord, a.companyWords);

  const whole = equal.filter((word) => word.length > 1).length + 2 * joins;
  return { whole, slips, points, restA: restA.length, restB: restB.length };
}

function removeWord(words: string[], word: string): void {
  words.splice(words.indexOf(word), 1);
}

function splitJoinedWord(joined: string, words: readonly string[]): readonly [string, string] | undefined {
  for (const [at, head] of words.entries()) {
    if (head.length < PART_MIN || !joined.startsWith(head)) continue;
    const tail = joined.slice(head.length);
    if (tail.length >= PART_MIN && words.some((word, other) => other !== at && word === tail))
      return [head, tail];
  }
  return undefined;
}

/**
 * Whether one letter was added, left out or replaced, or two neighbouring letters were swapped. Only a long word counts as
 * misspelt.
 */
function isMisspelling(x: string, y: string): boolean {
  const [short, long] = x.length <= y.length ? [x, y] : [y, x];
  if (short.length < SLIP_WORD_MIN || long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  if (long.length > short.length) return long.slice(at + 1) === short.slice(at);
  if (long.slice(at + 1) === short.slice(at + 1)) return true;
  const swapped = short[at] === long[at + 1] && short[at + 1] === long[at];
  return swapped && long.slice(at + 2) === short.slice(at + 2);
}

function isTruncation(short: string, long: string, cutWord: string | null): boolean {
  if (short !== cutWord || short.length < CUT_WORD_MIN) return false;
  return short.length < long.length && long.startsWith(short);
}

function isInitial(short: string, long: string): boolean {
  return /^\p{L}$/u.test(short) && long.startsWith(short);
}

/** Drops a company word that the bank cut short, such as INTERNATIO, because it is not a separate name. */
function dropCutCompanyWord(rest: string[], cutWord: string | null, companyWords: ReadonlySet<string>): void {
  if (cutWord === null || !rest.includes(cutWord)) return;
  if ([...companyWords].some((word) => isTruncation(cutWord, word, cutWord))) removeWord(rest, cutWord);
}
