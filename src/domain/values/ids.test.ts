// Tests identifiers: they are unique and opaque, and they sort by time as text, so that a time range is a range of ids.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ID_RANDOM_BYTES, idBody, idTimeMs, isId, makeId } from './ids.ts';

const time = fc.nat({ max: 253_402_300_799_999 });
const random = fc.uint8Array({ minLength: ID_RANDOM_BYTES, maxLength: ID_RANDOM_BYTES });

test('an earlier id sorts before a later one, whatever the random part is', () => {
  fc.assert(
    fc.property(time, time, random, random, (a, b, r1, r2) => {
      fc.pre(a !== b);
      const [first, second] = [makeId('txn', a, r1), makeId('txn', b, r2)];
      assert.equal(first < second, a < b);
      assert.equal(Buffer.compare(Buffer.from(first), Buffer.from(second)) < 0, a < b);
    }),
  );
});

test('different times or random parts give different ids', () => {
  fc.assert(
    fc.property(time, time, random, random, (a, b, r1, r2) => {
      const same = a === b && Buffer.compare(r1, r2) === 0;
      assert.equal(makeId('txn', a, r1) === makeId('txn', b, r2), same);
    }),
  );
  const seen = new Set<string>();
  for (let i = 0; i < 10_000; i++) seen.add(makeId('txn', 1, crypto.getRandomValues(new Uint8Array(10))));
  assert.equal(seen.size, 10_000);
});

test('each of the 80 random bits changes the id', () => {
  const base = new Uint8Array(10);
  const seen = new Set([makeId('txn', 0, base)]);
  for (let bit = 0; bit < 80; bit++) {
    const flipped = Uint8Array.from(base);
    flipped[bit >> 3]! ^= 1 << (bit & 7);
    seen.add(makeId('txn', 0, flipped));
  }
  assert.equal(seen.size, 81);
  assert.equal(makeId('txn', 0, new Uint8Array(10).fill(255)), `txn_${'0'.repeat(10)}${'z'.repeat(16)}`);
});

test('an id contains its creation time', () => {
  fc.assert(
    fc.property(time, random, (at, bytes) => {
      const id = makeId('txn', at, bytes);
      assert.equal(idTimeMs(id), at);
    }),
  );
});

test('an id has a fixed form and is valid only with its own prefix', () => {
  fc.assert(
    fc.property(time, random, (at, bytes) => {
      const id = makeId('txn', at, bytes);
      assert.match(id, /^txn_[0-9a-hjkmnp-tv-z]{26}$/);
      assert.ok(isId('txn', id) && !isId('biz', id));
      assert.equal(`txn_${idBody(id)}`, id);
    }),
  );
  const body = '0'.repeat(26);
  for (const text of [
    '',
    'txn_',
    `txn-${body}`,
    `TXN_${body}`,
    `txn_${body}0`,
    `txn_${'0'.repeat(25)}`,
    `txn_${'0'.repeat(25)}I`,
    `txn_${'0'.repeat(25)}i`,
    `txn_${'0'.repeat(25)}u`,
    `txn_${body}\n`,
    `txn_${'0'.repeat(25)}\u0000`,
    ` txn_${body}`,
  ]) {
    assert.ok(!isId('txn', text), JSON.stringify(text));
  }
});
