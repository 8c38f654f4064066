// Finds where threats are cited: "threat 21", "threats 40, 41 and 42", "Threats 64 to 66 and 70". The numbers are those of
// docs/concepts/threats.md.
import { isTest, lineOf, type Source } from '../checks/source.ts';

export interface Citation {
  readonly file: string;
  readonly line: number;
  readonly threat: number;
}

/** A comment may continue in the next line. */
const GAP = String.raw`\s+(?:(?:\/\/|\*)\s+)?`;
const BETWEEN = String.raw`(?:,${GAP}and${GAP}|,${GAP}|${GAP}(?:and|to)${GAP}|\s?[–-]\s?)`;
const CITED = new RegExp(String.raw`\bthreats?${GAP}(\d+(?:${BETWEEN}\d+)*)`, 'gi');
const STEP = /(\D*)(\d+)/g;
const RANGE = /\bto\b|[–-]/;
/** A longer range is a mistake in the text, not a list of threats. */
const LONGEST_RANGE = 200;

export function findCitations(text: string): { readonly threat: number; readonly offset: number }[] {
  return [...text.matchAll(CITED)].flatMap(({ 1: list = '', index: offset }) =>
    numbersOf(list).map((threat) => ({ threat, offset })),
  );
}

function numbersOf(list: string): number[] {
  const numbers: number[] = [];
  for (const [, between = '', digits] of list.matchAll(STEP)) {
    const last = Number(digits);
    const from = RANGE.test(between) ? numbers.at(-1) : undefined;
    if (from !== undefined && last - from <= LONGEST_RANGE)
      for (let each = from + 1; each < last; each++) numbers.push(each);
    numbers.push(last);
  }
  return numbers;
}

export function listCitations(sources: readonly Source[]): Citation[] {
  return sources.flatMap(({ file, text }) =>
    findCitations(text).map(({ threat, offset }) => ({ file, line: lineOf(text, offset), threat })),
  );
}

/** True for a test and for files that tests share, such as contract suites. */
export function belongsToTests(file: string): boolean {
  return isTest(file) || file.startsWith('test/') || file.startsWith('sdk/test/');
}
