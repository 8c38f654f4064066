// Tests docs/concepts/threats.md. The page contains every threat that a test cites, and its test files match the citations.
// Every threat on the page is cited by a test or listed as not covered.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import {
  findThreatProblems,
  readThreats,
  renderThreats,
  THREATS_PAGE,
  type Threats,
} from '../../scripts/threats/page.ts';

test('every cited threat number is on the page, every threat has its tests, and the page is up to date', () => {
  assert.deepEqual(findThreatProblems(readThreats(path.resolve(import.meta.dirname, '../..'))), []);
});

const cited = (threat: number, file: string) => ({ threat, file, line: 7 });

function written(
  inTests: Threats['inTests'],
  gaps: Threats['gaps'] = {},
  rows = ['| 1 | First | - |', '| 2 | Second | - |'],
): Threats {
  const page = ['# Threats', '| no. | expected | tested |', '|---|---|---|', ...rows, ''].join('\n');
  const threats = { page, inTests, everywhere: inTests, gaps };
  return { ...threats, page: renderThreats(threats) };
}
const BOTH = [cited(1, 'src/a.test.ts'), cited(2, 'src/b.test.ts')];

test('a cited number that is not on the page is found, and so is a threat that no test cites', () => {
  assert.deepEqual(findThreatProblems(written(BOTH)), []);
  assert.deepEqual(findThreatProblems(written([...BOTH, cited(3, 'src/c.test.ts')])), [
    `src/c.test.ts:7: threat 3 is not in ${THREATS_PAGE}`,
  ]);
  const product = { ...written(BOTH), everywhere: [...BOTH, cited(9, 'src/product.ts')] };
  assert.deepEqual(findThreatProblems(product), [`src/product.ts:7: threat 9 is not in ${THREATS_PAGE}`]);
  assert.match(findThreatProblems(written(BOTH.slice(1))).join(), /^threat 1: no test cites it: [^\n]*$/);
});

test('a threat without a test must be marked as not covered, and the mark must be removed once a test cites it', () => {
  const nothing = { 2: { covered: 'nothing', missing: 'it is not built' } } as const;
  const part = { 2: { covered: 'a part', missing: 'the other half' } } as const;
  const one = BOTH.slice(0, 1);
  assert.deepEqual(findThreatProblems(written(one, nothing)), []);
  assert.match(written(one, nothing).page, /\| Second \| \*\*not covered yet:\*\* it is not built \|/);
  assert.match(findThreatProblems(written(BOTH, nothing)).join(), /^src\/b\.test\.ts:7: .*is covered now/);
  assert.deepEqual(findThreatProblems(written(BOTH, part)), []);
  assert.match(written(BOTH, part).page, /`src\/b\.test\.ts`; \*\*not covered yet:\*\* the other half \|/);
  assert.match(findThreatProblems(written(one, part)).join(), /^threat 2: no test cites it/);
  const gone = { 5: { covered: 'nothing', missing: 'x' } } as const;
  assert.match(findThreatProblems(written(BOTH, gone)).join(), /gaps\.ts: threat 5 is not in/);
});

test('an outdated page is found, and so are numbers in the wrong order', () => {
  const current = written(BOTH);
  const moved = { ...current, inTests: [cited(1, 'src/moved.test.ts'), BOTH[1]!] };
  assert.match(findThreatProblems(moved).join(), /run npm run threats -- --write$/);
  const rows = ['| 2 | Second | - |', '| 1 | First | - |'];
  assert.match(findThreatProblems(written(BOTH, {}, rows)).join(), /threat 2 is out of sequence/);
});

test('at most four files are listed: one of each kind, and within a kind the file with the most citations', () => {
  const citations = [
    'test/faults/x.test.ts',
    ...['src/domain/b.test.ts', 'src/domain/c.test.ts', 'src/domain/c.test.ts', 'src/domain/d.test.ts'],
    ...['test/http/y.test.ts', 'local-networks/z.test.ts', 'local-networks/z.test.ts'],
  ].map((file) => cited(1, file));
  const { page } = written([...citations, BOTH[1]!]);
  assert.match(
    page,
    /\| First \| `src\/domain\/c\.test\.ts`, `test\/http\/y\.test\.ts`, `test\/faults\/x\.test\.ts`, `local-networks\/z\.test\.ts`, \+2 \|/,
  );
});
