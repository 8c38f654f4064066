// Decides what a failure of the OpenID Connect library means: a refused identity, an unavailable provider, or a wrong setting.
// The library's errors contain the provider's response, including tokens, so they are never passed on.
import * as openid from 'openid-client';
import { ProviderUnavailable } from '../../ports/people/identity-provider.ts';

interface OpenIdFailure extends Error {
  readonly code?: string;
}

/** The library's error codes for responses that arrived but do not prove the person's identity. */
const UNPROVEN: ReadonlySet<string> = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
  'OAUTH_UNSUPPORTED_OPERATION',
]);
const OUTAGES: ReadonlySet<string> = new Set(['server_error', 'temporarily_unavailable']);
const CLIENT_REFUSED: ReadonlySet<string> = new Set(['invalid_client', 'unauthorized_client']);
const WRONG_CLIENT =
  'the identity provider refuses this client: check OIDC_CLIENT_ID, OIDC_CLIENT_SECRET and how the provider lets clients authenticate';

/**
 * Returns undefined if the response does not prove the person's identity. Throws ProviderUnavailable if this could not be
 * decided.
 */
export function undefinedIfUnproven(error: OpenIdFailure): undefined {
  if (error instanceof openid.WWWAuthenticateChallengeError) throw new ProviderUnavailable(WRONG_CLIENT);
  if (error instanceof openid.AuthorizationResponseError || error instanceof openid.ResponseBodyError) {
    if (CLIENT_REFUSED.has(error.error)) throw new ProviderUnavailable(WRONG_CLIENT);
    if (!OUTAGES.has(error.error)) return undefined;
    throw new ProviderUnavailable(`the identity provider answers ${error.error}`);
  }
  if (error.code !== undefined && UNPROVEN.has(error.code)) return undefined;
  throw new ProviderUnavailable(`the identity provider does not answer as it should (${reasonOf(error)})`);
}

export function discoveryProblem(error: OpenIdFailure): string {
  if (error.code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED')
    return 'the issuer of the identity provider differs from OIDC_ISSUER: copy the issuer from its openid-configuration';
  return `the identity provider does not answer as OpenID Connect Discovery says (${reasonOf(error)})`;
}

/** A code such as OAUTH_TIMEOUT or ECONNREFUSED, and never text of the provider. */
function reasonOf({ code, cause }: OpenIdFailure): string {
  if (code !== undefined) return code;
  const inner = cause instanceof Error ? (cause as OpenIdFailure).code : undefined;
  return inner ?? 'connection lost';
}
