// Tests the check of a body's shape: the body is an object, and all required fields are present with the right type. This check
// ignores the values.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Type } from 'typebox';
import { OfframpBody, OnrampBody, WalletBody } from '../reference/schemas.ts';
import { compileShapeCheck } from './shape-check.ts';

const check = compileShapeCheck(
  Type.Object({ name: Type.String(), amount: Type.Number(), note: Type.Optional(Type.String()) }) as never,
);
const codes = (body: unknown) => check(body).map(({ field, code }) => `${field}: ${code}`);

test('a body that is not an object is refused', () => {
  for (const body of [null, undefined, [], [{}], 'x', 1, true]) {
    assert.deepEqual(codes(body), [': invalid_body']);
  }
});

test('every field is checked, and all mistakes are reported together', () => {
  assert.deepEqual(codes({ name: '', amount: -1 }), []);
  assert.deepEqual(codes({}), ['name: required', 'amount: required']);
  assert.deepEqual(codes({ name: 1, amount: '1', note: {} }), [
    'name: wrong_type',
    'amount: amount_not_a_number',
    'note: wrong_type',
  ]);
  assert.deepEqual(codes({ name: null, amount: null }), ['name: wrong_type', 'amount: amount_not_a_number']);
  assert.deepEqual(codes({ name: 'x', amount: 1, other: Symbol.iterator }), []);
});

test('null for an optional field is removed before the handler sees it', () => {
  const body: Record<string, unknown> = { name: 'x', amount: 1, note: null };
  assert.deepEqual(codes(body), []);
  assert.deepEqual(body, { name: 'x', amount: 1 });
});

test('null reaches the handler if the schema of the field allows null', () => {
  const nullable = Type.Unsafe({ type: ['string', 'null'] });
  const clears = compileShapeCheck(Type.Object({ note: Type.Optional(nullable) }) as never);
  const body = { note: null };
  assert.deepEqual([clears(body), body], [[], { note: null }]);
  assert.deepEqual(clears({}), []);
  assert.equal(
    clears({ note: 1 })[0]!.message,
    'note must be a JSON string, in double quotes, not a number.',
  );
});

test('threat 5: a number in quotes gets a different message than other wrong types', () => {
  assert.match(check({ name: 'x', amount: '1' })[0]!.message, /without quotes/);
  assert.doesNotMatch(check({ name: 'x', amount: true })[0]!.message, /without quotes/);
});

test('threat 9: inherited properties do not count as fields', () => {
  const inherits = compileShapeCheck(
    Type.Object({ constructor: Type.String(), toString: Type.String() }) as never,
  );
  assert.deepEqual(
    inherits({}).map(({ code }) => code),
    ['required', 'required'],
  );
});

test('the check accepts a body only if every required member is there with the right type', () => {
  for (const schema of [OnrampBody, OfframpBody, WalletBody]) {
    const shape = compileShapeCheck(schema as never);
    const members = Object.entries<{ type: string }>(schema.properties as never);
    const value = fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.constant(null), fc.constant(undefined));
    const body = fc.record(Object.fromEntries(members.map(([name]) => [name, value])));
    fc.assert(
      fc.property(body, (given) => {
        const object: Record<string, unknown> = { ...given };
        const good = members.every(([name, { type }]) => {
          const required = (schema.required as string[]).includes(name);
          const each = given[name];
          if (each === undefined || each === null) return !required;
          return typeof each === type;
        });
        assert.equal(shape(object).length === 0, good);
      }),
    );
  }
});
