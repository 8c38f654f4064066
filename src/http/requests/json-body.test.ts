// Compares the strict JSON reader with JSON.parse. The strict reader gives the same values, accepts no text that JSON.parse
// refuses, and keeps the digits of numbers as they were written.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { JsonError, readJson } from './json-body.ts';

type Outcome = { readonly value: unknown } | { readonly error: unknown };

function attempt(work: () => unknown): Outcome {
  try {
    return { value: work() };
  } catch (error) {
    return { error };
  }
}

/**
 * Reads a text with both JSON readers. readJson may refuse a text that JSON.parse accepts only because of its own three rules.
 */
function agrees(text: string): void {
  const theirs = attempt(() => JSON.parse(text));
  const ours = attempt(() => readJson(text).value);
  if ('error' in ours) {
    assert.ok(ours.error instanceof JsonError, String(ours.error));
    if ('value' in theirs) assert.match(ours.error.message, /duplicate key|__proto__|nested deeper/, text);
    return;
  }
  assert.ok('value' in theirs, `JSON.parse refuses ${text}`);
  assert.deepStrictEqual(ours.value, theirs.value);
}

test('threat 12: the reader returns the same value as JSON.parse for any JSON text', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), fc.constantFrom('', ' ', '\n\t\r '), (text, space) =>
      agrees(`${space}${text}${space}`),
    ),
    { numRuns: 500 },
  );
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => agrees(JSON.stringify(value, null, 2))),
    { numRuns: 300 },
  );
});

test('threat 12: the reader reads strings with any characters and escapes as JSON.parse does', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 5 }).map((text) => JSON.stringify(text).slice(1, -1)),
    fc.constantFrom(
      '\\"',
      '\\\\',
      '\\/',
      '\\b',
      '\\f',
      '\\n',
      '\\r',
      '\\t',
      '\\u0000',
      '\\uD83D\\uDe00',
      '\\ud800',
    ),
    fc.constantFrom('\\', '\\u12', '\\x41', '\\u', '\u0001', '\n', '\u2028', '\u007f', '"'),
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => agrees(`["${pieces.join('')}"]`)),
    { numRuns: 1_000 },
  );
});

test('threat 12: the reader refuses every damaged text that JSON.parse refuses', () => {
  const damage = fc.record({
    at: fc.nat(),
    remove: fc.nat({ max: 2 }),
    insert: fc.oneof(
      fc.constant(''),
      fc.constantFrom(
        ...'{}[]",:\\0123456789.-+eE tfnu/\'',
        '\u0000',
        '\ufeff',
        '\u00a0',
        'NaN',
        '__proto__',
      ),
      fc.string({ unit: 'binary', maxLength: 2 }),
    ),
  });
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), damage, (text, { at, remove, insert }) => {
      const start = at % (text.length + 1);
      agrees(text.slice(0, start) + insert + text.slice(start + remove));
    }),
    { numRuns: 3_000 },
  );
});

const numberText = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9][0-9]{0,30}$/)),
    fc.oneof(fc.constant(''), fc.stringMatching(/^\.[0-9]{1,30}$/)),
    fc.oneof(fc.constant(''), fc.stringMatching(/^[eE][+-]?[0-9]{1,4}$/)),
  )
  .map((parts) => parts.join(''));

test('threat 1: the original text of every top-level number is kept digit by digit', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(
        fc.tuple(
          fc.string({ unit: 'grapheme' }).filter((key) => key !== '__proto__'),
          numberText,
        ),
        { selector: ([key]) => key },
      ),
      fc.constantFrom('', ' ', '\n'),
      (members, space) => {
        const body = members.map(([key, text]) => `${JSON.stringify(key)}${space}:${space}${text}${space}`);
        const { value, numberTexts } = readJson(`{${space}${body.join(',')}}`);
        assert.deepEqual([...numberTexts], members);
        for (const [key, text] of members) assert.ok(Object.is((value as never)[key], Number(text)));
      },
    ),
  );
});

