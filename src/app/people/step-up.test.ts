// Tests step-ups. A step-up is bound to one subject and one session, is valid for five minutes, and allows only a few guesses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from '../../../test/http/store-fixtures.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { addTestPerson, makePeople, signIn, wrongCode } from '../../../test/support/people/people.ts';
import { STEP_UP_VALID_MS } from '../../domain/people/people-needed.ts';
import { hashRecoveryCode } from './accept-second-factor.ts';
import { TRY_LIMITS } from './lock-out.ts';
import type { PeopleDeps } from './people-deps.ts';
import { signInWithPassword } from './sign-in.ts';
import { findFreshStepUp, stepUp } from './step-up.ts';

const database = openTestDatabase(await freshDatabase(), 10, 60_000);
const LOCKED = { ok: false, error: { code: 'locked' } };
const WRONG = { ok: false, error: { code: 'wrong_factor' } };

async function stage() {
  const people = makePeople(database);
  const person = await addTestPerson(database, people);
  const { signedIn } = await signIn(people, person);
  const totp = () => ({ kind: 'totp', code: person.code(people.clock.nowMs) }) as const;
  const wrong = () => ({ kind: 'totp', code: wrongCode(person, people.clock.nowMs) }) as const;
  return { ...people, people, person, signedIn, totp, wrong };
}

test('threat 83: a step-up is valid only for its own subject and session, for five minutes', async () => {
  const { deps, clock, people, person, signedIn, totp } = await stage();
  const other = (await signIn(people, person)).signedIn;
  clock.nowMs += 30_000;
  const given = await stepUp(deps, signedIn, 'prp_1', totp());
  assert.ok(given.ok);
  assert.deepEqual(await findFreshStepUp(deps, signedIn, 'prp_1'), given.value);
  assert.equal(await findFreshStepUp(deps, signedIn, 'prp_2'), undefined, 'another subject');
  assert.equal(await findFreshStepUp(deps, other, 'prp_1'), undefined, 'another session');
  clock.nowMs += STEP_UP_VALID_MS;
  assert.ok(await findFreshStepUp(deps, signedIn, 'prp_1'));
  clock.nowMs += 1;
  assert.equal(await findFreshStepUp(deps, signedIn, 'prp_1'), undefined, 'too old');
});

test('threat 82: the code of the sign-in cannot be used for a step-up, and each code works for one step-up', async () => {
  const { deps, clock, signedIn, totp } = await stage();
  assert.deepEqual(await stepUp(deps, signedIn, 'prp_1', totp()), WRONG, 'it was used to sign in');
  clock.nowMs += 30_000;
  const outcomes = await Promise.all(
    ['prp_1', 'prp_2'].map((subject) => stepUp(deps, signedIn, subject, totp())),
  );
  assert.equal(outcomes.filter(({ ok }) => ok).length, 1);
});

test('threat 82: of 1,000 wrong codes at once for one subject five are checked, and the correct one after them is refused', async () => {
  const { deps: base, clock, signedIn, totp, wrong } = await stage();
  let judged = 0;
  const stepOf: PeopleDeps['totp']['stepOf'] = (...given) => {
    judged++;
    return base.totp.stepOf(...given);
  };
  const signInStore = { ...base.signIn, countTry: async () => null };
  const deps = { ...base, signIn: signInStore, totp: { ...base.totp, stepOf } };
  await Promise.all(Array.from({ length: 1_000 }, () => stepUp(deps, signedIn, 'prp_1', wrong())));
  assert.equal(judged, 5);
  clock.nowMs += 30_000;
  assert.deepEqual(await stepUp(deps, signedIn, 'prp_1', totp()), LOCKED);
  assert.ok((await stepUp(deps, signedIn, 'prp_2', totp())).ok, 'another subject has its own five');
});

test('threat 82: requests for other subjects do not bypass the limit of the session', async () => {
  const { deps, clock, signedIn, totp, wrong } = await stage();
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, (_, index) => stepUp(deps, signedIn, `prp_${index}`, wrong())),
  );
  const judged = outcomes.filter((each) => !each.ok && each.error.code === 'wrong_factor');
  assert.equal(judged.length, TRY_LIMITS.most);
  clock.nowMs += 30_000;
  assert.deepEqual(await stepUp(deps, signedIn, 'prp_other', totp()), LOCKED);
});

test('a correct step-up resets the count of wrong ones', async () => {
  const { deps, clock, signedIn, totp, wrong } = await stage();
  for (let round = 0; round < 4; round++) {
    for (let i = 0; i < 4; i++) assert.deepEqual(await stepUp(deps, signedIn, 'prp_1', wrong()), WRONG);
    clock.nowMs += 30_000;
    assert.ok((await stepUp(deps, signedIn, 'prp_1', totp())).ok);
  }
});

test('wrong step-ups count towards the lock of the account, but the lock does not stop step-ups in a live session', async () => {
  const { deps, clock, person, signedIn, totp, wrong } = await stage();
  for (let i = 0; i < 4; i++) await stepUp(deps, signedIn, 'prp_1', wrong());
  const guess = { email: person.email, password: 'a wrong password', device: null };
  let judged = 0;
  for (;;) {
    const outcome = await signInWithPassword(deps, guess);
    if (!outcome.ok && outcome.error.code === 'sign_in_locked') break;
    judged++;
  }
  assert.equal(judged, TRY_LIMITS.most - 4);
  clock.nowMs += 30_000;
  assert.ok((await stepUp(deps, signedIn, 'prp_1', totp())).ok);
});

test('a recovery code cannot be used for a step-up, and the attempt does not use it up', async () => {
  const { deps, clock, person, signedIn } = await stage();
  const code = 'abcd-efgh-jkmn-pqrs';
  const doing = { actor: person.id, atMs: clock.nowMs };
  await deps.signIn.setRecoveryCodes(person.id, [hashRecoveryCode(code)], doing);
  assert.deepEqual(await stepUp(deps, signedIn, 'prp_1', { kind: 'recovery_code', code }), WRONG);
  assert.equal((await deps.signIn.secondFactorsOf(person.id)).recoveryCodesLeft, 1);
});
