import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERASED, formatErasedHash, hideErasedHashes, isErased, isErasedHash } from '../values/erased.ts';
import {
  decideErasureTime,
  decideRetention,
  isSameName,
  makeErasureLimits,
  makeHashInput,
  makePersonAlias,
  SETTLE_DELAY_MS,
} from './person-query.ts';

const HASH = formatErasedHash(Uint8Array.from({ length: 32 }, (_, index) => index * 8));

test('different spellings of a number or of a name give the same hash input; any other text is hashed exactly as written', () => {
  assert.equal(makeHashInput('number', '012-345 6785'), makeHashInput('number', '0123456785'));
  assert.equal(makeHashInput('name', 'Mrs. Adaeze  Okafor'), makeHashInput('name', 'OKAFOR ADAEZE'));
  assert.notEqual(makeHashInput('name', 'Adaeze Okafor'), makeHashInput('name', 'Adaeze Okoro'));
  assert.notEqual(makeHashInput('name', 'MR'), makeHashInput('name', 'MRS'), 'a title alone is what it is');
  assert.notEqual(makeHashInput('text', 'a'), makeHashInput('text', 'A'));
  assert.notEqual(
    makeHashInput('text', '0123456785'),
    makeHashInput('number', '0123456785'),
    'kinds do not meet',
  );
  assert.ok(isSameName('Okáfor, Adaeze', 'ADAEZE OKAFOR'));
});

test('a hash has no digit after its prefix, and is replaced by one fixed text at any depth of a value', () => {
  assert.match(HASH, /^h1:[a-p]{64}$/);
  assert.ok(isErasedHash(HASH));
  assert.ok(!isErasedHash(`${HASH}1`) && !isErasedHash('h1:abc') && !isErasedHash(ERASED));
  assert.deepEqual(
    [isErased(ERASED), isErased(HASH), isErased(null), isErased('Ada')],
    [true, true, false, false],
  );
  assert.deepEqual(hideErasedHashes({ a: [HASH, 1, null], b: { c: HASH, d: 'Ada' } }), {
    ...{ a: [ERASED, 1, null], b: { c: ERASED, d: 'Ada' } },
  });
  assert.equal(hideErasedHashes(HASH), ERASED);
  assert.ok(!makePersonAlias(HASH).includes(HASH.slice(30)));
});

test('a retention is either open, without a limit, or until a time after the end', () => {
  const day = 86_400_000;
  const byLawMs = null;
  assert.deepEqual(decideRetention({ overSinceMs: null, keepMs: day, byLawMs }), { kind: 'open' });
  assert.deepEqual(decideRetention({ overSinceMs: 5, keepMs: null, byLawMs }), { kind: 'no_limit' });
  const until = { kind: 'until', atMs: day + 5 };
  assert.deepEqual(decideRetention({ overSinceMs: 5, keepMs: day, byLawMs }), until);
  const longer = { kind: 'until', atMs: 9 * day + 5 };
  assert.deepEqual(decideRetention({ overSinceMs: 5, keepMs: day, byLawMs: 9 * day }), longer);
});

test('a record that the law requires is erased only when the time of the law is over, and no setting makes it sooner', () => {
  const day = 86_400_000;
  const record = { overSinceMs: 5, isByLaw: true, settles: true };
  assert.equal(decideErasureTime(record, 9 * day), 9 * day + 6);
  assert.equal(decideErasureTime({ ...record, isByLaw: false }, 9 * day), SETTLE_DELAY_MS + 6);
  assert.equal(decideErasureTime({ ...record, isByLaw: false, settles: false }, 9 * day), 6);
  assert.equal(decideErasureTime({ ...record, overSinceMs: null }, day), null);
  assert.equal(decideErasureTime(record, 1), SETTLE_DELAY_MS + 6, 'a short time of the law shortens no wait');
  const limits = makeErasureLimits(20 * day, day, 9 * day);
  assert.deepEqual(limits, { nowMs: 20 * day, overBeforeMs: 19 * day, byLawOverBeforeMs: 11 * day });
  assert.equal(makeErasureLimits(20 * day, day, 1).byLawOverBeforeMs, 19 * day);
});
