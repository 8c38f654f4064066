// Threats 81 and 82 over HTTP: a pending sign-in gives no access, a sign-in makes an older cookie useless, and a password
// change ends every session. Sessions give no access to the routes of secret keys, and secret keys give no access to the routes
// of sessions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/service.ts';
import {
  addConsolePerson,
  type Browser,
  type ConsolePerson,
  type Credentials,
  consoleRoutes,
  giveCredentials,
  openBrowser,
  SESSION_COOKIE,
  signedIn,
  watchRoutes,
} from './browser.ts';
import { sampleOf } from './samples.ts';

watchRoutes();
const service = await startTestService({ TRUST_PROXY: 'loopback', PUBLIC_RATE_LIMIT_PER_SECOND: '100000' });
const business = service.business.businessId;

async function withPassword(browser: Browser, { email }: ConsolePerson, { password }: Credentials) {
  const answer = await browser.send('POST', '/console/v1/sign-in', { body: { email, password } });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.pending as string;
}

function withCode(browser: Browser, pending: string, code: string) {
  const body = { pending, factor: { kind: 'totp', code } };
  return browser.send('POST', '/console/v1/sign-in/second-factor', { body });
}

async function newOwner() {
  const person = await addConsolePerson(service, { operator: 'admin' }, { business, role: 'owner' });
  return { person, credentials: await giveCredentials(service, person) };
}

test('a password and a code open a session; the token is in the cookie and in no response body', async () => {
  const { person, credentials } = await newOwner();
  const browser = openBrowser(service);
  const pending = await withPassword(browser, person, credentials);
  assert.equal(browser.cookies.size, 0, 'no cookie before the second factor');
  const opened = await withCode(browser, pending, credentials.code());
  assert.equal(opened.status, 200, opened.text);
  const token = browser.cookies.get(SESSION_COOKIE)!;
  assert.ok(!opened.text.includes(token));
  browser.csrf = opened.body.csrf_token;
  const session = await browser.send('GET', '/console/v1/session');
  assert.equal(session.body.person.email, person.email);
  assert.equal(session.body.csrf_token, browser.csrf);
  assert.deepEqual(session.body.memberships[0].business_id, business);
  assert.equal((await browser.send('POST', '/console/v1/sign-out')).status, 200);
  assert.equal(browser.cookies.has(SESSION_COOKIE), false);
});

test('threat 82: a pending sign-in gives no access, no matter where its token is sent', async () => {
  const { person, credentials } = await newOwner();
  const pending = await withPassword(openBrowser(service), person, credentials);
  const { rows } = await service.foundation.database.query({
    text: 'select from sessions where person_id = $1',
    values: [person.id],
  });
  assert.equal(rows.length, 0);
  for (const route of consoleRoutes(service).filter(({ access }) => access !== 'public')) {
    const browser = openBrowser(service);
    browser.cookies.set(SESSION_COOKIE, pending);
    browser.csrf = pending;
    const { method, path, body } = sampleOf(route, { business_id: business });
    const answer = await browser.send(method, path, {
      body,
      headers: { authorization: `Bearer ${pending}` },
    });
    assert.equal(answer.body.code, 'not_signed_in', `${method} ${path}`);
  }
});

test('threat 82: a code is accepted once, and wrong codes end the pending sign-in', async () => {
  const { person, credentials } = await newOwner();
  const code = credentials.code();
  const first = openBrowser(service);
  assert.equal((await withCode(first, await withPassword(first, person, credentials), code)).status, 200);
  const second = openBrowser(service);
  const pending = await withPassword(second, person, credentials);
  assert.equal((await withCode(second, pending, code)).body.code, 'sign_in_failed');
  for (let i = 0; i < 4; i++) await withCode(second, pending, '000000');
  const late = await withCode(second, pending, credentials.code(1));
  assert.deepEqual([late.status, late.body.code], [401, 'sign_in_ended']);
  assert.equal(second.cookies.size, 0);
});

test('threat 81: a cookie from before the sign-in is not valid after it', async () => {
  const { person, credentials } = await newOwner();
  const browser = openBrowser(service);
  browser.cookies.set(SESSION_COOKIE, 'planted-by-another');
  const pending = await withPassword(browser, person, credentials);
  await withCode(browser, pending, credentials.code());
  const token = browser.cookies.get(SESSION_COOKIE);
  assert.ok(token !== undefined && token !== 'planted-by-another');
  const planted = openBrowser(service);
  planted.cookies.set(SESSION_COOKIE, 'planted-by-another');
  assert.equal((await planted.send('GET', '/console/v1/session')).status, 401);
});

test('threat 81: a password change ends every session, including the current one', async () => {
  const { person, credentials } = await newOwner();
  const [here, there] = [await signedIn(service, person), await signedIn(service, person)];
  const next = 'nine slow trams at noon';
  const wrong = { current: 'not the password', next };
  assert.equal(
    (await here.send('POST', '/console/v1/password', { body: wrong })).body.code,
    'wrong_password',
  );
  const body = { current: credentials.password, next };
  assert.equal((await here.send('POST', '/console/v1/password', { body })).status, 200);
  assert.equal(here.cookies.has(SESSION_COOKIE), false);
  assert.equal((await there.send('GET', '/console/v1/session')).status, 401);
  const again = openBrowser(service);
  const pending = await withPassword(again, person, { ...credentials, password: next });
  assert.equal((await withCode(again, pending, credentials.code())).status, 200);
});

test('signing out everywhere ends only the sessions of that person', async () => {
  const [one, other] = [await addConsolePerson(service), await addConsolePerson(service)];
  const [here, there, stranger] = [
    await signedIn(service, one),
    await signedIn(service, one),
    await signedIn(service, other),
  ];
  const theirs = (await stranger.send('GET', '/console/v1/sessions')).body.sessions[0].session_id;
  assert.equal((await here.send('DELETE', `/console/v1/sessions/${theirs}`)).status, 404);
  assert.equal((await here.send('POST', '/console/v1/sign-out-everywhere')).body.ended, 2);
  assert.equal((await there.send('GET', '/console/v1/session')).status, 401);
  assert.equal((await stranger.send('GET', '/console/v1/session')).status, 200);
});

test('a secret key gives no access to console routes, and a session gives no access to API routes', async () => {
  const key = { 'svc-sec-key': service.business.liveKey };
  for (const route of consoleRoutes(service).filter(({ access }) => access !== 'public')) {
    const { method, path, body } = sampleOf(route, { business_id: business });
    const answer = await openBrowser(service).send(method, path, { body, headers: key });
    assert.equal(answer.body.code, 'not_signed_in', path);
  }
  const { person } = await newOwner();
  const browser = await signedIn(service, person);
  for (const path of ['/transactions/v1', '/transactions/v1/vendors', '/rates/v1/usdc-ngnc'])
    assert.deepEqual((await browser.send('GET', path)).body.code, 'unauthorized', path);
});

test('sign-in attempts per client address are limited, and another address is not affected', async () => {
  const browser = openBrowser(service);
  const body = { pending: 'none', factor: { kind: 'totp', code: '000000' } };
  const statuses: number[] = [];
  for (let i = 0; i < 40; i++) {
    const answer = await browser.send('POST', '/console/v1/sign-in/second-factor', { body });
    statuses.push(answer.status);
    if (answer.status === 429) assert.ok(Number(answer.headers.get('retry-after')) > 0);
  }
  assert.equal(statuses.at(-1), 429);
  const other = await openBrowser(service).send('POST', '/console/v1/sign-in/second-factor', { body });
  assert.equal(other.status, 401);
});
