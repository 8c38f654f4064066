// False ID tokens for tests. Each is made from a correct token by one change, and all other parts of the token stay correct
// (OpenID Connect Core 1.0, section 2; RFC 7515).
import {
  createHmac,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  randomUUID,
  sign,
} from 'node:crypto';

type Claims = Readonly<Record<string, unknown>>;

/** This time is longer than every tolerance for clock differences. */
const LONG_EXPIRED_SECONDS = 3_600;

/** The claims that a fault changes; undefined means that the claim is missing. */
const FALSE_CLAIMS = {
  wrong_issuer: () => ({ iss: 'https://another-provider.example' }),
  wrong_audience: () => ({ aud: 'another-client' }),
  // The token names another audience that the client does not trust. It has no azp claim to show that the token is for this
  // client (Core, section 3.1.3.7).
  one_of_two_audiences: ({ aud }: Claims) => ({ aud: ['another-client', aud] }),
  another_nonce: () => ({ nonce: randomUUID() }),
  missing_nonce: () => ({ nonce: undefined }),
  missing_sub: () => ({ sub: undefined }),
  expired: ({ iat, exp }: Claims) => ({
    iat: Number(iat) - LONG_EXPIRED_SECONDS,
    exp: Number(exp) - LONG_EXPIRED_SECONDS,
  }),
};

type SignatureFault =
  | 'unknown_key'
  | 'known_key_id_of_another_key'
  | 'changed_after_signing'
  | 'alg_none'
  | 'signed_with_client_secret';

export type TokenFault = keyof typeof FALSE_CLAIMS | SignatureFault;

// The keys are created once for all providers of a test file, because an RSA key takes a tenth of a second.
const published = makeKey();
const unpublished = makeKey();

export function signingJwk(): JsonWebKey {
  return { ...published.privateKey.export({ format: 'jwk' }), kid: published.kid, use: 'sig', alg: 'RS256' };
}

export function falsify(token: string, fault: TokenFault, clientSecret: string): string {
  const [header, payload, signature] = token.split('.') as [string, string, string];
  const claims: Claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  switch (fault) {
    case 'alg_none':
      return `${part({ alg: 'none' })}.${payload}.`;
    case 'signed_with_client_secret': {
      const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${payload}`;
      return `${text}.${createHmac('sha256', clientSecret).update(text).digest('base64url')}`;
    }
    case 'unknown_key':
      return signed(unpublished.privateKey, unpublished.kid, claims);
    case 'known_key_id_of_another_key':
      return signed(unpublished.privateKey, published.kid, claims);
    case 'changed_after_signing':
      return `${header}.${part({ ...claims, email_verified: true, changed: true })}.${signature}`;
    default:
      return signed(published.privateKey, published.kid, { ...claims, ...FALSE_CLAIMS[fault](claims) });
  }
}

function makeKey() {
  return { kid: randomUUID(), ...generateKeyPairSync('rsa', { modulusLength: 2048 }) };
}

function signed(key: KeyObject, kid: string, claims: Claims): string {
  const text = `${part({ alg: 'RS256', typ: 'JWT', kid })}.${part(claims)}`;
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
}

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
