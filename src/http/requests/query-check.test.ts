// Tests the check of queries: a query may contain only documented parameters, and each parameter only as often as its schema
// allows.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Type } from 'typebox';
import { compileQueryCheck } from './query-check.ts';

const check = compileQueryCheck(
  Type.Object({
    type: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
    reference: Type.Optional(Type.String()),
    created_from: Type.Optional(Type.String()),
    created_to: Type.Optional(Type.String()),
    limit: Type.Optional(Type.Integer()),
  }) as never,
);
const messages = (query: object) => check(query)?.errors.map(({ message }) => message) ?? [];

test('documented parameters are accepted, whatever their values are', () => {
  for (const query of [{}, { limit: 'x' }, { type: ['a', 'b'], reference: '' }, { '': '' }]) {
    assert.equal(check(query), undefined);
  }
});

test('an unknown parameter is refused with the nearest known name, or with all names', () => {
  for (const [name, end] of [
    ['ref', 'Did you mean reference?'],
    ['refrence', 'Did you mean reference?'],
    ['createdFrom', 'Did you mean created_from?'],
    ['LIMIT', 'Did you mean limit?'],
    ['created', 'Did you mean created_to?'],
    ['exception', 'Use type, reference, created_from, created_to, limit.'],
    ['constructor', 'Use type, reference, created_from, created_to, limit.'],
    ['l', 'Use type, reference, created_from, created_to, limit.'],
  ] as const) {
    assert.deepEqual(messages({ [name]: '1' }), [`There is no query parameter ${name} here. ${end}`]);
  }
  const refused = check({ ref: '1', limit: '2', other: '3' })!;
  assert.deepEqual(
    [refused.code, refused.errors.map(({ field }) => field)],
    ['filter_invalid', ['ref', 'other']],
  );
});

test('a repeated parameter is refused when only one is allowed', () => {
  assert.deepEqual(messages({ limit: ['1', '2'] }), ['limit appears more than once. Send it once.']);
});

test('threat 66: a key in the query is refused, and the refusal does not repeat it', () => {
  for (const query of [
    { sk_live_AbC123: '' },
    { 'svc-sec-key': 'v4lue' },
    { key: 'v4lue' },
    { api_key: 'v4lue' },
  ]) {
    const refused = JSON.stringify(check(query));
    assert.match(refused, /Send the key in its header/);
    assert.doesNotMatch(refused, /AbC123|v4lue/);
  }
});

test('the error about a query is short and never contains a value of the query', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string({ maxLength: 200, unit: 'binary' }), fc.constant('v4lue-of-it')),
      (query) => {
        const refused = check(query);
        const text = JSON.stringify(refused) ?? '';
        assert.ok(text.length < 5_000 && !text.includes('v4lue-of-it'));
        for (const { message } of refused?.errors ?? []) assert.doesNotMatch(message, /[\p{Cc}]/u);
      },
    ),
  );
});
