// The strict reader against JSON.parse: the same values from the same texts, no text that JSON.parse refuses, and the
// digits of numbers as they were written.
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

/** Reads a text both ways: readJson may only differ by its own three rules. */
function agrees(text: string): void {
  const theirs = attempt(() => JSON.parse(text));
  const ours = attempt(() => readJson(text).value);
  if ('error' in ours) {
    assert.ok(ours.error instanceof JsonError, String(ours.error));
    if ('value' in theirs) assert.match(ours.error.message, /is there twice|__proto__|nested deeper/, text);
    return;
  }
  assert.ok('value' in theirs, `JSON.parse refuses ${text}`);
  assert.deepStrictEqual(ours.value, theirs.value);
}

test('threat 12: any JSON text has the value that JSON.parse gives it', () => {
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

test('threat 12: strings of any characters and escapes are read as JSON.parse reads them', () => {
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

test('threat 12: a text damaged anywhere is refused when JSON.parse refuses it', () => {
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

test('threat 1: the text of every top-level number is kept digit by digit', () => {
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

test('threat 1: numbers that are not direct members leave no text behind', () => {
  const texts = (text: string) => [...readJson(text).numberTexts];
  assert.deepEqual(texts('{"a":{"amount":1},"b":[2],"amount":"3","c":4.50}'), [['c', '4.50']]);
  assert.deepEqual(texts('[{"amount":1},2]'), []);
  assert.deepEqual(texts('15000'), []);
  assert.deepEqual(texts('{"\\u0061mount":15000.00}'), [['amount', '15000.00']]);
});

test('threat 8: a key twice is refused at every level, under any escape', () => {
  for (const text of [
    '{"a":1,"a":1}',
    '{"a":1,"b":2,"\\u0061":3}',
    '[{"x":{"":0,"":0}}]',
    '{"😀":1,"\\ud83d\\ude00":1}',
    '{"constructor":1,"constructor":1}',
  ]) {
    assert.throws(() => readJson(text), /is there twice/, text);
  }
  assert.deepEqual(readJson('{"a":{"a":{"a":1}},"A":1}').value, { a: { a: { a: 1 } }, A: 1 });
});

test('threat 10: 32 levels are read and 33 are not', () => {
  assert.ok(readJson(`${'['.repeat(32)}${']'.repeat(32)}`).value);
  assert.throws(() => readJson(`${'['.repeat(33)}${']'.repeat(33)}`), /nested deeper than 32/);
  assert.throws(() => readJson('{"a":'.repeat(1_000_000)), /nested deeper than 32/);
});
