// Tests signing in over HTTP through an identity provider that uses OpenID Connect. It covers the complete sign-in to a
// session. It also covers another browser, a second return, an unreachable provider, and a page that loads the redirect as a
// subresource.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, test } from 'node:test';
import { PROBLEMS } from '../../../dashboard/src/pages/sign-in/sign-in/problems.ts';
import { PROVIDER_PROBLEMS } from '../../../src/http/console/routes/people/provider.ts';
import { vouched } from '../../support/openid/people.ts';
import { startOpenIdProvider } from '../../support/openid/provider.ts';
import { startTestService } from '../../support/service.ts';
import { addConsolePerson, type Browser, giveCredentials, openBrowser, SESSION_COOKIE } from './browser.ts';

const START = '/console/v1/provider/start';
const RETURN = '/console/v1/provider/return';
const ATTEMPT_COOKIE = '__Host-sliproad-provider';
const PUBLIC = 'http://127.0.0.1:4000';

const remote = await startOpenIdProvider({ user: { sub: 'none' }, redirectUri: PUBLIC + RETURN });
const directory = await mkdtemp(path.join(tmpdir(), 'sliproad-provider-'));
const secretFile = path.join(directory, 'client-secret');
await writeFile(secretFile, `${remote.client.secret}\n`, { mode: 0o600 });
const service = await startTestService({
  TRUST_PROXY: 'loopback',
  OIDC_ISSUER: remote.issuer,
  OIDC_CLIENT_ID: remote.client.id,
  OIDC_CLIENT_SECRET_FILE: secretFile,
});
after(async () => {
  await remote.stop();
  await rm(directory, { recursive: true });
});
afterEach(() => {
  remote.outages = {};
  remote.lies = {};
});

async function newOperator() {
  const person = await addConsolePerson(service, { operator: 'reviewer' });
  const credentials = await giveCredentials(service, person);
  remote.user = vouched(person);
  return { person, credentials };
}

/** Goes to the provider and returns the URL to which the provider redirects back. The test has not opened that URL yet. */
async function leave(browser: Browser): Promise<string> {
  const started = await browser.send('GET', START);
  assert.equal(started.status, 302, started.text);
  const { pathname, search } = await remote.visit(started.headers.get('location')!);
  return pathname + search;
}

async function arrive(browser: Browser, back: string): Promise<URLSearchParams> {
  const { status, headers, text } = await browser.send('GET', back);
  assert.equal(status, 303, text);
  assert.equal(headers.get('referrer-policy'), 'no-referrer');
  assert.equal(headers.get('cache-control'), 'no-store');
  const location = headers.get('location')!;
  assert.ok(location.startsWith('/app/sign-in#'), location);
  return new URLSearchParams(location.split('#')[1]);
}

async function count(table: string): Promise<number> {
  const text = `select count(*)::int as count from ${table}`;
  return (await service.foundation.database.query<{ count: number }>({ text })).rows[0]!.count;
}

const counts = () =>
  Promise.all(['provider_attempts', 'provided_identities', 'sign_ins', 'sessions'].map(count));

test('threat 82: the sign-in through the provider leads to the second factor, and the second factor to a session', async () => {
  const { person, credentials } = await newOperator();
  const browser = openBrowser(service);
  const options = await browser.send('GET', '/console/v1/sign-in/options');
  assert.equal(options.body.provider_url, PUBLIC + START, options.text);
  const back = await leave(browser);
  const key = browser.cookies.get(ATTEMPT_COOKIE)!;
  const given = await arrive(browser, back);
  assert.deepEqual([...given.keys()], ['pending']);
  assert.deepEqual([...browser.cookies], [], 'the attempt is cleared, and nothing is opened');
  const pending = given.get('pending')!;
  const body = { pending, factor: { kind: 'totp', code: credentials.code() } };
  const opened = await browser.send('POST', '/console/v1/sign-in/second-factor', { body });
  assert.equal(opened.status, 200, opened.text);
  const session = await browser.send('GET', '/console/v1/session');
  assert.equal(session.body.person.person_id, person.id);

  const log = service.logged();
  assert.ok(log.includes(`"path":"${RETURN}"`), 'the answers are logged');
  const { searchParams } = new URL(back, PUBLIC);
  const secrets = [
    ...[key, pending, searchParams.get('code')!, searchParams.get('state')!, remote.client.secret],
    ...[browser.cookies.get(SESSION_COOKIE)!, ...remote.secrets],
  ];
  for (const secret of secrets) assert.ok(secret.length > 8 && !log.includes(secret));
});

test('the cookie of the attempt is for this host only, secure, HttpOnly, valid for ten minutes, and Lax for the redirect back', async () => {
  await newOperator();
  const browser = openBrowser(service);
  await arrive(browser, await leave(browser));
  const [kept, cleared] = browser.setCookies;
  const attributes = 'Path=/; Secure; HttpOnly; SameSite=Lax';
  assert.match(kept!, new RegExp(`^${ATTEMPT_COOKIE}=[\\w-]{43,}; Max-Age=600; ${attributes}$`));
  assert.equal(cleared, `${ATTEMPT_COOKIE}=; Max-Age=0; ${attributes}`);
});

