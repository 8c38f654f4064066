// Tests that docs/operate/reviews.md says how many people each setting needs, exactly as the table in the code does.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { PEOPLE_NEEDED } from '../../src/domain/people/people-needed.ts';

const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/operate/reviews.md'), 'utf8');
const section = /\n## Settings\n(.*?)\n## /s.exec(page)![1]!;

test('the page lists exactly the settings of the code, with the number of people that each needs', () => {
  const words = { 1: 'one', 2: 'two', judged: 'judged' } as const;
  const rows = [...section.matchAll(/^\| (\w+) \| (\w+) \| (.*) \|$/gm)];
  const listed = rows.flatMap(([, live, test, cell = '']) =>
    [...cell.matchAll(/`(\w+)`/g)].map(([, setting]) => [setting!, { live, test }] as const),
  );
  assert.equal(new Set(listed.map(([setting]) => setting)).size, listed.length, 'each once');
  assert.deepEqual(
    Object.fromEntries(listed),
    Object.fromEntries(
      Object.entries(PEOPLE_NEEDED).map(([setting, { live, test }]) => [
        setting,
        { live: words[live], test: words[test] },
      ]),
    ),
  );
});
