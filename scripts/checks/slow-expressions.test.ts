// The check finds expressions that take more than linear time, however they are written, and accepts linear ones.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCheckOn } from './run-check-on.ts';
import { findSlowExpressions } from './slow-expressions.ts';

const FILE = 'src/adapters/statements/a.ts';
const findIn = (code: string) => runCheckOn({ [FILE]: code }, (root) => findSlowExpressions(root, []));

test('threat 107: an expression that takes more than linear time makes the check fail', () => {
  const [found = '', ...more] = findIn('\nexport const A = /opening balance.*-+$/i;\n');
  assert.match(
    found,
    /^src\/adapters\/statements\/a\.ts:2: \/opening balance.* takes 3rd degree polynomial time, for/,
  );
  assert.deepEqual(more, []);
});

test('the time to search the start of a match counts, and so does an exponential expression', () => {
  assert.match(findIn('export const A = /-+$/;')[0]!, /2nd degree polynomial/);
  assert.match(findIn('export const A = /^(a+)+$/;')[0]!, /exponential/);
  assert.match(findIn('export const A = (text: string) => text.replaceAll(/\\s+$/g, "");')[0]!, /polynomial/);
});

test('linear expressions are accepted', () => {
  const code = [
    'export const A = /^[a-z]+-[0-9]+$/;',
    'export const B = /<[^<>]*>/g;',
    `export const C = new RegExp(\`^\${D}$\`);`,
    "const D = '[0-9]{1,30}';",
  ];
  assert.deepEqual(findIn(code.join('\n')), []);
});

test('an expression that is made of constants is computed; one that is made of other values is refused', () => {
  const constant = `const SPACE = String.raw\`\\s+\`;\nexport const A = new RegExp(String.raw\`\${SPACE}$\`, 'g');\n`;
  assert.match(findIn(constant)[0]!, /a\.ts:2: new RegExp.*polynomial/);
  const unknown = 'export const a = (word: string) => new RegExp(word);\n';
  assert.match(findIn(unknown)[0]!, /is made of values that the check does not know/);
});

test('a listed expression is accepted, and an expression on the list that the file no longer contains is reported', () => {
  const listed = [{ file: FILE, code: '/-+$/', why: 'at most ten characters' }];
  const find = (code: string) => runCheckOn({ [FILE]: code }, (root) => findSlowExpressions(root, listed));
  assert.deepEqual(find('export const A = /-+$/;'), []);
  assert.match(find('export const A = /^-$/;')[0]!, /has no \/-\+\$\/ any more/);
});