test('threat 80: another browser cannot finish an attempt that this one started, and this one still can', async () => {
  await newOperator();
  const browser = openBrowser(service);
  const back = await leave(browser);
  const before = await counts();
  const stranger = openBrowser(service);
  assert.equal((await arrive(stranger, back)).get('problem'), 'attempt_ended');
  assert.deepEqual(await counts(), before);
  // The other browser has its own sign-in attempt now, so this state belongs to a different attempt.
  await leave(stranger);
  assert.equal((await arrive(stranger, back)).get('problem'), 'sign_in_failed');
  assert.ok((await arrive(browser, back)).has('pending'));
});

test('threat 81: a response of the provider can be used once', async () => {
  await newOperator();
  const browser = openBrowser(service);
  const back = await leave(browser);
  const key = browser.cookies.get(ATTEMPT_COOKIE)!;
  assert.ok((await arrive(browser, back)).has('pending'));
  assert.equal((await arrive(browser, back)).get('problem'), 'attempt_ended');
  browser.cookies.set(ATTEMPT_COOKIE, key);
  const before = await counts();
  assert.equal((await arrive(browser, back)).get('problem'), 'attempt_ended');
  assert.deepEqual(await counts(), before);
  assert.equal(browser.cookies.has(ATTEMPT_COOKIE), false);
});

test('a person who cancels, is not an operator, or has no second factor gets no pending sign-in', async () => {
  const browser = openBrowser(service);
  await newOperator();
  remote.lies = { responseError: 'access_denied' };
  assert.equal((await arrive(browser, await leave(browser))).get('problem'), 'sign_in_failed');
  remote.lies = {};
  const member = await addConsolePerson(service, { business: service.business.businessId, role: 'owner' });
  await giveCredentials(service, member);
  remote.user = vouched(member);
  assert.equal((await arrive(browser, await leave(browser))).get('problem'), 'sign_in_failed');
  remote.user = vouched(await addConsolePerson(service, { operator: 'reviewer' }));
  assert.equal((await arrive(browser, await leave(browser))).get('problem'), 'second_factor_missing');
});

test('an unreachable provider is logged, and the person returns to the sign-in page', async () => {
  await newOperator();
  const browser = openBrowser(service);
  const back = await leave(browser);
  remote.outages = { token: 'status_500' };
  assert.equal((await arrive(browser, back)).get('problem'), 'provider_unavailable');
  assert.equal(browser.cookies.has(ATTEMPT_COOKIE), false);
  assert.match(service.logged(), /"why":"the identity provider [^"]*".*the identity provider is unavailable/);
});

test('threat 80: the redirect to the provider starts an attempt and changes nothing else; a subresource request, HEAD and POST start no attempt', async () => {
  const browser = openBrowser(service);
  const [attempts, ...others] = await counts();
  for (const destination of ['image', 'iframe', 'script', 'empty']) {
    const headers = { 'sec-fetch-dest': destination };
    for (const way of [START, RETURN]) {
      const { status, body } = await browser.send('GET', way, { headers });
      assert.deepEqual([status, body.code], [403, 'not_a_navigation']);
    }
  }
  for (const method of ['HEAD', 'POST'])
    assert.equal((await fetch(service.baseUrl + START, { method, redirect: 'manual' })).status, 405);
  assert.deepEqual(await counts(), [attempts, ...others]);
  const headers = { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site', origin: undefined };
  assert.equal((await browser.send('GET', START, { headers })).status, 302);
  assert.deepEqual(await counts(), [attempts! + 1, ...others]);
});

test('attempts per client address are limited, and this limit does not affect the password sign-in', async () => {
  const browser = openBrowser(service);
  const statuses: number[] = [];
  for (let i = 0; i < 35; i++) statuses.push((await browser.send('GET', RETURN)).status);
  assert.deepEqual([statuses[0], statuses.at(-1)], [303, 429]);
  const body = { pending: 'none', factor: { kind: 'totp', code: '000000' } };
  assert.equal((await browser.send('POST', '/console/v1/sign-in/second-factor', { body })).status, 401);
  assert.equal((await openBrowser(service).send('GET', RETURN)).status, 303);
});

test('every sign-in problem is explained in docs/extend/console-api.md and on the sign-in page', () => {
  const text = readFileSync(new URL('../../../docs/extend/console-api.md', import.meta.url), 'utf8');
  const rows = [
    ...text
      .split('| problem |')[1]!
      .split('\n\n')[0]!
      .matchAll(/^\| `(\w+)` \|/gm),
  ];
  assert.deepEqual(rows.map(([, code]) => code).sort(), [...PROVIDER_PROBLEMS].sort());
  assert.deepEqual(Object.keys(PROBLEMS).sort(), [...PROVIDER_PROBLEMS].sort());
});
