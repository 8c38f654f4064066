// docs/concepts/threats.md: people write the numbers and expectations, and the last column is generated from the citations in the
// tests. Problems are found in both directions: a number without a threat, and a threat without a test.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { CODE_FOLDERS, readSources, type Source } from '../checks/source.ts';
import { belongsToTests, type Citation, listCitations } from './citations.ts';
import { GAPS, type ThreatGap } from './gaps.ts';

export const THREATS_PAGE = 'docs/concepts/threats.md';
const MOST_FILES = 4;
const ROW = /^\| (\d+) \| (.+?) \| .* \|$/gm;

/**
 * One file of each kind is listed before a second file of the same kind. The rule comes first, and then tests that run more of
 * the service.
 */
const KINDS = [
  /^src\/domain\//,
  /^src\/app\//,
  /^src\/adapters\//,
  /^src\//,
  /^test\/(http|e2e|browser|statements)\//,
  /^test\/contract\//,
  /^test\/(faults|strangers|simulation)\//,
];

export interface Threats {
  readonly page: string;
  readonly inTests: readonly Citation[];
  readonly everywhere: readonly Citation[];
  readonly gaps: Readonly<Record<number, ThreatGap>>;
}

export function readThreats(root: string): Threats {
  const patterns = CODE_FOLDERS.map((folder) => `${folder}/**/*.{ts,tsx,mjs}`);
  const sources = readSources(root, [...patterns, 'docs/**/*.md', 'migrations/*.sql', 'CONTRIBUTING.md']);
  const everywhere = listCitations(sources.filter(isSearched));
  const inTests = everywhere.filter(({ file }) => belongsToTests(file));
  return { page: readFileSync(path.join(root, THREATS_PAGE), 'utf8'), inTests, everywhere, gaps: GAPS };
}

/** Examples in the tests of the citations do not count. */
const EXAMPLES = ['scripts/threats/', 'test/docs/threats.test.ts'];

function isSearched({ file }: Source): boolean {
  return file !== THREATS_PAGE && !EXAMPLES.some((place) => file.startsWith(place));
}

function numbersOn(page: string): number[] {
  return [...page.matchAll(ROW)].map(([, number]) => Number(number));
}

export function renderThreats({ page, inTests, gaps }: Threats): string {
  return page.replaceAll(ROW, (_, number: string, expected: string) => {
    const own = inTests.filter(({ threat }) => threat === Number(number));
    return `| ${number} | ${expected} | ${whereTested(own, gaps[Number(number)])} |`;
  });
}

function whereTested(own: readonly Citation[], gap: ThreatGap | undefined): string {
  const missing = gap === undefined ? [] : [`**not covered yet:** ${gap.missing}`];
  if (own.length === 0) return missing[0] ?? '-';
  const files = filesOf(own);
  const named = alternateKinds(files).slice(0, MOST_FILES);
  const more = files.length - named.length;
  const list = named.map((file) => `\`${file}\``).join(', ');
  return [more === 0 ? list : `${list}, +${more}`, ...missing].join('; ');
}

export function filesOf(own: readonly Citation[]): string[] {
  const counts = new Map<string, number>();
  for (const { file } of own) counts.set(file, (counts.get(file) ?? 0) + 1);
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([file]) => file);
}

function alternateKinds(files: readonly string[]): string[] {
  const kindOf = (file: string) => [...KINDS, /^/].findIndex((kind) => kind.test(file));
  const turns = new Map<number, number>();
  return files
    .map((file) => {
      const kind = kindOf(file);
      const turn = turns.get(kind) ?? 0;
      turns.set(kind, turn + 1);
      return { file, kind, turn };
    })
    .sort((a, b) => a.turn - b.turn || a.kind - b.kind)
    .map(({ file }) => file);
}

export function findThreatProblems(threats: Threats): string[] {
  const { page, inTests, everywhere, gaps } = threats;
  const numbers = numbersOn(page);
  const cited = new Map(inTests.map((each) => [each.threat, each]));
  const unknown = everywhere
    .filter(({ threat }) => !numbers.includes(threat))
    .map(({ file, line, threat }) => `${file}:${line}: threat ${threat} is not in ${THREATS_PAGE}`);
  const odd = numbers
    .filter((number, index) => number !== index + 1)
    .slice(0, 1)
    .map((number) => `${THREATS_PAGE}: threat ${number} is out of sequence`);
  const gone = Object.keys(gaps)
    .filter((number) => !numbers.includes(Number(number)))
    .map((number) => `scripts/threats/gaps.ts: threat ${number} is not in ${THREATS_PAGE}`);
  const uncovered = numbers.flatMap((number) => coverProblem(number, cited.get(number), gaps[number]) ?? []);
  const stale = renderThreats(threats) === page ? [] : [STALE];
  return [...unknown, ...odd, ...gone, ...uncovered, ...stale];
}

const STALE = `${THREATS_PAGE}: the list of tests is out of date: run npm run threats -- --write`;

function coverProblem(number: number, citation: Citation | undefined, gap: ThreatGap | undefined) {
  if (citation === undefined && gap?.covered !== 'nothing')
    return `threat ${number}: no test cites it: name it in the test that covers it, or say in scripts/threats/gaps.ts what is missing`;
  if (citation !== undefined && gap?.covered === 'nothing')
    return `${citation.file}:${citation.line}: threat ${number} is covered now: remove or correct it in scripts/threats/gaps.ts`;
  return undefined;
}
