// Adds the console routes to the server. Each request passes the guard, then the audit entry for a read by an operator, the
// handler and the common response format. The service does not start if a route under /console/ does not declare who may use
// it.
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { TObject } from 'typebox';
import { recordRead, recordReadOfRecord } from '../../app/audit/record-actions.ts';
import { TooManyPasswordChecks } from '../../ports/people/credentials.ts';
import { type PageMaker, sendPage } from '../pages/send-page.ts';
import { type QuerySchema, validateQuery } from '../requests/query-check.ts';
import { findDeclarationMistake, permissionText, type RouteAccess } from './access.ts';
import { makeClientLimits } from './admission/client-limits.ts';
import type { OwnOrigin } from './admission/csrf.ts';
import { makeRouteGuard, type RouteGuardDeps } from './admission/route-guard.ts';
import { findBodyMistake } from './body-check.ts';
import type { ConsoleDeps } from './deps.ts';
import { type ConsoleRefusal, PASSWORDS_BUSY, sendConsoleRefusal } from './refusals.ts';
import type { BusinessCall, ConsoleRoute, Navigation, Redirect } from './route.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: RouteAccess;
    /** Only GET routes with this declaration change something. */
    navigation?: Navigation;
  }
}

const DOCUMENT_PATH = '/console/v1/openapi.json';

export interface ConsoleOptions {
  readonly deps: ConsoleDeps;
  readonly routes: readonly ConsoleRoute[];
  readonly own: OwnOrigin;
  readonly document: PageMaker;
}

export function addConsole(
  app: FastifyInstance,
  publicly: onRequestHookHandler,
  { deps, routes, own, document }: ConsoleOptions,
): void {
  app.decorateRequest('signedIn', null);
  app.decorateRequest('businessRole', null);
  app.addHook('onRoute', ({ url, config }) => {
    const mistake = url.startsWith('/console/') ? findDeclarationMistake(url, config?.access) : undefined;
    if (mistake !== undefined) throw new Error(mistake);
  });
  const guard: RouteGuardDeps = { people: deps.people, own, limits: makeClientLimits() };
  const takeFiles = routes.filter(({ takes }) => takes === 'file');
  for (const route of routes) if (route.takes !== 'file') addRoute(app, publicly, guard, deps, route);
  // These routes are in a separate scope, because their bodies are files that stay streams.
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    for (const route of takeFiles) addRoute(scope, publicly, guard, deps, route);
  });
  app.get(DOCUMENT_PATH, { onRequest: publicly, config: { access: 'public' } }, (request, reply) =>
    sendPage(request, reply, document),
  );
}

function addRoute(
  app: FastifyInstance,
  publicly: onRequestHookHandler,
  guard: RouteGuardDeps,
  deps: ConsoleDeps,
  route: ConsoleRoute,
): void {
  const { method, path: url, access, body, navigation, sends } = route;
  // The identity provider sends the browser to these routes and may add its own query parameters. So the query is not checked.
  const query = navigation === undefined ? route.query : undefined;
  app.route({
    method,
    url,
    config: { access, ...(navigation !== undefined && { navigation }) },
    // A HEAD request must change nothing, but it would run the handler. On a stream, which has no end, a HEAD request would
    // wait forever.
    exposeHeadRoute: navigation === undefined && sends === undefined,
    onRequest: [publicly, makeRouteGuard(guard, route)],
    ...(route.takes === 'file' && { bodyLimit: deps.statementMaxBytes }),
    schema: { ...(body !== undefined && { body }), ...(query !== undefined && { querystring: query }) },
    validatorCompiler: ({ schema, httpPart }) =>
      httpPart === 'body' ? validateBody(schema as TObject) : validateQuery(schema as QuerySchema),
    handler: async (request, reply) => {
      const { signedIn, businessRole } = request;
      const { business_id: businessId } = request.params as { business_id?: string };
      if (signedIn !== null) await recordOperatorRead(deps, access, request, signedIn.person.id);
      // The guard has already set the values that the handler of this route expects.
      const call = {
        ...{ request, reply, body: request.body, params: request.params, query: request.query },
        ...{ signedIn, actor: signedIn?.person.id, businessId, role: businessRole },
      } as BusinessCall<never>;
      const result = await route.handle(call, deps).catch(busyOrRethrow);
      if (!result.ok) return sendConsoleRefusal(reply, result.error);
      if (navigation !== undefined) return redirectBrowser(reply, result.value as Redirect);
      if (sends !== undefined) return reply;
      return { status: 'success', ...result.value };
    },
  });
}

function validateBody(schema: TObject) {
  return (given: unknown) => {
    const error = findBodyMistake(schema, given);
    return error === undefined ? true : { error };
  };
}

/**
 * The current URL may contain a code from the identity provider. Because of no-referrer, the browser does not send this URL to
 * the next page.
 */
function redirectBrowser(reply: FastifyReply, { status, location }: Redirect): FastifyReply {
  return reply.code(status).header('location', location).header('referrer-policy', 'no-referrer').send();
}

/** Hashing a new password fails if the queue for password checks is full. */
function busyOrRethrow(error: unknown): { readonly ok: false; readonly error: ConsoleRefusal } {
  if (error instanceof TooManyPasswordChecks) return { ok: false, error: PASSWORDS_BUSY };
  throw error;
}

/**
 * Records an operator's read before any data is shown. If the audit entry cannot be written, the service shows no data (threat
 * 85).
 */
async function recordOperatorRead(
  { audit, clock }: ConsoleDeps,
  access: RouteAccess,
  request: FastifyRequest,
  actor: string,
): Promise<void> {
  if (typeof access === 'string' || !('operator' in access) || access.reads === 'nothing') return;
  const { business_id: businessId = null, record_id: recordId } = request.params as Record<string, string>;
  const what = `console ${permissionText(access)} ${request.routeOptions.url ?? ''}`;
  if (access.reads === 'record') await recordReadOfRecord({ audit, clock }, actor, recordId!, what);
  else await recordRead({ audit, clock }, actor, access.reads === 'business' ? businessId : null, what);
}
