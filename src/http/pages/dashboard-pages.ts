// The dashboard: its built files, which are served from memory, and its page at every path under /app. The content security
// policy allows only scripts and styles of this service. Styles that the page inserts carry the nonce of the response.
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyInstance, FastifyReply, onRequestHookHandler } from 'fastify';
import { type CachedPage, makePage, sendPage } from './send-page.ts';

const BUILT = path.join(import.meta.dirname, '../../../dashboard/dist');
const NONCE = '__CSP_NONCE__';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

export interface Dashboard {
  readonly html: string;
  /** By path. */
  readonly files: ReadonlyMap<string, CachedPage>;
}

/** The built files do not depend on settings, so all services in one process share one copy. */
let builtDashboard: Promise<Dashboard> | undefined;

export function readDashboard(): Promise<Dashboard> {
  builtDashboard ??= readBuiltDashboard();
  return builtDashboard;
}

async function readBuiltDashboard(): Promise<Dashboard> {
  const html = await readFile(path.join(BUILT, 'index.html'), 'utf8').catch(() => {
    throw new Error('The dashboard is not built. Run: npm run setup');
  });
  const files = new Map<string, CachedPage>();
  for (const entry of await readdir(BUILT, { recursive: true, withFileTypes: true })) {
    const type = TYPES[path.extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const file = path.join(entry.parentPath, entry.name);
    const url = `/app/${path.relative(BUILT, file).split(path.sep).join('/')}`;
    files.set(url, await makePage(await readFile(file), fileHeaders(url, type)));
  }
  return { html, files };
}

/** The name of an asset changes when its content changes, so browsers may keep the asset forever. */
function fileHeaders(url: string, type: string): Record<string, string> {
  const forever = url.startsWith('/app/assets/');
  return {
    'content-type': type,
    'cache-control': forever ? 'public, max-age=31536000, immutable' : 'no-cache',
  };
}

export function addDashboard(
  app: FastifyInstance,
  publicly: onRequestHookHandler,
  { html, files }: Dashboard,
): void {
  const options = { onRequest: publicly, schema: { hide: true } };
  app.get('/app', options, (_request, reply) => sendDashboard(reply, html));
  app.get<{ Params: { '*': string } }>('/app/*', options, (request, reply) => {
    const url = `/app/${request.params['*']}`;
    const file = files.get(url);
    if (file !== undefined) return sendPage(request, reply, file);
    // An asset that is missing belongs to an older build. The page itself handles every other path.
    if (url.startsWith('/app/assets/')) return reply.callNotFound();
    return sendDashboard(reply, html);
  });
}

function sendDashboard(reply: FastifyReply, html: string): FastifyReply {
  const nonce = randomBytes(16).toString('base64url');
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': contentSecurityPolicy(nonce),
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
    })
    .send(html.replaceAll(NONCE, nonce));
}

function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
