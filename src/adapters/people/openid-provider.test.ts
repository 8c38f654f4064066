// Tests the OpenID Connect client against a certified provider: which sign-ins it accepts, which it refuses, and which failures
// count as an outage.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import {
  type Lies,
  type Outages,
  type ProviderOptions,
  startOpenIdProvider,
  type TestProvider,
} from '../../../test/support/openid/provider.ts';
import { limitMs, longEnough } from '../../../test/support/patience.ts';
import { afterFile } from '../../../test/support/sharing/file-group.ts';
import { type IdentityProvider, ProviderUnavailable } from '../../ports/people/identity-provider.ts';
import { makeOpenIdProvider, type OpenIdSettings } from './openid-provider.ts';

const REDIRECT = 'https://pay.example/console/v1/provider/return';
/** The limit is in whole seconds, because the library multiplies the value. */
const LONG_MS = Math.ceil(limitMs('answer') / 1_000) * 1_000;
const ADA = { sub: 'ada-1', email: 'ada@pay.example', emailVerified: true };

interface Stage {
  readonly remote: TestProvider;
  readonly client: IdentityProvider;
}

async function stage(
  options: Partial<ProviderOptions> = {},
  own: Partial<OpenIdSettings> = {},
): Promise<Stage> {
  const remote = await startOpenIdProvider({ user: ADA, redirectUri: REDIRECT, ...options });
  afterFile(() => remote.stop());
  const { id: clientId, secret: clientSecret } = remote.client;
  const settings = {
    ...{ issuer: remote.issuer, clientId, clientSecret, redirectUri: REDIRECT },
    timeoutMs: LONG_MS,
    ...own,
  };
  return { remote, client: makeOpenIdProvider(settings) };
}

async function signIn({ remote, client }: Stage) {
  const attempt = await client.begin();
  return client.finish((await remote.visit(attempt.url)).searchParams, attempt);
}

/** An error must not contain an issued token or a secret setting, no matter how it is printed. */
function assertQuiet(error: unknown, { client, secrets }: TestProvider): void {
  const printed = `${inspect(error, { depth: 20, showHidden: true })}${JSON.stringify(error)}`;
  const given = [client.secret, encodeURIComponent(client.secret), ...secrets];
  for (const secret of given) assert.ok(!printed.includes(secret), 'a secret is in the error');
}

