// Secret keys have enough randomness, a form that secret scanners find, and a checksum that detects a mistyped key without a
// database look-up.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  isWellFormedSecretKey,
  makeSecretKey,
  SECRET_KEY_RANDOM_BYTES,
  secretKeyHint,
} from './secret-keys.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const draw = () => crypto.getRandomValues(new Uint8Array(SECRET_KEY_RANDOM_BYTES));
const mode = fc.constantFrom('live' as const, 'test' as const);
const key = mode.map((each) => makeSecretKey(each, draw()));

test('a key has the documented form, contains its mode and passes its own check', () => {
  for (const each of ['live', 'test'] as const) {
    const made = makeSecretKey(each, draw());
    assert.match(made, new RegExp(`^sk_${each}_[0-9A-Za-z]{38}$`));
    assert.ok(isWellFormedSecretKey(made));
  }
});

test('threat 71: the 32 random characters are evenly distributed, and no two keys are equal', () => {
  const counts = new Map<string, number>();
  const seen = new Set<string>();
  for (let i = 0; i < 5_000; i++) {
    const made = makeSecretKey('test', draw());
    seen.add(made);
    for (const character of made.slice(8, 40)) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  assert.equal(seen.size, 5_000);
  assert.equal(counts.size, 62);
  const mean = (5_000 * 32) / 62;
  for (const [character, count] of counts) assert.ok(Math.abs(count - mean) < mean * 0.2, character);
});

test('random bytes that would favour some characters are skipped, and too few random bytes are an error', () => {
  const biased = Uint8Array.from([...Array(30).fill(255), ...Array(32).fill(0)]);
  assert.match(makeSecretKey('test', biased), /^sk_test_0{32}/);
  assert.throws(() => makeSecretKey('test', new Uint8Array(31)), /not enough randomness/);
  assert.throws(() => makeSecretKey('test', new Uint8Array(96).fill(250)), /not enough randomness/);
});

test('the checksum detects one wrong character at any position', () => {
  fc.assert(
    fc.property(key, fc.nat({ max: 45 }), fc.constantFrom(...ALPHABET), (made, at, character) => {
      fc.pre(made[at] !== character);
      assert.ok(!isWellFormedSecretKey(made.slice(0, at) + character + made.slice(at + 1)));
    }),
    { numRuns: 1_000 },
  );
});

test('the checksum detects two swapped characters, a missing character and an added character', () => {
  fc.assert(
    fc.property(key, fc.integer({ min: 8, max: 44 }), (made, at) => {
      const swapped = made.slice(0, at) + made[at + 1] + made[at] + made.slice(at + 2);
      if (swapped !== made) assert.ok(!isWellFormedSecretKey(swapped));
      assert.ok(!isWellFormedSecretKey(made.slice(0, at) + made.slice(at + 1)));
      assert.ok(!isWellFormedSecretKey(made.slice(0, at) + made[at] + made.slice(at)));
    }),
  );
});

test('the checksum covers the mode, and a text of any other form is not a key', () => {
  const made = makeSecretKey('test', draw());
  assert.ok(!isWellFormedSecretKey(made.replace('sk_test_', 'sk_live_')));
  for (const text of [
    '',
    'sk_test_',
    made.toLowerCase().toUpperCase(),
    ` ${made}`,
    `${made}\n`,
    made.slice(8),
  ]) {
    assert.ok(!isWellFormedSecretKey(text), text);
  }
});

test('threat 92: the part of a key that may be shown is its first twelve characters', () => {
  const made = makeSecretKey('live', draw());
  assert.equal(secretKeyHint(made), made.slice(0, 12));
  assert.match(secretKeyHint(made), /^sk_live_.{4}$/);
});
