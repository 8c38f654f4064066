// What the endpoints of the test provider answer, by the public specifications: Core 1.0 (authorization code flow), Discovery
// 1.0, RFC 6749, RFC 7636 (PKCE, S256 only) and RFC 9207 (iss). A code is good once and for one minute.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { makeTokenSigner, type TokenFault } from './tokens.ts';

export interface ProviderUser {
  readonly sub: string;
  readonly email?: string;
  /** Undefined: the provider does not state whether the address is verified. */
  readonly emailVerified?: unknown;
}

export interface Client {
  readonly id: string;
  readonly secret: string;
  readonly redirectUri: string;
  readonly authMethods: readonly string[];
}

/** Each is one lie; the rest of the answer stays right. */
export interface Lies {
  token?: TokenFault;
  /** The provider sends the browser back with an error, e.g. `access_denied`. */
  responseError?: string;
  /** Discovery names an issuer that is not the one asked for. */
  discoveryIssuer?: string;
  /** RFC 9207: the authorization response names another issuer; null: none. */
  responseIssuer?: string | null;
  /** The redirect carries another state than the request. */
  responseState?: string;
  /** The redirect carries a code that was exchanged before. */
  replayedCode?: boolean;
  /** Against the specification: a code can be exchanged again. */
  acceptsCodesAgain?: boolean;
  /** The token response has no ID token, as for plain OAuth. */
  noIdToken?: boolean;
  /** UserInfo answers about another person than the ID token. */
  userinfoSub?: string;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

interface Grant {
  readonly nonce: string | undefined;
  readonly challenge: string;
  readonly redirectUri: string;
  readonly user: ProviderUser;
  readonly atMs: number;
  used: boolean;
}

const CODE_LIFETIME_MS = 60_000;
const S256 = /^[A-Za-z0-9_-]{43}$/;
const VERIFIER = /^[A-Za-z0-9\-._~]{43,128}$/;

export class Endpoints {
  /** Signed in at the provider already, so that the authorization endpoint redirects at once. */
  user: ProviderUser;
  lies: Lies = {};
  nowMs = (): number => Date.now();
  /** May end with a slash, as that of some products does. */
  issuer = '';
  /** Core, section 5.4: with the code flow UserInfo has the claims of the scope `email`; many providers add them to the token. */
  emailIn: 'id_token' | 'userinfo' = 'id_token';
  /** What was handed out: none of it may reach an error or a log. */
  readonly secrets: string[] = [];
  readonly signer = makeTokenSigner();
  readonly client: Client;
  private readonly grants = new Map<string, Grant>();
  private readonly accessTokens = new Map<string, ProviderUser>();

  constructor(client: Client, user: ProviderUser) {
    this.client = client;
    this.user = user;
  }

  metadata(): Reply {
    const at = this.issuer.replace(/\/$/, '');
    const body = {
      issuer: this.lies.discoveryIssuer ?? this.issuer,
      authorization_endpoint: `${at}/authorize`,
      token_endpoint: `${at}/token`,
      userinfo_endpoint: `${at}/userinfo`,
      jwks_uri: `${at}/jwks`,
      scopes_supported: ['openid', 'email'],
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      token_endpoint_auth_methods_supported: this.client.authMethods,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    };
    return { status: 200, body };
  }

  jwks(): Reply {
    return { status: 200, body: this.signer.jwks() };
  }

  authorize(asked: URLSearchParams): Reply {
    // RFC 6749, section 4.1.2.1: the browser is never sent to an address that the client did not register.
    if (asked.get('client_id') !== this.client.id || asked.get('redirect_uri') !== this.client.redirectUri) {
      return refusal(400, 'invalid_request');
    }
    const to = new URL(this.client.redirectUri);
    for (const [name, value] of Object.entries(this.decide(asked))) to.searchParams.set(name, value);
    const state = this.lies.responseState ?? asked.get('state');
    if (state !== null) to.searchParams.set('state', state);
    const { responseIssuer = this.issuer } = this.lies;
    if (responseIssuer !== null) to.searchParams.set('iss', responseIssuer);
    return { status: 302, headers: { location: to.href } };
  }

