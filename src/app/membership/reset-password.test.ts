// Tests new passwords by mail on a real database: the service behaves in the same way for every address, a link works once, and
// no path avoids the second factor.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { membershipStage, PASSWORD } from '../../../test/support/stages/membership.ts';
import type { Result } from '../../domain/values/result.ts';
import { beginFirstTotp } from '../people/enrol-first-factor.ts';
import { openPendingSignInByMail } from '../people/open-session.ts';
import { hashToken } from '../people/people-deps.ts';
import {
  answerResetRequests,
  RESET_LINK_MS,
  requestPasswordReset,
  setNewPassword,
} from './reset-password.ts';

const { deps, database, pass, person, tokenFor, count, logged } = await membershipStage();
const codeOf = (result: Result<unknown, { readonly code: string }>) => (result.ok ? 'ok' : result.error.code);
const reset = (token: string, password = PASSWORD) => setNewPassword(deps, { token, password });

async function asked(email: string): Promise<string> {
  pass(61_000);
  await requestPasswordReset(deps, email);
  await answerResetRequests(deps);
  return tokenFor(email);
}

test('threat 82: a request does the same for every address: it stores one row, and a worker does the rest later', async () => {
  const known = await person();
  const disabled = await person();
  await deps.people.setDisabled(disabled.id, true, { actor: 'os:test', atMs: deps.clock.now() });
  const mails = async () => (await deps.mails.list(100)).length;
  const before = await mails();
  for (const email of [known.email, 'unknown@example.com', disabled.email, 'no address at all'])
    assert.equal(await requestPasswordReset(deps, email), undefined);
  assert.equal((await deps.resets.listAsks(10)).length, 4);
  assert.equal(await mails(), before);
  assert.equal(await answerResetRequests(deps), 1);
  assert.equal(await mails(), before + 1);
  assert.deepEqual(await deps.resets.listAsks(10), []);
  assert.equal(await tokenFor(disabled.email), '');
  assert.deepEqual((await logged('password_reset_made')).length, 1);
});

test('threat 81: a new password ends all sessions and pending sign-ins, and the second factor is still needed', async () => {
  const { id, email } = await person();
  await database.query({
    text: `with t as (insert into totp_secrets (person_id, sealed, fingerprint, confirmed_at) values ($1, 's', $1, now()))
      insert into sessions (id, person_id, token_hash, rotated_at, surface, address, user_agent, created_at, seen_at, expires_at)
      values ($1, $1, $1, now(), 'browser', '', '', now(), now(), now() + interval '1 hour')`,
    values: [id],
  });
  const token = await asked(email);
  await deps.signIn.rememberDevice('device', id, deps.clock.now());
  const old = await openPendingSignInByMail(deps, id);
  const set = await reset(token);
  assert.ok(set.ok);
  assert.equal(await deps.signIn.pending(hashToken(old!), deps.clock.now()), undefined);
  assert.equal(codeOf(await beginFirstTotp(deps, set.value.pending)), 'has_second_factor');
  const { rows } = await database.query({
    text: 'select from sessions where person_id = $1 and ended_at is null',
    values: [id],
  });
  assert.equal(rows.length, 0);
  assert.equal(await count('known_devices', id), 0);
  assert.equal(await count('totp_secrets', id), 1);
  const { stored } = (await deps.signIn.passwordOf(email))!;
  assert.equal(await deps.passwords.verify(PASSWORD, stored), true);
  const sent = (await deps.mails.list(100)).filter(({ recipient }) => recipient === email);
  assert.deepEqual(sent.map(({ subject }) => subject).sort(), [
    'Set a new password',
    'Your password was changed',
  ]);
});

test('a token works once and for one hour, and a newer token invalidates the older one; only its hash is stored', async () => {
  const { email } = await person();
  const first = await asked(email);
  const second = await asked(email);
  assert.equal(codeOf(await reset(first)), 'reset_ended');
  const { rows } = await database.query<{ all: string }>({
    text: 'select json_agg(r)::text as all from password_resets r',
  });
  assert.ok(!rows[0]!.all.includes(second) && rows[0]!.all.includes(hashToken(second)));
  const results = await Promise.all(Array.from({ length: 4 }, () => reset(second)));
  assert.equal(results.filter(({ ok }) => ok).length, 1);
  assert.equal(codeOf(await reset(second)), 'reset_ended');
  const late = await asked(email);
  pass(RESET_LINK_MS);
  assert.equal(codeOf(await reset(late)), 'reset_ended');
  assert.equal(codeOf(await reset('')), 'reset_ended');
});

test('a weak password is refused and the link still works; a disabled person cannot use their link', async () => {
  const { id, email } = await person();
  const token = await asked(email);
  assert.equal(codeOf(await reset(token, 'short')), 'weak_password');
  assert.equal(codeOf(await reset(token, email)), 'weak_password');
  const doing = { actor: 'os:test', atMs: deps.clock.now() };
  await deps.people.setDisabled(id, true, doing);
  assert.equal(codeOf(await reset(token)), 'reset_ended');
  await deps.people.setDisabled(id, false, doing);
  assert.equal(codeOf(await reset(token)), 'ok');
});

test('an address gets at most one mail a minute, no matter how often a reset is requested', async () => {
  const { email } = await person();
  const token = await asked(email);
  for (let time = 0; time < 5; time++) {
    await requestPasswordReset(deps, email);
    await answerResetRequests(deps);
  }
  assert.equal(await tokenFor(email), token);
  const two = await person();
  await requestPasswordReset(deps, two.email);
  const answered = await Promise.all([
    answerResetRequests(deps),
    answerResetRequests(deps),
    answerResetRequests(deps),
  ]);
  assert.equal(
    answered.reduce((sum, each) => sum + each),
    1,
    'several workers at once make one',
  );
});
