import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TooManyPasswordChecks } from '../../ports/people/credentials.ts';
import { makePasswords } from './passwords.ts';

/** One test uses the real cost. The other tests do not depend on the cost. */
const CHEAP = { memory: 8, passes: 1, parallelism: 1 };

test('only the right password matches its stored hash', async () => {
  const passwords = makePasswords();
  const stored = await passwords.hash('correct horse battery');
  assert.match(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  assert.equal(await passwords.verify('correct horse battery', stored), true);
  assert.equal(await passwords.verify('correct horse batterY', stored), false);
  assert.notEqual(await passwords.hash('correct horse battery'), stored);
});

test('the same characters in another Unicode normal form are the same password', async () => {
  const passwords = makePasswords(CHEAP);
  assert.equal(await passwords.verify('pa\u0301ss', await passwords.hash('p\u00e1ss')), true);
});

test('threat 82: without a stored password the check still runs, and fails', async () => {
  assert.equal(await makePasswords(CHEAP).verify('anything', null), false);
});

test('a stored hash in an unknown format is an error, not a wrong password', async () => {
  await assert.rejects(makePasswords(CHEAP).verify('x', 'plain'), /unknown form/);
});

test('threat 82: guesses beyond a limit are refused, and guesses within it are checked', async () => {
  const passwords = makePasswords(CHEAP);
  const stored = await passwords.hash('right');
  const guesses = await Promise.allSettled(
    Array.from({ length: 100 }, () => passwords.verify('wrong', stored)),
  );
  const refused = guesses.filter((one) => one.status === 'rejected');
  assert.ok(refused.length >= 30 && refused.length < 50, `${refused.length}`);
  assert.ok(refused.every(({ reason }) => reason instanceof TooManyPasswordChecks));
  assert.equal(await passwords.verify('right', stored), true, 'and later ones are judged again');
});

test('threat 82: a first check that is refused during a flood does not break later checks', async () => {
  const passwords = makePasswords(CHEAP);
  const flood = Array.from({ length: 100 }, () => passwords.hash('new'));
  const outcomes = await Promise.allSettled([...flood, passwords.verify('anything', null)]);
  assert.ok(outcomes.some(({ status }) => status === 'rejected'));
  assert.equal(await passwords.verify('anything', null), false);
});

test('a stored password keeps its cost when the cost of new passwords changes', async () => {
  const stored = await makePasswords(CHEAP).hash('right');
  assert.equal(await makePasswords({ ...CHEAP, memory: 16 }).verify('right', stored), true);
});
