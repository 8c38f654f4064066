import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERASED, hashedForm, isErased, isHashed, withoutHashes } from '../values/erased.ts';
import { hashedText, isSameName, keptUntil, personName } from './person.ts';

const HASH = hashedForm(Uint8Array.from({ length: 32 }, (_, index) => index * 8));

test('a number and a name have one form however they are written, and a text only its own', () => {
  assert.equal(hashedText('number', '012-345 6785'), hashedText('number', '0123456785'));
  assert.equal(hashedText('name', 'Mrs. Adaeze  Okafor'), hashedText('name', 'OKAFOR ADAEZE'));
  assert.notEqual(hashedText('name', 'Adaeze Okafor'), hashedText('name', 'Adaeze Okoro'));
  assert.notEqual(hashedText('name', 'MR'), hashedText('name', 'MRS'), 'a title alone is what it is');
  assert.notEqual(hashedText('text', 'a'), hashedText('text', 'A'));
  assert.notEqual(hashedText('text', '0123456785'), hashedText('number', '0123456785'), 'kinds do not meet');
  assert.ok(isSameName('Okáfor, Adaeze', 'ADAEZE OKAFOR'));
});

test('a hash has no digit after its mark, and is shown as one fixed text however deep it stands', () => {
  assert.match(HASH, /^h1:[a-p]{64}$/);
  assert.ok(isHashed(HASH));
  assert.ok(!isHashed(`${HASH}1`) && !isHashed('h1:abc') && !isHashed(ERASED));
  assert.deepEqual(
    [isErased(ERASED), isErased(HASH), isErased(null), isErased('Ada')],
    [true, true, false, false],
  );
  assert.deepEqual(withoutHashes({ a: [HASH, 1, null], b: { c: HASH, d: 'Ada' } }), {
    ...{ a: [ERASED, 1, null], b: { c: ERASED, d: 'Ada' } },
  });
  assert.equal(withoutHashes(HASH), ERASED);
  assert.ok(!personName(HASH).includes(HASH.slice(30)));
});

test('how long a row is kept: while it is open, without a limit, or from its end on', () => {
  const day = 86_400_000;
  assert.deepEqual(keptUntil({ overSinceMs: null, keepMs: day }), { kind: 'open' });
  assert.deepEqual(keptUntil({ overSinceMs: 5, keepMs: null }), { kind: 'no_limit' });
  assert.deepEqual(keptUntil({ overSinceMs: 5, keepMs: day }), { kind: 'until', atMs: day + 5 });
});
