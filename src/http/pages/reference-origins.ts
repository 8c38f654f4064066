// The page at /docs may send requests to its own origin and to the OTC port under the same host name. The service uses the host
// name of a request only if the name is valid. In addition, the name must be local to this machine, or no public address is
// configured.
import type { FastifyInstance, onRequestHookHandler } from 'fastify';

export interface ReferenceOrigins {
  readonly main: string;
  readonly otc: string;
  /** The ports on which the service itself listens. */
  readonly port: number;
  readonly otcPort: number;
  readonly scheme: 'http' | 'https';
  /** Whether clients may use any host name. This is true if no public address is configured. */
  readonly anyName: boolean;
}

const HOST = /^([a-z0-9-]+(?:\.[a-z0-9-]+)*\.?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;
const LOCAL = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/**
 * Returns the host name of this request if the service accepts it. If the result is undefined, the caller uses the public
 * address.
 */
function ownHostName(origins: ReferenceOrigins, host: string | undefined): string | undefined {
  const name = HOST.exec(host ?? '')?.[1]?.toLowerCase();
  if (name === undefined || name === new URL(origins.main).hostname) return undefined;
  return origins.anyName || LOCAL.test(name) ? name : undefined;
}

export function otcBaseUrlFor(origins: ReferenceOrigins, host: string | undefined): string {
  const name = ownHostName(origins, host);
  return name === undefined ? origins.otc : originOf(origins.scheme, name, origins.otcPort);
}

/** Whether a page of the main port sent this request to the OTC port. A page of any other origin must not read the response. */
export function isMainOrigin(
  origins: ReferenceOrigins,
  origin: string | undefined,
  host: string | undefined,
): boolean {
  if (origin === undefined) return false;
  if (origin === new URL(origins.main).origin) return true;
  const name = ownHostName(origins, host);
  return name !== undefined && origin === originOf(origins.scheme, name, origins.port);
}

/** Returns the origin as a browser writes it, without the default port of the scheme. */
function originOf(scheme: string, name: string, port: number): string {
  return new URL(`${scheme}://${name}:${port}`).origin;
}

/** Allows the page at /docs of the main port, and no other page, to call the OTC port from a browser. */
export function allowReferenceCalls(
  app: FastifyInstance,
  publicly: onRequestHookHandler,
  origins: ReferenceOrigins,
  secretKeyHeader: string,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { origin, host } = request.headers;
    reply.header('vary', 'origin');
    if (isMainOrigin(origins, origin, host)) {
      reply.header('access-control-allow-origin', origin);
      reply.header('access-control-expose-headers', 'request-id, retry-after, etag, last-modified');
    }
    done();
  });
  // A browser first sends a preflight request, because the real request has the header with the key.
  app.options('/otc/buy', { onRequest: publicly, schema: { hide: true } }, (_request, reply) =>
    reply
      .code(204)
      .header('allow', 'GET, HEAD, OPTIONS')
      .header('access-control-allow-methods', 'GET')
      .header('access-control-allow-headers', secretKeyHeader)
      .header('access-control-max-age', '600')
      .send(),
  );
}
