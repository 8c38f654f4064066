// Tests that no secret reaches the log: passwords, codes, recovery codes, issued keys, and the tokens of sessions, links and
// CSRF. It also tests the whole path of a business. The business signs up and is approved, and its owner is invited, sets up a
// second factor and issues the first key.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { startTestService } from '../../support/service.ts';
import { addConsolePerson, openBrowser, SESSION_COOKIE, signedIn } from './browser.ts';

const service = await startTestService({ TRUST_PROXY: 'loopback', LOG_LEVEL: 'trace' });

async function linkFor(email: string): Promise<string> {
  const mails = await service.foundation.membership.mails.list(50);
  const body = mails.find(({ recipient }) => recipient === email)?.body ?? '';
  return /#token=([\w-]+)/.exec(body)![1]!;
}

test('from the sign-up to a first key, no secret is written to the log', async () => {
  const email = 'ada@marker.example';
  const password = 'marker words for a password';
  const visitor = openBrowser(service);
  const given = { business_name: 'Marker', link_tag: 'marker', email };
  const signUp = await visitor.send('POST', '/console/v1/sign-ups', { body: given });
  assert.deepEqual([signUp.status, signUp.body.state], [200, 'waiting'], signUp.text);
  const admin = await signedIn(service, await addConsolePerson(service, { operator: 'admin' }));
  const at = `/console/v1/operator/sign-ups/${signUp.body.sign_up_id}`;
  const approved = await admin.send('POST', `${at}/approve`);
  assert.equal(approved.status, 200, approved.text);
  assert.equal((await admin.send('POST', `${at}/decline`)).body.code, 'not_waiting');

  const token = await linkFor(email);
  const read = await visitor.send('POST', '/console/v1/invitations/read', { body: { token } });
  assert.deepEqual([read.body.email, read.body.role, read.body.known], [email, 'owner', false]);
  const accept = { token, name: 'Ada', password };
  const accepted = await visitor.send('POST', '/console/v1/invitations/accept', { body: accept });
  assert.equal(accepted.status, 200, accepted.text);
  const { pending } = accepted.body;
  const begun = await visitor.send('POST', '/console/v1/sign-in/totp', { body: { pending } });
  const code = new TOTP({ secret: Secret.fromBase32(begun.body.secret) }).generate();
  const confirmed = await visitor.send('POST', '/console/v1/sign-in/totp/confirm', {
    body: { pending, code },
  });
  assert.equal(confirmed.status, 200, confirmed.text);
  visitor.csrf = confirmed.body.csrf_token;
  const businessPath = `/console/v1/businesses/${approved.body.business_id}`;
  const key = await visitor.send('POST', `${businessPath}/keys`, { body: { mode: 'test' } });
  assert.match(key.body.secret_key, /^sk_test_/);
  const keys = await visitor.send('GET', `${businessPath}/keys`);
  assert.ok(!keys.text.includes(key.body.secret_key), 'a key is shown once');

  const log = service.logged();
  assert.ok(log.includes('/console/v1/sign-ups'), 'the answers are logged');
  const secrets = [
    ...[password, token, pending, begun.body.secret, key.body.secret_key, confirmed.body.csrf_token],
    ...confirmed.body.recovery_codes,
    visitor.cookies.get(SESSION_COOKIE)!,
    visitor.cookies.get('__Host-sliproad-device')!,
  ];
  for (const secret of secrets) assert.ok(secret.length > 8 && !log.includes(secret));
  const used = await openBrowser(service).send('POST', '/console/v1/invitations/accept', { body: accept });
  assert.deepEqual([used.status, used.body.code], [410, 'invitation_ended']);
});

test('mails can be read only in the sandbox', async () => {
  const admin = await signedIn(service, await addConsolePerson(service, { operator: 'admin' }));
  const answer = await admin.send('GET', '/console/v1/operator/mails');
  assert.deepEqual([answer.status, answer.body.code], [404, 'not_found']);
});
