// The texts about scenarios match docs/start/sandbox.md: they list the same scenarios with the same endings.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { SCENARIOS } from '../../ports/sandbox.ts';
import { PAID_ENDING, SCENARIO_WORDS } from './scenarios.ts';

const page = readFileSync(path.resolve(import.meta.dirname, '../../../docs/start/sandbox.md'), 'utf8');

test('every scenario ends as documented in the table in the docs', () => {
  for (const name of SCENARIOS) {
    const cells = page
      .split('\n')
      .find((line) => line.startsWith(`| \`${name}\` |`))!
      .split('|')
      .map((cell) => cell.trim());
    for (const [type, cell] of [['buy', cells[3]!] as const, ['sell', cells[4]!] as const]) {
      const ending = SCENARIO_WORDS[name][type];
      const codes = [...cell.matchAll(/`(\w+)`/g)].map(([, code]) => code);
      const expected = cell.startsWith('as ') ? [PAID_ENDING.state] : codes;
      const { state, exception } = ending ?? PAID_ENDING;
      assert.deepEqual([state, exception].filter(Boolean), expected, `${name} of a ${type}`);
      assert.equal(ending === undefined, cell.startsWith('as '), `${name} of a ${type}`);
    }
  }
});
