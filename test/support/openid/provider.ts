// An OpenID Connect provider for tests: the package oidc-provider on a free port of the loopback address. A person is already
// signed in there. A test can make it lie (`lies`), make it fail (`outages`), change its user and read its requests.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, {
  type Adapter,
  type AdapterPayload,
  type Configuration,
  type KoaContextWithOIDC,
} from 'oidc-provider';
import { falsify, signingJwk, type TokenFault } from './tokens.ts';

export type Outages = Partial<Record<'discovery' | 'jwks' | 'token' | 'userinfo', Outage>>;

export interface ProviderUser {
  readonly sub: string;
  readonly email?: string;
  /** Undefined means that the provider does not state whether the address is verified. */
  readonly emailVerified?: unknown;
}

/** Each field is one false statement of the provider. All other parts of the response stay correct. */
export interface Lies {
  token?: TokenFault;
  responseError?: string;
  discoveryIssuer?: string;
  /** The authorization response names another issuer (RFC 9207); null means that it names none. */
  responseIssuer?: string | null;
  responseState?: string;
  /** The redirect contains the code of the first sign-in. */
  replayedCode?: boolean;
  /** A client can exchange a code again, which violates the specification. */
  acceptsCodesAgain?: boolean;
  noIdToken?: boolean;
  /** UserInfo is about another person than the ID token. */
  userinfoSub?: string;
}

export interface ProviderOptions {
  readonly user: ProviderUser;
  readonly redirectUri: string;
  /** The path of the issuer, e.g. `/realms/main/`. */
  readonly path?: string;
  readonly authMethods?: readonly ('client_secret_basic' | 'client_secret_post')[];
}

const DISCOVERY = '/.well-known/openid-configuration';
const ROUTES = { authorization: '/authorize', token: '/token', userinfo: '/userinfo', jwks: '/jwks' };
const ENDPOINTS: Readonly<Record<string, keyof Outages>> = {
  [DISCOVERY]: 'discovery',
  [ROUTES.jwks]: 'jwks',
  [ROUTES.token]: 'token',
  [ROUTES.userinfo]: 'userinfo',
};
const SCOPE = 'openid email';

export async function startOpenIdProvider(options: ProviderOptions): Promise<TestProvider> {
  const provider = new TestProvider(options);
  await provider.start(options);
  return provider;
}

export class TestProvider {
  user: ProviderUser;
  lies: Lies = {};
  outages: Outages = {};
  /** The issuer may end with a slash, as with some products. */
  issuer = '';
  /**
   * Where the provider puts the email claims. With the code flow, UserInfo has the claims of the scope `email`, and many
   * providers also add them to the token (Core, section 5.4).
   */
  emailIn: 'id_token' | 'userinfo' = 'id_token';
  // Both values contain characters that must be encoded before they are sent.
  readonly client = { id: 'sliproad:console', secret: 'not a+real%secret:&' };
  readonly requests: string[] = [];
  /** The secrets that the provider issued. None of them may appear in an error or a log. */
  readonly secrets: string[] = [];
  private firstCode: string | null = null;
  private readonly server = createServer();

  constructor({ user }: ProviderOptions) {
    this.user = user;
  }

  async start({ path = '', ...options }: ProviderOptions): Promise<void> {
    this.server.listen(0, '127.0.0.1');
    await new Promise((resolve) => this.server.once('listening', resolve));
    this.issuer = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
    const answer = this.makeProvider(options).callback();
    const folder = path.replace(/\/$/, '');
    this.server.on('request', (request, response) => {
      const url = request.url!.slice(folder.length);
      const { pathname } = new URL(url, this.issuer);
      this.requests.push(`${request.method} ${pathname}`);
      const endpoint = ENDPOINTS[pathname];
      const outage = endpoint && this.outages[endpoint];
      // Frameworks that mount a handler at a path also set `originalUrl`.
      Object.assign(request, { url, originalUrl: request.url });
      answerWith(response, outage, () => void answer(request, response));
    });
  }