test('threat 1: the original text of other numbers is not kept', () => {
  const texts = (text: string) => [...readJson(text).numberTexts];
  assert.deepEqual(texts('{"a":{"amount":1},"b":[2],"amount":"3","c":4.50}'), [['c', '4.50']]);
  assert.deepEqual(texts('[{"amount":1},2]'), []);
  assert.deepEqual(texts('15000'), []);
  assert.deepEqual(texts('{"\\u0061mount":15000.00}'), [['amount', '15000.00']]);
});

test('threat 8: a duplicate key is refused at every level, even when it is written with escapes', () => {
  for (const text of [
    '{"a":1,"a":1}',
    '{"a":1,"b":2,"\\u0061":3}',
    '[{"x":{"":0,"":0}}]',
    '{"😀":1,"\\ud83d\\ude00":1}',
    '{"constructor":1,"constructor":1}',
  ]) {
    assert.throws(() => readJson(text), /duplicate key/, text);
  }
  assert.deepEqual(readJson('{"a":{"a":{"a":1}},"A":1}').value, { a: { a: { a: 1 } }, A: 1 });
});

test('threat 10: 32 levels of nesting are accepted and 33 are refused', () => {
  assert.ok(readJson(`${'['.repeat(32)}${']'.repeat(32)}`).value);
  assert.throws(() => readJson(`${'['.repeat(33)}${']'.repeat(33)}`), /nested deeper than 32/);
  assert.throws(() => readJson('{"a":'.repeat(1_000_000)), /nested deeper than 32/);
});

test('the message about a mistake names its line, its column and the usual cause', () => {
  const message = (text: string) => {
    const outcome = attempt(() => readJson(text));
    return 'error' in outcome ? (outcome.error as Error).message : 'no error';
  };
  for (const [text, expected] of [
    [`{"a":"${'x'.repeat(352)}",}`, 'invalid JSON at line 1, column 361 (trailing comma?)'],
    ['[1,\n 2,\n]', 'invalid JSON at line 3, column 1 (trailing comma?)'],
    ["{'a':1}", 'invalid JSON at line 1, column 2 (use straight double quotes ("))'],
    ['{\r\n  amount: 1}', 'invalid JSON at line 2, column 3 (key without double quotes?)'],
    ['{"a":1,"a":2}', 'invalid JSON at line 1, column 8 (duplicate key "a")'],
    ['{"a":"b\nc"}', 'invalid JSON at line 1, column 8 (unescaped line break in a string: write \\n)'],
    ['{"a":"\t"}', 'invalid JSON at line 1, column 7 (unescaped tab in a string: write \\t)'],
    ['"\u0001"', 'invalid JSON at line 1, column 2 (unescaped control character in a string: write \\u0001)'],
    [
      '"C:\\Users"',
      'invalid JSON at line 1, column 4 (unknown escape in a string: write \\\\ for a backslash)',
    ],
    ['\ufeff{}', 'invalid JSON at line 1, column 1 (byte order mark: send UTF-8 without it)'],
    ['{"a":15,000}', 'invalid JSON at line 1, column 9 (comma inside a number? Write 15000, not 15,000)'],
    ['{"a":015}', 'invalid JSON at line 1, column 7 (a number must not start with 0)'],
    ['{"a":1 "b":2}', 'invalid JSON at line 1, column 8 (missing comma or colon?)'],
    ['{"a":True}', 'invalid JSON at line 1, column 6 (write true, false or null)'],
    ['{"a":GTBank}', 'invalid JSON at line 1, column 6 (text without double quotes?)'],
    ['{"a":1} x', 'invalid JSON at line 1, column 9 (text after the end of the JSON?)'],
    ['{"a":1, // one', 'invalid JSON at line 1, column 9 (comments are not allowed)'],
    ['{"a":', 'invalid JSON at line 1, column 6 (the body ends too early)'],
    ['{"a":+1}', 'invalid JSON at line 1, column 6'],
    [
      `{"${'k'.repeat(60)}":1,"${'k'.repeat(60)}":2}`,
      `invalid JSON at line 1, column 67 (duplicate key "${'k'.repeat(40)}…")`,
    ],
  ] as const) {
    assert.equal(message(text), expected, text);
  }
});
