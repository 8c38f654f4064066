// An identity provider by OpenID Connect: the code flow with PKCE, state and nonce, verified by a certified library. The
// provider is asked about itself at the first sign-in and again after an hour, so that it may be away when the service starts.
import * as openid from 'openid-client';
import { type IdentityProvider, ProviderUnavailable } from '../../ports/people/identity-provider.ts';

export interface OpenIdSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Registered at the provider. */
  readonly redirectUri: string;
}

const TIMEOUT_SECONDS = 10;
const DISCOVERED_FOR_MS = 3_600_000;
const SCOPE = 'openid email';

export function makeOpenIdProvider(settings: OpenIdSettings): IdentityProvider {
  const configuration = discoverer(settings);
  return {
    begin: async () => {
      const verifier = openid.randomPKCECodeVerifier();
      const attempt = { verifier, state: openid.randomState(), nonce: openid.randomNonce() };
      const url = openid.buildAuthorizationUrl(await configuration(), {
        redirect_uri: settings.redirectUri,
        scope: SCOPE,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state: attempt.state,
        nonce: attempt.nonce,
      });
      return { ...attempt, url: url.href };
    },
    finish: async (query, { state, nonce, verifier }) => {
      const config = await configuration();
      const back = new URL(settings.redirectUri);
      back.search = query.toString();
      const checks = {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      };
      const tokens = await openid.authorizationCodeGrant(config, back, checks).catch(refusedOrAway);
      const claims = tokens?.claims();
      if (claims === undefined) return undefined;
      const email = typeof claims.email === 'string' ? claims.email : null;
      return {
        issuer: claims.iss,
        subject: claims.sub,
        email,
        emailVerified: claims.email_verified === true,
      };
    },
  };
}

function discoverer({ issuer, clientId, clientSecret }: OpenIdSettings): () => Promise<openid.Configuration> {
  let found: Promise<openid.Configuration> | undefined;
  let untilMs = 0;
  const server = new URL(issuer);
  // Settings allow plain HTTP for a provider on this machine alone.
  const execute = [openid.enableNonRepudiationChecks];
  if (server.protocol === 'http:') execute.push(openid.allowInsecureRequests);
  return () => {
    if (found === undefined || performance.now() > untilMs) {
      untilMs = performance.now() + DISCOVERED_FOR_MS;
      found = openid
        .discovery(server, clientId, clientSecret, undefined, { execute, timeout: TIMEOUT_SECONDS })
        .catch((cause) => {
          found = undefined;
          throw new ProviderUnavailable('the identity provider does not answer as OpenID Connect says', {
            cause,
          });
        });
    }
    return found;
  };
}

/** What the provider refused, or answered with something that does not fit, is no identity; a lost answer is neither. */
function refusedOrAway(error: Error & { readonly code?: string }): undefined {
  const isAway = error.code === 'OAUTH_TIMEOUT' || (error instanceof TypeError && error.code === undefined);
  if (isAway) throw new ProviderUnavailable('the identity provider does not answer', { cause: error });
  return undefined;
}
