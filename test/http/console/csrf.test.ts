// Threat 80: a request that changes something must come from a page of the service, be JSON, and have the CSRF token of its own
// session. The test tries every route that changes something.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { startTestService } from '../../support/service.ts';
import { addConsolePerson, consoleRoutes, openBrowser, type Sent, signedIn, watchRoutes } from './browser.ts';
import { sampleOf } from './samples.ts';

watchRoutes();
const service = await startTestService({ TRUST_PROXY: 'loopback', PUBLIC_RATE_LIMIT_PER_SECOND: '100000' });
const business = service.business.businessId;
const routes = consoleRoutes(service);
const changing = routes.filter(({ method }) => method !== 'GET');
let person: { readonly id: string; readonly email: string };

before(async () => {
  person = await addConsolePerson(service, { operator: 'admin' }, { business, role: 'owner' });
});

async function tryAll(
  headers: NonNullable<Sent['headers']>,
  wanted: readonly [number, string],
  which = changing,
): Promise<void> {
  const browser = await signedIn(service, person);
  for (const route of which) {
    const { method, path, body } = sampleOf(route, { business_id: business });
    const answer = await browser.send(method, path, { body, headers });
    assert.deepEqual([answer.status, answer.body.code], wanted, `${method} ${path}: ${answer.text}`);
  }
}

const withSession = changing.filter(({ access }) => access !== 'public');

test('threat 80: without the CSRF token a request changes nothing', () =>
  tryAll({ 'x-csrf-token': undefined }, [403, 'csrf_token_wrong'], withSession));

test('threat 80: the CSRF token of another session is refused', async () => {
  const other = await signedIn(service, person);
  await tryAll({ 'x-csrf-token': other.csrf! }, [403, 'csrf_token_wrong'], withSession);
});

test('threat 80: requests from a page of another site are refused, including the sign-in', () =>
  tryAll({ origin: 'https://evil.example' }, [403, 'foreign_origin']));

test('threat 80: requests from another service of this machine, from `null` and from a similar host name are refused', async () => {
  const port = new URL(service.baseUrl).port;
  const origins = [
    'http://127.0.0.1:1',
    'null',
    `http://127.0.0.1.evil.example:${port}`,
    `https://127.0.0.1:${port}`,
  ];
  for (const origin of origins) await tryAll({ origin }, [403, 'foreign_origin'], changing.slice(0, 2));
});

test('threat 80: a request without Origin is accepted only if the browser reports that the page is ours', async () => {
  await tryAll({ origin: undefined }, [403, 'foreign_origin']);
  await tryAll(
    { origin: undefined, 'sec-fetch-site': 'same-site' },
    [403, 'foreign_origin'],
    changing.slice(0, 2),
  );
  const browser = await signedIn(service, person);
  const headers = { origin: undefined, 'sec-fetch-site': 'same-origin' };
  assert.equal((await browser.send('POST', '/console/v1/sign-out', { headers })).status, 200);
});

test('threat 80: content types that an HTML form can send are refused', async () => {
  const bodied = changing.filter(({ method }) => method !== 'DELETE');
  for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x'])
    await tryAll({ 'content-type': type }, [415, 'unsupported_media_type'], bodied);
});

// provider.test.ts shows what these routes change, and for whom.
test('threat 80: exactly two GET routes declare that they change data', () => {
  const declared = routes.filter(({ isNavigation }) => isNavigation);
  assert.deepEqual(
    declared.map(({ method, url, access }) => [method, url, access]),
    [
      ['GET', '/console/v1/provider/start', 'public'],
      ['GET', '/console/v1/provider/return', 'public'],
    ],
  );
});

test('threat 80: no GET request changes data', async () => {
  const admin = await signedIn(service, person);
  const before = await state();
  for (const route of routes.filter(({ method, isNavigation }) => method === 'GET' && !isNavigation))
    await admin.send('GET', sampleOf(route, { business_id: business }).path);
  assert.deepEqual(await state(), before);
});

const TABLES = [
  ...['people', 'operator_roles', 'memberships', 'passwords', 'totp_secrets', 'passkeys', 'recovery_codes'],
  ...['invitations', 'sign_ups', 'mails', 'proposals', 'businesses', 'secret_keys', 'vendors', 'step_ups'],
  ...['sign_ins', 'provided_identities', 'provider_attempts'],
];

async function state(): Promise<readonly unknown[]> {
  const { database } = service.foundation;
  const known = await database.query<{ name: string }>({
    text: `select tablename as name from pg_tables where schemaname = 'public' and tablename = any($1) order by 1`,
    values: [TABLES],
  });
  assert.ok(known.rows.length >= 10, 'the tables have other names now');
  return Promise.all(
    known.rows.map(async ({ name }) => {
      const text = `select '${name}' as name, md5(coalesce(string_agg(t::text, '|' order by t::text), '')) from ${name} t`;
      return (await database.query({ text })).rows[0];
    }),
  );
}

test('the cookies are limited to this host, secure, hidden from scripts and never sent across sites', async () => {
  const browser = await signedIn(service, person);
  await browser.send('POST', '/console/v1/sign-out');
  const lines = browser.setCookies;
  assert.ok(lines.length > 0);
  for (const line of lines) {
    assert.match(line, /^__Host-sliproad[\w-]*=[\w-]*; /);
    for (const attribute of ['Path=/', 'Secure', 'HttpOnly', 'SameSite=Strict'])
      assert.ok(line.includes(attribute), line);
    assert.ok(!/Domain=/i.test(line));
  }
});

test('the cookie of an unknown session is cleared, and no response is cacheable', async () => {
  const browser = openBrowser(service);
  browser.cookies.set('__Host-sliproad', 'unknown');
  const answer = await browser.send('GET', '/console/v1/session');
  assert.deepEqual([answer.status, answer.body.code], [401, 'not_signed_in']);
  assert.match(browser.setCookies.join(), /__Host-sliproad=; Max-Age=0/);
  assert.equal(answer.headers.get('cache-control'), 'no-store');
});