async function assertAway(work: Promise<unknown>, remote: TestProvider, words = /./): Promise<void> {
  const error = await work.then(
    (value) => assert.fail(`an outage ended with ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof ProviderUnavailable, inspect(error));
  assert.match(error.message, words);
  assert.equal(error.cause, undefined, 'errors of the library carry what the provider answered');
  assertQuiet(error, remote);
}

test('a signed ID token for this attempt identifies the person', async () => {
  const one = await stage();
  const { issuer } = one.remote;
  assert.deepEqual(await signIn(one), {
    issuer,
    subject: 'ada-1',
    email: 'ada@pay.example',
    emailVerified: true,
  });
  assert.ok(one.remote.requests.includes('GET /jwks'), 'the signature is verified');
  await signIn(one);
  const asked = one.remote.requests.filter((each) => each.includes('openid-configuration'));
  assert.equal(asked.length, 1, 'the provider is asked about itself once');
});

test('both client authentication methods of a provider work, with characters that need encoding', async () => {
  for (const method of ['client_secret_basic', 'client_secret_post'] as const) {
    assert.equal((await signIn(await stage({ authMethods: [method] })))?.subject, 'ada-1', method);
  }
});

test('an issuer URL with a path is used unchanged, with or without a trailing slash', async () => {
  for (const path of ['/realms/main', '/application/o/console/']) {
    const one = await stage({ path });
    assert.equal((await signIn(one))?.issuer, one.remote.issuer);
  }
});

test('if only UserInfo contains the e-mail address, it is read there and must belong to the same person', async () => {
  const one = await stage();
  one.remote.emailIn = 'userinfo';
  const { subject, email, emailVerified } = (await signIn(one))!;
  assert.deepEqual(
    { subject, email, emailVerified },
    { subject: 'ada-1', email: ADA.email, emailVerified: true },
  );
  one.remote.lies = { userinfoSub: 'bola-2' };
  assert.equal(await signIn(one), undefined);
  one.remote.lies = {};
  one.remote.outages = { userinfo: 'status_500' };
  await assertAway(signIn(one), one.remote);
});

test('an e-mail address counts as verified only if email_verified is true', async () => {
  const one = await stage();
  for (const emailVerified of [false, undefined, null, 'true', 1]) {
    one.remote.user = { ...ADA, emailVerified };
    assert.equal((await signIn(one))?.emailVerified, false, inspect(emailVerified));
  }
  one.remote.user = { sub: 'ada-1' };
  assert.deepEqual(await signIn(one), {
    issuer: one.remote.issuer,
    subject: 'ada-1',
    email: null,
    emailVerified: false,
  });
});

const REFUSED: Readonly<Record<string, Lies>> = {
  'a token of another issuer': { token: 'wrong_issuer' },
  'a token for another client': { token: 'wrong_audience' },
  'a token for two clients that does not say which': { token: 'one_of_two_audiences' },
  'a token with another nonce': { token: 'another_nonce' },
  'a token without a nonce': { token: 'missing_nonce' },
  'a token without a subject': { token: 'missing_sub' },
  'an expired token': { token: 'expired' },
  'a token signed by an unknown key': { token: 'unknown_key' },
  'a token signed by another key under a known name': { token: 'known_key_id_of_another_key' },
  'a token that was changed after it was signed': { token: 'changed_after_signing' },
  'a token without a signature': { token: 'alg_none' },
  'a token signed with the client secret': { token: 'signed_with_client_secret' },
  'no ID token': { noIdToken: true },
  access_denied: { responseError: 'access_denied' },
  'another state': { responseState: 'another-state' },
  'an answer in the name of another issuer': { responseIssuer: 'https://another-provider.example' },
  'an answer in the name of no issuer': { responseIssuer: null },
};

for (const [what, lies] of Object.entries(REFUSED)) {
  test(`refused: ${what}`, async () => {
    const one = await stage();
    one.remote.lies = lies;
    assert.equal(await signIn(one), undefined);
  });
}

test('refused: a response without a state, with two states, without a code, or with no parameters', async () => {
  const { remote, client } = await stage();
  const attempt = await client.begin();
  const right = (await remote.visit(attempt.url)).searchParams;
  const without = (name: string) => {
    const query = new URLSearchParams(right);
    query.delete(name);
    return query;
  };
  const twice = new URLSearchParams([...right, ['state', 'another-state']]);
  for (const query of [without('state'), twice, without('code'), new URLSearchParams()]) {
    assert.equal(await client.finish(query, attempt), undefined, [...query.keys()].join());
  }
  assert.ok(!remote.requests.includes('POST /token'), 'no code was given to the provider');
  assert.ok(await client.finish(right, attempt));
});

test('refused: a code that was used before, an expired code, and a code of another attempt', async (t) => {
  const { remote, client } = await stage();
  const attempt = await client.begin();
  const query = (await remote.visit(attempt.url)).searchParams;
  assert.ok(await client.finish(query, attempt));
  assert.equal(await client.finish(query, attempt), undefined);
  remote.lies = { replayedCode: true };
  assert.equal(await signIn({ remote, client }), undefined);
  remote.lies = {};
  const late = await client.begin();
  const lateQuery = (await remote.visit(late.url)).searchParams;
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 61_000 });
  assert.equal(await client.finish(lateQuery, late), undefined);
  t.mock.timers.reset();
  remote.lies = { acceptsCodesAgain: true };
  const used = await client.begin();
  const usedQuery = (await remote.visit(used.url)).searchParams;
  assert.ok(await client.finish(usedQuery, used));
  assert.ok(await client.finish(usedQuery, used), 'the provider takes it again');
  const other = await client.begin();
  usedQuery.set('state', other.state);
  assert.equal(await client.finish(usedQuery, other), undefined, 'PKCE and nonce are of the other attempt');
});

test('each attempt has a new state, nonce and verifier, which cannot be guessed', async () => {
  const { client } = await stage();
  const [one, other] = [await client.begin(), await client.begin()];
  for (const part of ['state', 'nonce', 'verifier'] as const) {
    assert.notEqual(one[part], other[part]);
    assert.ok(one[part].length >= 43, part);
  }
  const asked = new URL(one.url).searchParams;
  assert.ok(!one.url.includes(one.verifier), 'the verifier stays here');
  assert.deepEqual(
    ['response_type', 'code_challenge_method', 'redirect_uri', 'scope'].map((name) => asked.get(name)),
    ['code', 'S256', REDIRECT, 'openid email'],
  );
});

function unlessAway(error: unknown): undefined {
  if (!(error instanceof ProviderUnavailable)) throw error;
}

/** The limit is long enough for a response on a busy machine. The tests that wait for this limit run in parallel. */
const SHORT = { timeoutMs: 1_500 };

test('a provider that is unreachable or returns invalid data at discovery is unavailable, and the next sign-in tries it again', async () => {
  const outages = ['silent', 'status_500', 'html', 'hangs_up', 'empty_json', 'endless'] as const;
  await Promise.all(
    outages.map(async (discovery) => {
      // The time limit must be long enough for the sign-in after the outage.
      const subject = await longEnough(300, async (timeoutMs) => {
        const one = await stage({}, { timeoutMs });
        one.remote.outages = { discovery };
        await assertAway(one.client.begin(), one.remote);
        one.remote.outages = {};
        return (await signIn(one).catch(unlessAway))?.subject;
      });
      assert.equal(subject, 'ada-1');
    }),
  );
  const one = await stage();
  one.remote.lies = { discoveryIssuer: 'https://another-provider.example' };
  await assertAway(one.client.begin(), one.remote, /OIDC_ISSUER/);
  await one.remote.stop();
  await assertAway(one.client.begin(), one.remote, /ECONNREFUSED/);
});

test('threat 92: an outage after the person returns from the provider is reported as unavailable, not as a refusal, and the error contains no token', async () => {
  const outages = ['silent', 'status_500', 'html', 'hangs_up', 'endless'] as const;
  const cases = outages.flatMap((outage): Outages[] => [{ token: outage }, { jwks: outage }]);
  await Promise.all(
    cases.map(async (each) => {
      const one = await stage({}, SHORT);
      one.remote.outages = each;
      await assertAway(signIn(one), one.remote);
    }),
  );
  const one = await stage();
  for (const responseError of ['server_error', 'temporarily_unavailable']) {
    one.remote.lies = { responseError };
    await assertAway(signIn(one), one.remote);
  }
});

test('a slow response of the provider is accepted', async () => {
  const one = await stage();
  one.remote.outages = { discovery: 'slow', token: 'slow', jwks: 'slow' };
  assert.equal((await signIn(one))?.subject, 'ada-1');
});

test('threat 92: a wrong client secret is reported as a wrong setting, and the error does not contain the secret', async () => {
  for (const method of ['client_secret_basic', 'client_secret_post'] as const) {
    const one = await stage({ authMethods: [method] }, { clientSecret: 'hunter2-hunter2' });
    const error = await signIn(one).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof ProviderUnavailable);
    assert.match(error.message, /OIDC_CLIENT_SECRET/);
    assert.ok(!inspect(error, { depth: 20 }).includes('hunter2'));
  }
});
