// Tests reading a value by its schema. Defaults are filled in, every mistake is reported with its path, and no message contains
// a value.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TSchema, Type } from 'typebox';
import { SettingsError, SettingsProblems } from './settings-problems.ts';
import {
  enumSchema,
  integerSchema,
  nullableSchema,
  objectSchema,
  parseSettings,
  readBySchema,
  textSchema,
  withRule,
} from './settings-reader.ts';

const SCHEMA = objectSchema({
  name: withRule(
    textSchema(/^[a-z]+$/, 'a name'),
    (name) => name !== 'taken',
    () => 'must not be "taken"',
  ),
  mode: enumSchema(['live', 'test'], 'live'),
  limit: nullableSchema(integerSchema(1, 9), 'a whole number from 1 to 9, or null'),
  inner: objectSchema({ size: integerSchema(0, 5, 3) }, true),
  words: nullableSchema(
    Type.Array(textSchema(/^\w+$/, 'a word'), { minItems: 1 }),
    'a list of words, or null',
    null,
  ),
  note: Type.Optional(textSchema(/./, 'a text')),
});

function mistakes(value: unknown, schema: TSchema = SCHEMA): readonly string[] {
  const problems = new SettingsProblems();
  assert.equal(readBySchema(schema, value, problems), undefined);
  assert.ok(!problems.found.join().includes('SECRET'));
  return problems.found;
}

test('an omitted field gets its default, even inside an omitted object', () => {
  assert.deepEqual(readBySchema(SCHEMA, { name: 'a', limit: null }, new SettingsProblems()), {
    ...{ name: 'a', mode: 'live', limit: null, inner: { size: 3 }, words: null },
  });
});

test('every mistake is reported: unknown fields first, then the others in the order of the schema', () => {
  assert.deepEqual(
    mistakes({ mod: 1, mode: 'lives', limit: 10, inner: { size: '1' }, words: ['a', 'SECRET!'] }),
    [
      'mod is not a known field. Did you mean "mode"? Known fields: name, mode, limit, inner, words, note.',
      'name is missing: it must be a name.',
      'mode must be one of "live", "test". Did you mean "live"?',
      'limit must be a whole number from 1 to 9, or null.',
      'inner.size must be a whole number from 0 to 5, without quotes.',
      'words[1] must be a word.',
    ],
  );
});

test('a rule reports its own message, but only if the format is valid', () => {
  assert.deepEqual(mistakes({ name: 'taken', limit: 1 }), ['name must not be "taken".']);
  assert.deepEqual(mistakes({ name: 'SECRET', limit: 1 }), ['name must be a name.']);
});

test('if a required object is missing, each of its required fields is reported', () => {
  const account = objectSchema({
    code: textSchema(/^\d+$/, 'digits'),
    size: integerSchema(0, 5, 3),
    note: nullableSchema(textSchema(/./, 'a text'), 'a text, or null'),
  });
  assert.deepEqual(mistakes({}, objectSchema({ account })), [
    'account.code is missing: it must be digits.',
    'account.note is missing: it must be a text, or null.',
  ]);
  assert.deepEqual(mistakes({}, objectSchema({ empty: objectSchema({ size: integerSchema(0, 5, 3) }) })), [
    'empty is missing: it must be an object { … }.',
  ]);
});

test('reports values that are not objects, ignores inherited names, and does not show unsafe field names', () => {
  assert.deepEqual(mistakes([]), ['The whole file must be an object { … }.']);
  assert.deepEqual(mistakes({}, objectSchema({ toString: textSchema(/./, 'a text') })), [
    'toString is missing: it must be a text.',
  ]);
  assert.deepEqual(mistakes({ 'SECRET name': 1 }, objectSchema({})), [
    'The whole file has a field whose name cannot be shown: it is not a known field. Known fields: .',
  ]);
});

test('every line of the error begins with the file name, and the error about invalid JSON contains no part of the file', () => {
  const parse = (content: string) =>
    parseSettings('The file x', content, (json, at) =>
      readBySchema(objectSchema({ a: integerSchema(1, 2), b: integerSchema(1, 2) }), json, at),
    );
  assert.deepEqual(parse('{"a":1,"b":2}'), { a: 1, b: 2 });
  for (const [content, message] of [
    ['{"a":0,"b":3}', /^The file x: a must be .*\nThe file x: b must be .*$/],
    ['{"a":1,\n"a":2}', /^The file x: The field on line 2 repeats an earlier one\. Remove one of the two\.$/],
    ['{SECRET', /^The file x: The file is not valid JSON(?: \(line 1 column \d+\))?\.$/],
  ] as const)
    assert.throws(
      () => parse(content),
      (error) => error instanceof SettingsError && message.test(error.message),
    );
});