  async stop(): Promise<void> {
    if (!this.server.listening) return;
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  async visit(authorizationUrl: string | URL): Promise<URL> {
    const { status, headers } = await fetch(authorizationUrl, { redirect: 'manual' });
    const location = headers.get('location');
    if (location === null) throw new Error(`the provider answered ${status} without a redirect`);
    return new URL(location);
  }

  private makeProvider(options: Omit<ProviderOptions, 'path'>): Provider {
    const provider = new Provider(this.issuer, this.configuration(options));
    const { Session } = provider;
    const get = Session.get.bind(Session);
    Session.get = async (ctx) => {
      const session = await get(ctx);
      session.loginAccount({ accountId: this.user.sub });
      return session;
    };
    provider.use(async (ctx, next) => {
      await next();
      this.lie(ctx as KoaContextWithOIDC);
    });
    return provider;
  }

  private configuration({ redirectUri, authMethods }: Omit<ProviderOptions, 'path'>): Configuration {
    const methods = authMethods ?? ['client_secret_basic', 'client_secret_post'];
    const client = {
      client_id: this.client.id,
      client_secret: this.client.secret,
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: methods.at(-1)!,
    };
    return {
      adapter: makeAdapters(() => this.lies.acceptsCodesAgain !== true),
      clients: [client],
      clientAuthMethods: [...methods],
      routes: ROUTES,
      jwks: { keys: [signingJwk() as never] },
      cookies: { keys: ['of the tests'] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'] },
      conformIdTokenClaims: false,
      pkce: { required: () => true },
      features: { devInteractions: { enabled: false } },
      ttl: { AccessToken: 300, AuthorizationCode: 60, Grant: 300, IdToken: 300, Session: 300 },
      expiresWithSession: () => false,
      findAccount: (_, accountId) => ({
        accountId,
        claims: (use) => {
          const { email, emailVerified } = this.user;
          const isHere = this.emailIn === 'id_token' || use === 'userinfo';
          return { sub: accountId, ...(isHere && { email, email_verified: emailVerified as boolean }) };
        },
      }),
      loadExistingGrant: async ({ oidc: { provider, session } }) => {
        const grant = new provider.Grant({ accountId: session!.accountId!, clientId: this.client.id });
        grant.addOIDCScope(SCOPE);
        await grant.save();
        return grant;
      },
    };
  }

  private lie(ctx: KoaContextWithOIDC): void {
    const body = ctx.body as Record<string, string>;
    const { lies } = this;
    if (ctx.path === ROUTES.authorization) this.lieToBrowser(ctx);
    if (ctx.path === DISCOVERY) body.issuer = lies.discoveryIssuer ?? body.issuer!;
    if (ctx.path === ROUTES.userinfo) body.sub = lies.userinfoSub ?? body.sub!;
    if (ctx.path !== ROUTES.token || body.id_token === undefined) return;
    if (lies.token !== undefined) body.id_token = falsify(body.id_token, lies.token, this.client.secret);
    this.secrets.push(body.id_token, body.access_token!);
    if (lies.noIdToken) Reflect.deleteProperty(body, 'id_token');
  }

  private lieToBrowser(ctx: KoaContextWithOIDC): void {
    const location = URL.parse(ctx.response.get('location'));
    const code = location?.searchParams.get('code');
    if (!location || !code) return;
    this.firstCode ??= code;
    this.secrets.push(code);
    const { responseError, responseIssuer, responseState, replayedCode } = this.lies;
    const changes = {
      ...(responseError !== undefined && { code: null, error: responseError }),
      ...(replayedCode && { code: this.firstCode }),
      ...(responseState !== undefined && { state: responseState }),
      ...(responseIssuer !== undefined && { iss: responseIssuer }),
    };
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) location.searchParams.delete(name);
      else location.searchParams.set(name, value);
    }
    ctx.set('location', location.href);
  }
}

function makeAdapters(marksUsedCodes: () => boolean): (model: string) => Adapter {
  const stored = new Map<string, AdapterPayload>();
  const find = async (isMeant: (each: AdapterPayload) => boolean) => [...stored.values()].find(isMeant);
  return (model) => ({
    upsert: async (id, payload) => void stored.set(model + id, payload),
    find: async (id) => stored.get(model + id),
    findByUid: async (uid) => find((each) => each.uid === uid),
    findByUserCode: async () => undefined,
    consume: async (id) => {
      if (marksUsedCodes()) stored.get(model + id)!.consumed = true;
    },
    destroy: async (id) => void stored.delete(model + id),
    revokeByGrantId: async (grantId) => {
      for (const [key, each] of stored) if (each.grantId === grantId) stored.delete(key);
    },
  });
}

// The ways in which an endpoint of an identity provider fails.

export type Outage = 'silent' | 'slow' | 'status_500' | 'html' | 'hangs_up' | 'empty_json' | 'endless';

const SLOW_MS = 300;
const JSON_TYPE = { 'content-type': 'application/json' };

function answerWith(response: ServerResponse, outage: Outage | undefined, asUsual: () => void): void {
  switch (outage) {
    case undefined:
      asUsual();
      return;
    case 'silent':
      return;
    case 'slow':
      setTimeout(asUsual, SLOW_MS);
      return;
    case 'status_500':
      response.writeHead(500, JSON_TYPE).end('{"error":"server_error"}');
      return;
    case 'empty_json':
      response.writeHead(200, JSON_TYPE).end('{}');
      return;
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<html><body>Down for maintenance</body></html>');
      return;
    case 'hangs_up':
      response.destroy();
      return;
    case 'endless': {
      // This response never ends, so a client must have its own time limit for the whole response.
      response.writeHead(200, JSON_TYPE);
      const timer = setInterval(() => response.write(' '), 20);
      response.once('close', () => clearInterval(timer));
    }
  }
}
