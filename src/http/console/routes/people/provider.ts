// Signs people in through the operator's identity provider. The browser is redirected to the provider, and back with a result.
// This result is only a pending sign-in without access. The page receives its token after the `#` of the URL, so no server and
// no log sees the token.
import { Type } from 'typebox';
import {
  beginProviderSignIn,
  finishProviderSignIn,
  PROVIDER_SIGN_IN_MS,
  type ProviderDeps,
  type ProviderRefusal,
} from '../../../../app/people/sign-in-with-provider.ts';
import { fail, ok } from '../../../../domain/values/result.ts';
import { ProviderUnavailable } from '../../../../ports/people/identity-provider.ts';
import { nullable } from '../../../../renderings/parts/schemas.ts';
import { clearAttemptCookie, readAttemptCookie, setAttemptCookie } from '../../admission/cookies.ts';
import type { ConsoleDeps, ConsoleProvider } from '../../deps.ts';
import { NO_PROVIDER } from '../../refusals.ts';
import {
  type ConsoleRoute,
  navigationRoute,
  publicRoute,
  type Redirect,
  type RouteCall,
} from '../../route.ts';

export const PROVIDER_START = '/console/v1/provider/start';
export const PROVIDER_RETURN = '/console/v1/provider/return';

const UNAVAILABLE = 'provider_unavailable';
export type ProviderProblem = ProviderRefusal['code'] | typeof UNAVAILABLE;
/** The possible values after `#problem=` in the URL of the sign-in page. docs/extend/console-api.md explains each value. */
export const PROVIDER_PROBLEMS = Object.keys({
  attempt_ended: true,
  sign_in_failed: true,
  second_factor_missing: true,
  provider_unavailable: true,
} satisfies Record<ProviderProblem, true>);

const TO_PAGE = `To the sign-in page, with #pending and the token of the pending sign-in, or with #problem and one of ${PROVIDER_PROBLEMS.join(', ')}.`;

export const providerRoutes: readonly ConsoleRoute[] = [
  publicRoute(
    {
      method: 'GET',
      path: '/console/v1/sign-in/options',
      name: 'getSignInOptions',
      summary:
        'Read the sign-in options: whether there is an identity provider, and whether this is the sandbox',
      tag: 'Sign-in',
      answer: {
        provider_url: nullable(
          Type.String({
            description: 'Open this URL in the window. Null: no identity provider is configured.',
          }),
        ),
        sandbox: Type.Boolean({
          description: 'Whether this is the sandbox, which sends no mail and approves sign-ups immediately.',
        }),
      },
    },
    async (_call, { identityProvider, people }) =>
      ok({ provider_url: identityProvider?.startUrl ?? null, sandbox: people.sandbox }),
  ),
  navigationRoute(
    {
      path: PROVIDER_START,
      name: 'goToProvider',
      summary: 'Go to the identity provider to sign in',
      tag: 'Sign-in',
      limit: 'provider',
      refusals: ['not_found'],
    },
    {
      answers: {
        302: 'To the identity provider.',
        303: 'To the sign-in page, because the provider does not answer.',
      },
      changes:
        'it starts a sign-in attempt that is valid for ten minutes; its key is only in a cookie of this browser.',
    },
    async (call, deps) => {
      const { identityProvider } = deps;
      if (identityProvider === null) return fail(NO_PROVIDER);
      const gone = await runUnlessUnavailable(call, identityProvider, () =>
        beginProviderSignIn(providerDepsOf(deps, identityProvider)),
      );
      if (gone === UNAVAILABLE) return ok(redirectToPage('problem', UNAVAILABLE));
      setAttemptCookie(call.reply, gone.key, PROVIDER_SIGN_IN_MS);
      return ok({ status: 302, location: gone.url });
    },
  ),
  navigationRoute(
    {
      path: PROVIDER_RETURN,
      name: 'returnFromProvider',
      summary: 'Return from the identity provider; the next step is the second factor',
      tag: 'Sign-in',
      query: Type.Object({
        code: Type.String({ description: 'The code from the provider.' }),
        state: Type.String({ description: 'The state that was sent to the provider.' }),
      }),
      limit: 'provider',
      refusals: ['not_found'],
    },
    {
      answers: { 303: TO_PAGE },
      changes:
        'it ends the sign-in attempt of this browser. If the provider names a person of the operator, the request binds that person to the identity and opens a pending sign-in.',
    },
    async (call, deps) => {
      const { identityProvider } = deps;
      if (identityProvider === null) return fail(NO_PROVIDER);
      const key = readAttemptCookie(call.request);
      if (key === null) return ok(redirectToPage('problem', 'attempt_ended'));
      const query = queryOf(call);
      const result = await runUnlessUnavailable(call, identityProvider, () =>
        finishProviderSignIn(providerDepsOf(deps, identityProvider), { key, query }),
      );
      // The cookie is cleared only now. If the database had not responded, the sign-in attempt might still exist, and the
      // person could reload the page.
      clearAttemptCookie(call.reply);
      if (result === UNAVAILABLE) return ok(redirectToPage('problem', UNAVAILABLE));
      return ok(
        result.ok
          ? redirectToPage('pending', result.value.token)
          : redirectToPage('problem', result.error.code),
      );
    },
  ),
];

function providerDepsOf({ people }: ConsoleDeps, { provider, providerStore }: ConsoleProvider): ProviderDeps {
  return { ...people, provider, providerStore };
}

async function runUnlessUnavailable<T>(
  { request }: RouteCall,
  { onUnavailable }: ConsoleProvider,
  work: () => Promise<T>,
): Promise<T | typeof UNAVAILABLE> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error;
    onUnavailable(error, request.id);
    return UNAVAILABLE;
  }
}

function redirectToPage(name: 'pending', token: string): Redirect;
function redirectToPage(name: 'problem', code: ProviderProblem): Redirect;
function redirectToPage(name: string, value: string): Redirect {
  return { status: 303, location: `/app/sign-in#${name}=${value}` };
}

/** Returns the query exactly as the browser sent it, so that a repeated parameter does not look like a single one. */
function queryOf({ request }: RouteCall): URLSearchParams {
  const begin = request.url.indexOf('?');
  return new URLSearchParams(begin === -1 ? '' : request.url.slice(begin));
}
