// An OpenID Connect provider for tests, on a free port of the loopback address. A test can make it lie (`lies`), be away
// (`outages`), change its user and read what it was asked.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { Endpoints, type ProviderUser, type Reply } from './endpoints.ts';

export type Outage = 'silent' | 'slow' | 'status_500' | 'html' | 'hangs_up' | 'empty_json' | 'endless';
export type Outages = Partial<Record<'discovery' | 'jwks' | 'token' | 'userinfo', Outage>>;

export interface ProviderOptions {
  readonly user: ProviderUser;
  readonly redirectUri: string;
  /** Of the issuer, e.g. `/realms/main/`. */
  readonly path?: string;
  readonly authMethods?: readonly ('client_secret_basic' | 'client_secret_post')[];
}

const SLOW_MS = 300;
const METHODS = ['client_secret_basic', 'client_secret_post'] as const;

export async function startOpenIdProvider(options: ProviderOptions): Promise<TestProvider> {
  const { user, redirectUri, path = '', authMethods = METHODS } = options;
  // Both have characters that must be encoded before they are sent.
  const client = { id: 'sliproad:console', secret: 'not a+real%secret:é', redirectUri, authMethods };
  const provider = new TestProvider(client, user);
  await provider.start(path);
  return provider;
}

export class TestProvider extends Endpoints {
  outages: Outages = {};
  /** Method and path of each request, oldest first. */
  readonly requests: string[] = [];
  private readonly server = createServer((request, response) => {
    this.answer(request, response).catch(() => response.destroy());
  });

  async start(path: string): Promise<void> {
    this.server.listen(0, '127.0.0.1');
    await new Promise((resolve) => this.server.once('listening', resolve));
    this.issuer = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  async stop(): Promise<void> {
    if (!this.server.listening) return;
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  /** What a browser does with the authorization request: the address that it is sent back to. */
  async visit(authorizationUrl: string | URL): Promise<URL> {
    const { status, headers } = await fetch(authorizationUrl, { redirect: 'manual' });
    const location = headers.get('location');
    if (location === null) throw new Error(`the provider answered ${status} without a redirect`);
    return new URL(location);
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.issuer);
    const folder = new URL(this.issuer).pathname.replace(/\/$/, '');
    const asked = `${request.method} ${pathname.slice(folder.length)}`;
    this.requests.push(asked);
    const body = new URLSearchParams(await readText(request));
    const { authorization, 'content-type': contentType } = request.headers;
    switch (asked) {
      case 'GET /.well-known/openid-configuration':
        return give(response, this.outages.discovery, () => this.metadata());
      case 'GET /jwks':
        return give(response, this.outages.jwks, () => this.jwks());
      case 'GET /authorize':
        return give(response, undefined, () => this.authorize(searchParams));
      case 'POST /authorize':
        return give(response, undefined, () => this.authorize(body));
      case 'POST /token':
        return give(response, this.outages.token, () => this.token(contentType, authorization, body));
      case 'GET /userinfo':
      case 'POST /userinfo':
        return give(response, this.outages.userinfo, () => this.userinfo(authorization));
      default:
        return send(response, { status: 404, body: { error: 'not_found' } });
    }
  }
}

async function give(
  response: ServerResponse,
  outage: Outage | undefined,
  asUsual: () => Reply,
): Promise<void> {
  switch (outage) {
    case undefined:
      return send(response, asUsual());
    case 'silent':
      return;
    case 'slow':
      await wait(SLOW_MS);
      return send(response, asUsual());
    case 'status_500':
      return send(response, { status: 500, body: { error: 'server_error' } });
    case 'empty_json':
      return send(response, { status: 200, body: {} });
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<html><body>Down for maintenance</body></html>');
      return;
    case 'hangs_up':
      response.destroy();
      return;
    case 'endless':
      return trickle(response);
  }
}

function send(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers });
  response.end(body === undefined ? '' : JSON.stringify(body));
}

/** Bytes without an end: a client must have a time limit of its own for the whole answer. */
function trickle(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 20);
  response.once('close', () => clearInterval(timer));
}
