// Makes people of a test service, and browsers for them. A browser keeps its cookies and its CSRF token, and sends the headers
// that a page of the service would send.
import diagnostics from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';
import { Secret, TOTP } from 'otpauth';
import { openPendingSignInByMail, openSession } from '../../../src/app/people/open-session.ts';
import { newPeopleId, totpPurpose } from '../../../src/app/people/people-deps.ts';
import { countSecondFactorTry } from '../../../src/app/people/sign-in.ts';
import type { BusinessRole, OperatorRole } from '../../../src/domain/people/roles.ts';
import type { RouteAccess } from '../../../src/http/console/access.ts';
import { deriveCsrfToken } from '../../../src/http/console/admission/csrf.ts';
import { assertDocumented } from '../../support/client/documented.ts';
import type { Answer, TestService } from '../../support/service.ts';

export interface ConsolePerson {
  readonly id: string;
  readonly email: string;
}

export interface Credentials {
  readonly password: string;
  /** Returns the current code of the authenticator, or the code of a later step. */
  code(stepsLater?: number): string;
}

type Role = { readonly operator: OperatorRole } | { readonly business: string; readonly role: BusinessRole };

let count = 0;

export async function addConsolePerson(
  { foundation: { people } }: TestService,
  ...roles: readonly Role[]
): Promise<ConsolePerson> {
  const id = newPeopleId(people, 'per');
  const email = `person-${++count}@console.test`;
  const doing = { actor: 'service:test', atMs: people.clock.now() };
  await people.people.add({ id, email, name: `Person ${count}` }, doing);
  for (const role of roles) {
    if ('operator' in role) await people.people.setOperatorRole(id, role.operator, doing);
    else await people.people.setMember(role.business, id, role.role, doing);
  }
  return { id, email };
}

export async function giveCredentials(
  { foundation: { people } }: TestService,
  { id }: ConsolePerson,
  password = 'seven grey herons on a wire',
): Promise<Credentials> {
  const doing = { actor: id, atMs: people.clock.now() };
  const secret = people.totp.newSecret();
  const fingerprint = people.box.fingerprint(secret);
  await people.signIn.setTotp(id, people.box.seal(secret, totpPurpose(id)), fingerprint);
  await people.signIn.confirmTotp(id, fingerprint, 1n, { onlyFirst: false, recoveryHashes: [] }, doing);
  await people.signIn.setPassword(id, await people.passwords.hash(password), doing);
  const totp = new TOTP({ secret: Secret.fromBase32(people.totp.secretText(secret)) });
  return {
    password,
    code: (later = 0) => totp.generate({ timestamp: people.clock.now() + later * 30_000 }),
  };
}

export interface Sent {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

export interface Browser {
  readonly cookies: Map<string, string>;
  csrf: string | null;
  readonly setCookies: string[];
  send(method: string, path: string, sent?: Sent): Promise<Answer>;
}

let clients = 0;

export function openBrowser({ baseUrl }: TestService): Browser {
  const cookies = new Map<string, string>();
  const setCookies: string[] = [];
  // Each browser is a separate client, because the tests of the console set TRUST_PROXY.
  const address = `198.51.${++clients >> 8}.${clients & 255}`;
  const browser: Browser = {
    cookies,
    setCookies,
    csrf: null,
    send: async (
      method,
      path,
      { body = method === 'GET' || method === 'DELETE' ? undefined : {}, headers } = {},
    ) => {
      const given = {
        origin: baseUrl,
        'x-forwarded-for': address,
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'x-csrf-token': browser.csrf ?? undefined,
        'content-type': body === undefined ? undefined : 'application/json',
        ...headers,
      };
      const response = await fetch(baseUrl + path, {
        method,
        redirect: 'manual',
        headers: Object.entries(given).filter((pair): pair is [string, string] => pair[1] !== undefined),
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      for (const line of response.headers.getSetCookie()) {
        setCookies.push(line);
        const [name = '', value = ''] = line.split(';')[0]!.split('=');
        if (value === '') cookies.delete(name);
        else cookies.set(name, value);
      }
      const text = await wholeText(response);
      const parsed = text.startsWith('{') ? JSON.parse(text) : undefined;
      assertDocumented(method, path, { status: response.status, body: parsed });
      return { status: response.status, headers: response.headers, text, body: parsed };
    },
  };
  return browser;
}

/** A stream does not end, so only its status and headers are read. */
async function wholeText(response: Response): Promise<string> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response.text();
  await response.body?.cancel();
  return '';
}

/** Signs in without a slow password check: the test opens the session as after a second factor. */
export async function signedIn(service: TestService, { id }: ConsolePerson): Promise<Browser> {
  const { people } = service.foundation;
  const pending = await countSecondFactorTry(people, (await openPendingSignInByMail(people, id))!);
  if (!pending.ok) throw new Error(pending.error.code);
  const client = { surface: 'browser', address: '192.0.2.1', userAgent: 'test', device: null } as const;
  const opened = (await openSession(people, pending.value, client, 'totp'))!;
  const browser = openBrowser(service);
  browser.cookies.set(SESSION_COOKIE, opened.token);
  browser.csrf = deriveCsrfToken(people.box, opened.session.id);
  return browser;
}

export const SESSION_COOKIE = '__Host-sliproad';

export interface RegisteredRoute {
  readonly method: string;
  readonly url: string;
  readonly access: RouteAccess;
  readonly isNavigation: boolean;
}

const registered = new Map<FastifyInstance, RegisteredRoute[]>();

/** This must be called before the service starts. */
export function watchRoutes(): void {
  diagnostics.subscribe('fastify.initialization', (message) => {
    const { fastify } = message as { fastify: FastifyInstance };
    const routes: RegisteredRoute[] = [];
    registered.set(fastify, routes);
    fastify.addHook('onRoute', ({ method, url, config }) => {
      if (!url.startsWith('/console/')) return;
      const isNavigation = config!.navigation !== undefined;
      for (const each of [method].flat())
        routes.push({ method: each, url, access: config!.access!, isNavigation });
    });
  });
}

export function consoleRoutes({ service }: TestService): readonly RegisteredRoute[] {
  return registered.get(service.servers.main)!.filter(({ method }) => method !== 'HEAD');
}
