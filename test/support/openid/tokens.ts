// The ID tokens of the test provider: signed with RS256 by a key that its JWKS publishes (OpenID Connect Core 1.0, section 2;
// RFC 7515; RFC 7517). Each fault of a token is one lie, and the rest of the token stays right.
import { createHmac, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';

export type TokenFault =
  | 'wrong_issuer'
  | 'wrong_audience'
  | 'one_of_two_audiences'
  | 'another_nonce'
  | 'missing_nonce'
  | 'missing_sub'
  | 'expired'
  | 'unknown_key'
  | 'known_key_id_of_another_key'
  | 'changed_after_signing'
  | 'alg_none'
  | 'signed_with_client_secret';

export interface TokenRequest {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly nonce: string | undefined;
  readonly authTimeSeconds: number;
  readonly nowSeconds: number;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly fault: TokenFault | undefined;
}

export interface TokenSigner {
  readonly jwks: () => { readonly keys: readonly object[] };
  readonly idToken: (request: TokenRequest) => string;
}

interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

const LIFETIME_SECONDS = 300;
/** Beyond every tolerance for clocks that differ. */
const LONG_EXPIRED_SECONDS = 3_600;

// Made once for all providers of a test file: an RSA key takes a tenth of a second.
const published = makeKey();
const unpublished = makeKey();

export function makeTokenSigner(): TokenSigner {
  return {
    jwks: () => ({
      keys: [
        { ...published.publicKey.export({ format: 'jwk' }), kid: published.kid, use: 'sig', alg: 'RS256' },
      ],
    }),
    idToken: (request) => {
      const claims = claimsOf(request);
      switch (request.fault) {
        case 'alg_none':
          return `${unsigned({ alg: 'none' }, claims)}.`;
        case 'signed_with_client_secret': {
          const text = unsigned({ alg: 'HS256', typ: 'JWT' }, claims);
          return `${text}.${createHmac('sha256', request.clientSecret).update(text).digest('base64url')}`;
        }
        case 'unknown_key':
          return signed(unpublished, unpublished.kid, claims);
        case 'known_key_id_of_another_key':
          return signed(unpublished, published.kid, claims);
        case 'changed_after_signing': {
          const [header, , signature] = signed(published, published.kid, claims).split('.');
          return `${header}.${part({ ...claims, email_verified: true, changed: true })}.${signature}`;
        }
        default:
          return signed(published, published.kid, claims);
      }
    },
  };
}

function claimsOf(request: TokenRequest): Record<string, unknown> {
  const { fault, nowSeconds } = request;
  const { sub, ...others } = request.claims;
  const issuedAt = fault === 'expired' ? nowSeconds - LONG_EXPIRED_SECONDS : nowSeconds;
  const nonce = fault === 'another_nonce' ? randomUUID() : request.nonce;
  return {
    iss: fault === 'wrong_issuer' ? 'https://another-provider.example' : request.issuer,
    aud: audienceOf(request),
    exp: issuedAt + LIFETIME_SECONDS,
    iat: issuedAt,
    auth_time: request.authTimeSeconds,
    ...(fault === 'missing_sub' ? {} : { sub }),
    ...(nonce === undefined || fault === 'missing_nonce' ? {} : { nonce }),
    ...others,
  };
}

function audienceOf({ fault, clientId }: TokenRequest): string | readonly string[] {
  if (fault === 'wrong_audience') return 'another-client';
  // Core, section 3.1.3.7: another audience that the client does not trust. No azp says that the token is for this client.
  if (fault === 'one_of_two_audiences') return ['another-client', clientId];
  return clientId;
}

function makeKey(): SigningKey {
  return { kid: randomUUID(), ...generateKeyPairSync('rsa', { modulusLength: 2048 }) };
}

function signed(key: SigningKey, kid: string, claims: object): string {
  const text = unsigned({ alg: 'RS256', typ: 'JWT', kid }, claims);
  return `${text}.${sign('sha256', Buffer.from(text), key.privateKey).toString('base64url')}`;
}

function unsigned(header: object, claims: object): string {
  return `${part(header)}.${part(claims)}`;
}

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
