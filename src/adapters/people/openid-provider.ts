// An identity provider with OpenID Connect: the code flow with PKCE, state and nonce, which a certified library verifies.
// Discovery runs at the first sign-in and again after an hour, so the service can start while the provider is unavailable.
import * as openid from 'openid-client';
import { type IdentityProvider, ProviderUnavailable } from '../../ports/people/identity-provider.ts';
import { discoveryProblem, undefinedIfUnproven } from './openid-failures.ts';

export interface OpenIdSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The operator must register this URI at the provider. */
  readonly redirectUri: string;
  /** The time limit in milliseconds for each request to the provider. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;
const DISCOVERED_FOR_MS = 3_600_000;
const SCOPE = 'openid email';

export function makeOpenIdProvider(settings: OpenIdSettings): IdentityProvider {
  const configuration = makeDiscovery(settings);
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
      const tokens = await openid.authorizationCodeGrant(config, back, checks).catch(undefinedIfUnproven);
      const claims = tokens?.claims();
      if (tokens === undefined || claims === undefined) return undefined;
      const about = await readEmailAddress(config, tokens.access_token, claims);
      return about && { issuer: claims.iss, subject: claims.sub, ...about };
    },
  };
}

interface EmailAddress {
  readonly email: string | null;
  readonly emailVerified: boolean;
}

/**
 * Reads the e-mail address from the ID token or from UserInfo. In the code flow it may be only in UserInfo (OpenID Connect Core,
 * section 5.4).
 */
async function readEmailAddress(
  config: openid.Configuration,
  accessToken: string,
  claims: openid.IDToken,
): Promise<EmailAddress | undefined> {
  const isAtUserInfo = claims.email === undefined && config.serverMetadata().userinfo_endpoint !== undefined;
  const about = isAtUserInfo
    ? await openid.fetchUserInfo(config, accessToken, claims.sub).catch(undefinedIfUnproven)
    : claims;
  if (about === undefined) return undefined;
  const email = typeof about.email === 'string' ? about.email : null;
  return { email, emailVerified: about.email_verified === true };
}

function makeDiscovery(settings: OpenIdSettings): () => Promise<openid.Configuration> {
  const { issuer, clientId, clientSecret, timeoutMs = TIMEOUT_MS } = settings;
  let found: Promise<openid.Configuration> | undefined;
  let untilMs = 0;
  const server = new URL(issuer);
  // The settings allow plain HTTP only for a provider on this machine.
  const execute = [openid.enableNonRepudiationChecks];
  if (server.protocol === 'http:') execute.push(openid.allowInsecureRequests);
  const options = { execute, timeout: timeoutMs / 1_000 };
  return () => {
    if (found === undefined || performance.now() > untilMs) {
      untilMs = performance.now() + DISCOVERED_FOR_MS;
      found = openid
        .discovery(server, clientId, clientSecret, clientAuthFor(clientSecret), options)
        .catch((error) => {
          found = undefined;
          throw new ProviderUnavailable(discoveryProblem(error));
        });
    }
    return found;
  };
}

/**
 * Sends the client secret in the body if the provider supports this. Otherwise sends it in the header, the default of OpenID
 * Connect Discovery.
 */
function clientAuthFor(clientSecret: string): openid.ClientAuth {
  const inBody = openid.ClientSecretPost(clientSecret);
  const inHeader = openid.ClientSecretBasic(clientSecret);
  return (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? [];
    return (methods.includes('client_secret_post') ? inBody : inHeader)(server, ...request);
  };
}
