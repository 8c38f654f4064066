// Tests that docs/concepts/matching.md agrees with the code. It has the same reasons with their weights and texts, and the same
// versions with their rules.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { REASON_WEIGHTS } from '../../src/domain/matching/claim-evidence.ts';
import { describeMatchReason } from '../../src/domain/matching/describe-match-reason.ts';
import {
  CURRENT_MATCHING_RULES,
  findMatchingRules,
  MATCHING_RULE_VERSIONS,
} from '../../src/domain/matching/rules.ts';

const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/concepts/matching.md'), 'utf8');
const sectionOf = (name: string) => new RegExp(`\n## ${name}\n(.*?)\n## `, 's').exec(page)![1]!;

test('the page lists every reason with its weight and its text', () => {
  const rows = [...sectionOf('Reasons and weights').matchAll(/^\| `(\w+)` \| (-?\d+) \| (.*) \|$/gm)];
  assert.deepEqual(
    rows.map(([, reason, weight, words]) => [reason, Number(weight), words]),
    Object.entries(REASON_WEIGHTS).map(([reason, weight]) => [
      reason,
      weight,
      describeMatchReason(reason).text,
    ]),
  );
});

test('the page lists the rules of every version', () => {
  const section = sectionOf('Versions');
  const [, head] = /^\| rule \|(.*)\|$/m.exec(section)!;
  assert.deepEqual(
    [...head!.matchAll(/version (\d+)/g)].map(([, version]) => Number(version)),
    MATCHING_RULE_VERSIONS,
  );
  const rows = [...section.matchAll(/^\| `(\w+)`[^|]*\|(.*)\|$/gm)];
  const { version: _, ...rules } = CURRENT_MATCHING_RULES;
  assert.deepEqual(
    rows.map(([, rule]) => rule),
    Object.keys(rules),
  );
  for (const [, rule, cells] of rows)
    assert.deepEqual(
      cells!.split('|').map((cell) => cell.trim().startsWith('yes')),
      MATCHING_RULE_VERSIONS.map((version) => findMatchingRules(version)![rule as keyof typeof rules]),
      rule,
    );
});