  token(contentType: string | undefined, authorization: string | undefined, body: URLSearchParams): Reply {
    if (!contentType?.startsWith('application/x-www-form-urlencoded')) return refusal(400, 'invalid_request');
    if (authorization !== undefined && body.has('client_secret')) return refusal(400, 'invalid_request');
    if (!this.isClient(authorization, body)) {
      return { ...refusal(401, 'invalid_client'), headers: { 'www-authenticate': 'Basic realm="token"' } };
    }
    if (body.get('grant_type') !== 'authorization_code') return refusal(400, 'unsupported_grant_type');
    const grant = this.takeGrant(body);
    if (grant === undefined) return refusal(400, 'invalid_grant');
    const idToken = this.idToken(grant);
    const accessToken = randomBytes(32).toString('base64url');
    this.accessTokens.set(accessToken, grant.user);
    this.secrets.push(idToken, accessToken);
    const tokens = { access_token: accessToken, token_type: 'Bearer', expires_in: 300 };
    return { status: 200, body: this.lies.noIdToken ? tokens : { ...tokens, id_token: idToken } };
  }

  userinfo(authorization = ''): Reply {
    const [scheme, token = ''] = authorization.split(' ');
    const user = scheme === 'Bearer' ? this.accessTokens.get(token) : undefined;
    if (user === undefined) return refusal(401, 'invalid_token');
    const sub = this.lies.userinfoSub ?? user.sub;
    return { status: 200, body: { sub, email: user.email, email_verified: user.emailVerified } };
  }

  /** The parameters of the authorization response. */
  private decide(asked: URLSearchParams): Record<string, string> {
    if (asked.get('response_type') !== 'code') return { error: 'unsupported_response_type' };
    if (!(asked.get('scope') ?? '').split(' ').includes('openid')) return { error: 'invalid_scope' };
    const challenge = asked.get('code_challenge') ?? '';
    if (asked.get('code_challenge_method') !== 'S256' || !S256.test(challenge)) {
      return { error: 'invalid_request', error_description: 'PKCE with S256 is required' };
    }
    if (this.lies.responseError !== undefined) return { error: this.lies.responseError };
    const used = [...this.grants].find(([, grant]) => grant.used)?.[0];
    if (this.lies.replayedCode && used !== undefined) return { code: used };
    const code = randomBytes(32).toString('base64url');
    const { redirectUri } = this.client;
    const nonce = asked.get('nonce') ?? undefined;
    this.grants.set(code, {
      nonce,
      challenge,
      redirectUri,
      user: this.user,
      atMs: this.nowMs(),
      used: false,
    });
    this.secrets.push(code);
    return { code };
  }

  private idToken({ nonce, user, atMs }: Grant): string {
    const email = { email: user.email, email_verified: user.emailVerified };
    return this.signer.idToken({
      issuer: this.issuer,
      clientId: this.client.id,
      clientSecret: this.client.secret,
      nonce,
      authTimeSeconds: Math.floor(atMs / 1_000),
      nowSeconds: Math.floor(this.nowMs() / 1_000),
      claims: { sub: user.sub, ...(this.emailIn === 'id_token' ? email : {}) },
      fault: this.lies.token,
    });
  }

  private isClient(authorization: string | undefined, body: URLSearchParams): boolean {
    const method = authorization === undefined ? 'client_secret_post' : 'client_secret_basic';
    if (!this.client.authMethods.includes(method)) return false;
    const [id, secret] =
      authorization === undefined
        ? [body.get('client_id'), body.get('client_secret')]
        : readBasic(authorization);
    return id === this.client.id && isSame(secret ?? '', this.client.secret);
  }

  private takeGrant(body: URLSearchParams): Grant | undefined {
    const grant = this.grants.get(body.get('code') ?? '');
    if (grant === undefined || (grant.used && !this.lies.acceptsCodesAgain)) return undefined;
    grant.used = true;
    const verifier = body.get('code_verifier') ?? '';
    const isProven =
      VERIFIER.test(verifier) && isSame(sha256(verifier).toString('base64url'), grant.challenge);
    const isFresh = this.nowMs() - grant.atMs <= CODE_LIFETIME_MS;
    return isProven && isFresh && body.get('redirect_uri') === grant.redirectUri ? grant : undefined;
  }
}

function refusal(status: number, error: string): Reply {
  return { status, body: { error } };
}

/** RFC 6749, section 2.3.1: both parts are form-encoded before they are joined. */
function readBasic(header: string): [string, string] {
  const text = Buffer.from(header.replace(/^Basic /i, ''), 'base64').toString();
  const colon = text.indexOf(':');
  const decoded = (part: string) => decodeURIComponent(part.replaceAll('+', ' '));
  return [decoded(text.slice(0, colon)), decoded(text.slice(colon + 1))];
}

function isSame(given: string, right: string): boolean {
  return timingSafeEqual(sha256(given), sha256(right));
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
