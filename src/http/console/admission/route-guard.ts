// The guard of every console route. It checks in this order: the origin of the request, the content type, the limit of the
// client, the session, the CSRF token, and the permission that the route declares. It never reads a secret key.
import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { PeopleDeps } from '../../../app/people/people-deps.ts';
import { findSession, type SignedInSession } from '../../../app/people/sessions.ts';
import type { BusinessRole } from '../../../domain/people/roles.ts';
import { checkAccess, type RouteAccess } from '../access.ts';
import {
  BYTES_ONLY,
  type ConsoleRefusal,
  CSRF_TOKEN_WRONG,
  FOREIGN_ORIGIN,
  JSON_ONLY,
  NO_SUCH_BUSINESS,
  NOT_A_NAVIGATION,
  NOT_ALLOWED,
  NOT_SIGNED_IN,
  sendConsoleRefusal,
  TOO_OFTEN,
} from '../refusals.ts';
import type { Navigation } from '../route.ts';
import type { ClientLimit, ClientLimits } from './client-limits.ts';
import { clearSessionCookie, readSessionCookie, setSessionCookie } from './cookies.ts';
import { CSRF_HEADER, isCsrfToken, isOwnOrigin, type OwnOrigin } from './csrf.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on requests to console routes that need a session. */
    signedIn: SignedInSession | null;
    businessRole: BusinessRole | null;
  }
}

export interface RouteGuardDeps {
  readonly people: PeopleDeps;
  readonly own: OwnOrigin;
  readonly limits: ClientLimits;
}

interface GuardedRoute {
  readonly access: RouteAccess;
  readonly limit?: ClientLimit;
  readonly navigation?: Navigation;
  readonly takes?: 'file';
}

export function makeRouteGuard(deps: RouteGuardDeps, route: GuardedRoute): onRequestAsyncHookHandler {
  return async (request, reply) => {
    const refused =
      refuseWithoutDatabase(deps, route, request) ?? (await admitPerson(deps, route.access, request, reply));
    if (refused !== undefined) return sendConsoleRefusal(reply, refused);
    return undefined;
  };
}

function changesState({ method }: FastifyRequest): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

function refuseWithoutDatabase(
  { people, own, limits }: RouteGuardDeps,
  { limit, navigation, takes }: GuardedRoute,
  request: FastifyRequest,
): ConsoleRefusal | undefined {
  if (changesState(request)) {
    if (!isOwnOrigin(request.headers, own)) return FOREIGN_ORIGIN;
    // A form on another site can send a POST without a CORS preflight, but not with one of these content types.
    const type = request.headers['content-type'];
    const isKnown = isJsonType(type) || (takes === 'file' && isBytesType(type));
    if (request.method !== 'DELETE' && !isKnown) return takes === 'file' ? BYTES_ONLY : JSON_ONLY;
  }
  if (navigation !== undefined && !isPageNavigation(request)) return NOT_A_NAVIGATION;
  if (limit !== undefined && !limits.take(limit, request.ip, people.clock.now())) return TOO_OFTEN;
  return undefined;
}

/**
 * Whether a person navigates the browser to this URL. Requests for an image, frame or script of a page do not count. A browser
 * that does not send this header is allowed.
 */
function isPageNavigation({ headers }: FastifyRequest): boolean {
  return (headers['sec-fetch-dest'] ?? 'document') === 'document';
}

export function isBytesType(contentType: string | undefined): boolean {
  return /^application\/octet-stream\s*(;|$)/i.test(contentType ?? '');
}

function isJsonType(contentType: string | undefined): boolean {
  return /^application\/json\s*(;|$)/i.test(contentType ?? '');
}

async function admitPerson(
  { people }: RouteGuardDeps,
  access: RouteAccess,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<ConsoleRefusal | undefined> {
  if (access === 'public') return undefined;
  const token = readSessionCookie(request);
  if (token === null) return NOT_SIGNED_IN;
  const signedIn = await findSession(people, token);
  // A session token of the command line is not valid in a browser.
  if (signedIn === undefined || signedIn.session.surface !== 'browser') {
    clearSessionCookie(reply);
    return NOT_SIGNED_IN;
  }
  if (signedIn.newToken !== null) setSessionCookie(reply, signedIn.newToken);
  const { [CSRF_HEADER]: csrf } = request.headers;
  if (changesState(request) && !isCsrfToken(people.box, signedIn.session.id, csrf)) return CSRF_TOKEN_WRONG;
  const { business_id: businessId } = request.params as { business_id?: string };
  const judged = checkAccess(access, signedIn.person, businessId);
  if (judged.kind === 'no_such_business') return NO_SUCH_BUSINESS;
  if (judged.kind === 'not_allowed') return NOT_ALLOWED;
  request.signedIn = signedIn;
  request.businessRole = judged.role;
  return undefined;
}
