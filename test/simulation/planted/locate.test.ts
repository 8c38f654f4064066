// A patch finds its place by the name of a function and the tokens of a snippet, wherever the file is and however it is
// formatted. If the patch finds no place, the error says where to look.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyBug, findStale } from './apply.ts';
import { type Patch, within } from './patch.ts';
import type { Sources } from './sources.ts';
import { tokensOf } from './tokens.ts';

const PAY = `// Pays.
import { clock } from './clock.ts';

/** One payment. */
export function pay(amountMinor: bigint, feeMinor: bigint): bigint {
  // The fee stays here.
  const netMinor = amountMinor - feeMinor;
  return clock.now() > 0 ? netMinor : 0n;
}

const KINDS = ['buy', 'sell'];
`;
const FEES = 'export const feeFor = (amountMinor: bigint) => amountMinor / 100n;\n';

const sources = (files: Readonly<Record<string, string>> = {}): Sources =>
  new Map(Object.entries({ 'src/app/pay.ts': PAY, 'src/domain/fees.ts': FEES, ...files }));
const bug = (...patches: readonly Patch[]) => ({ name: 'a_mistake', what: 'A mistake.', patches });
const apply = (from: Sources, ...patches: readonly Patch[]) => [...applyBug(bug(...patches), from)];
const same = (text: string, expected: string) =>
  assert.deepEqual(
    tokensOf(text).map((token) => token.text),
    tokensOf(expected).map((token) => token.text),
  );

test('a unique snippet of a unique function can be replaced or removed, and code can be added before or after it', () => {
  const [[file, dropped]] = apply(sources(), within('pay').drop('- feeMinor')) as [[string, string]];
  assert.equal(file, 'src/app/pay.ts');
  same(dropped, PAY.replace('- feeMinor', ''));
  for (const [patch, from, to] of [
    [within('pay').exchange('clock.now() > 0', 'true'), 'clock.now() > 0', 'true'],
    [within('pay').before('return', 'clock.now();'), 'return', 'clock.now(); return'],
    [within('pay').after('amountMinor - feeMinor', '- 1n'), '- feeMinor;', '- feeMinor - 1n;'],
  ] as const)
    same(apply(sources(), patch)[0]![1], PAY.replace(from, to));
});

test('the path, comments, quotes, line breaks and trailing commas do not matter', () => {
  const formatted = `export function pay(
  amountMinor: bigint, feeMinor: bigint,
) {
  return together(
    amountMinor /* all of it */,
    // and nothing else: together(x)
    "it's",
  );
}
function together(..._: unknown[]) {}`;
  const patch = within('pay').exchange("together(amountMinor, 'it\\'s')", '0n');
  const [[file, text]] = apply(new Map([['src/elsewhere/x.ts', formatted]]), patch) as [[string, string]];
  assert.equal(file, 'src/elsewhere/x.ts');
  same(
    text,
    'export function pay(amountMinor: bigint, feeMinor: bigint) { return 0n; } function together(..._: unknown[]) {}',
  );
});

test('when a list item is removed, its comma is removed too, at any position in the list', () => {
  const list = (items: string) => new Map([['src/list.ts', `const LIST = [${items}];`]]);
  for (const [items, left] of [
    ["'a', 'b', 'c'", "'a', 'c'"],
    ["'b', 'c'", "'c'"],
    ["'a', 'b',", "'a',"],
    ["'b'", ''],
  ] as const)
    same(apply(list(items), within('LIST').drop("'b'"))[0]![1], `const LIST = [${left}];`);
});

test('the path of an import is found by the exported name, and no import is added if the name already exists', () => {
  const uses = within('pay').exchange('feeMinor;', 'feeFor(amountMinor);');
  const [[, text]] = apply(sources(), within('pay').addImport('feeFor'), uses) as [[string, string]];
  assert.match(text, /^import \{ feeFor \} from '\.\.\/domain\/fees\.ts';/);
  const [[, present]] = apply(sources(), within('pay').addImport('clock')) as [[string, string]];
  assert.equal(present, PAY);
  assert.throws(() => apply(sources(), within('pay').addImport('fees')), /fees cannot be imported/);
});

test('for a missing function, the error names similar functions and where the snippet is', () => {
  assert.throws(
    () => apply(sources(), within('payy').drop('- feeMinor')),
    /^Error: a_mistake \(in payy\): no function .* similar: pay, .*\n {2}the snippet stands in pay \(src\/app\/pay\.ts\)$/,
  );
});

test('when two functions have the same name, a patch must name a declaration in the same file or a folder', () => {
  const two = sources({ 'src/bank/pay.ts': 'function pay() { return 1; }\nexport const BANK = 1;' });
  assert.throws(
    () => apply(two, within('pay').drop('return 1;')),
    /declared in src\/app\/pay\.ts, src\/bank\/pay\.ts/,
  );
  for (const only of [{ beside: 'BANK' }, { folder: 'bank' }])
    assert.equal(apply(two, within('pay', only).exchange('1', '2'))[0]![0], 'src/bank/pay.ts');
  assert.throws(
    () => apply(two, within('pay', { folder: 'ban' }).drop('1')),
    /not declared in a folder ban, but in/,
  );
});

test('for a missing snippet, the error shows the nearest line and the first difference', () => {
  assert.throws(
    () => apply(sources(), within('pay').drop('amountMinor - chargeMinor')),
    /in pay, src\/app\/pay\.ts\): not found: `amountMinor - chargeMinor`\n {2}nearest: line 7: const netMinor = amountMinor - feeMinor; \(has feeMinor where the snippet has chargeMinor\)/,
  );
});

test('for a snippet that occurs twice, the error names the lines', () => {
  assert.throws(() => apply(sources(), within('pay').drop('netMinor')), /found 2 times, in lines 7, 8/);
});

test('code that would only crash is refused: code that does not parse, or that uses names that do not exist', () => {
  const refused = (put: string, why: RegExp) =>
    assert.throws(() => apply(sources(), within('pay').exchange('feeMinor;', put)), why);
  refused('(feeMinor;', /cannot be parsed/);
  refused('chargeMinor;', /uses chargeMinor, not declared/);
  refused('clock.later();', /property later/);
  assert.doesNotThrow(() =>
    apply(sources(), within('pay').exchange('feeMinor;', '((each: bigint) => each)(1n);')),
  );
});

test('only the planted mistakes that cannot be applied are reported', () => {
  const good = { ...bug(within('KINDS').drop("'sell'")), name: 'good' };
  const bad = { ...bug(within('KINDS').drop("'lend'")), name: 'bad' };
  const stale = findStale([good, bad], sources());
  assert.equal(stale.length, 1);
  assert.match(stale[0]!, /^bad \(in KINDS/);
});

test('tokens of templates and regular expressions are separated from the surrounding code', () => {
  const texts = (code: string) => tokensOf(code).map(({ text }) => text);
  const template = [`\`a \${`, 'b', '+', `\`{\${`, 'c', '}}`', '} // d`'];
  assert.deepEqual(texts(template.join(' ')), template);
  assert.deepEqual(texts("x = /['/]+/g; y = a / b / c;"), [
    ...['x', '=', "/['/]+/g", ';', 'y', '=', 'a', '/', 'b', '/', 'c', ';'],
  ]);
  assert.throws(() => tokensOf('reason: `'), /not closed/);
});
