// The reference at /docs: a viewer of the OpenAPI document. Its files come from the package @fastify/swagger-ui; they are read
// once at the start and served from memory. Every other path below /docs returns 404, except the guide (guide/guide-pages.ts).
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { otcBaseUrlFor, type ReferenceOrigins } from './reference-origins.ts';
import { type CachedPage, makePage } from './send-page.ts';

/** The policy allows only files of this service. The viewer needs inline styles. */
const POLICY = [
  "default-src 'self'",
  "img-src 'self' data:",
  "style-src 'self' 'unsafe-inline'",
  "base-uri 'none'",
  "object-src 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The policy also allows the OTC port, because "Try it out" calls it. */
function contentSecurityPolicyFor(origins: ReferenceOrigins, host: string | undefined): string {
  return `${POLICY}; connect-src 'self' ${new URL(otcBaseUrlFor(origins, host)).origin}`;
}

export const COLLECTION_PATH = '/docs/postman.json';

const HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sliproad API reference</title>
<link rel="stylesheet" href="/docs/static/swagger-ui.css">
<link rel="stylesheet" href="/docs/static/index.css">
<link rel="icon" type="image/png" href="/docs/static/favicon-32x32.png" sizes="32x32">
<link rel="icon" type="image/png" href="/docs/static/favicon-16x16.png" sizes="16x16">
</head>
<body>
<nav class="swagger-ui" aria-label="Files" style="max-width: 1460px; margin: 0 auto; padding: 12px 20px 0">
<a class="link" href="${COLLECTION_PATH}">Postman collection</a> (Bruno and Insomnia import it, too) · <a class="link" href="/openapi.json">OpenAPI document</a> · <a class="link" href="/docs/guide">Guide</a>
</nav>
<div id="swagger-ui"></div>
<script src="/docs/static/swagger-ui-bundle.js"></script>
<script src="/docs/static/swagger-initializer.js"></script>
</body>
</html>
`;

/**
 * The viewer sends requests to the origin of its page. It sends requests for the OTC port to that port under the same host
 * name.
 */
const INITIALIZER = `async function load() {
  const answers = await Promise.all([fetch('/openapi.json'), fetch('/docs/servers.json')]);
  const [spec, servers] = await Promise.all(answers.map((answer) => answer.json()));
  spec.servers = [{ url: location.origin, description: 'This service' }];
  for (const path of Object.values(spec.paths)) {
    for (const operation of Object.values(path)) {
      if (operation.servers !== undefined) operation.servers = [{ ...operation.servers[0], url: servers.otc }];
    }
  }
  SwaggerUIBundle({
    dom_id: '#swagger-ui',
    spec: spec,
    validatorUrl: null,
    presets: [SwaggerUIBundle.presets.apis],
    layout: 'BaseLayout',
    docExpansion: 'list',
    deepLinking: true,
    persistAuthorization: false
  });
}
window.onload = load;
`;

const FILES: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'index.css': 'text/css; charset=utf-8',
  'favicon-16x16.png': 'image/png',
  'favicon-32x32.png': 'image/png',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
};

/** The files do not depend on settings, so all services in one process share one copy. */
let filesRead: Promise<ReadonlyMap<string, CachedPage>> | undefined;

export async function makeReferencePages(
  origins: ReferenceOrigins,
): Promise<ReadonlyMap<string, CachedPage>> {
  filesRead ??= readPages();
  const pages = new Map(await filesRead);
  const headersFor = (host: string | undefined) => ({
    'content-security-policy': contentSecurityPolicyFor(origins, host),
  });
  for (const path of ['/docs', '/docs/']) pages.set(path, { ...pages.get(path)!, headersFor });
  return pages;
}

async function readPages(): Promise<ReadonlyMap<string, CachedPage>> {
  const directory = path.join(
    path.dirname(fileURLToPath(import.meta.resolve('@fastify/swagger-ui'))),
    'static',
  );
  const file = async (name: string, type: string): Promise<[string, CachedPage]> => {
    const content = await readFile(path.join(directory, name));
    return [`/docs/static/${name}`, await makePage(content, pageHeaders(type, 'public, max-age=3600'))];
  };
  const html = await makePage(HTML, pageHeaders('text/html; charset=utf-8', 'no-cache'));
  const script = await makePage(INITIALIZER, pageHeaders('text/javascript; charset=utf-8', 'no-cache'));
  return new Map([
    ['/docs', html],
    ['/docs/', html],
    ['/docs/static/swagger-initializer.js', script],
    ...(await Promise.all(Object.entries(FILES).map(([name, type]) => file(name, type)))),
  ]);
}

function pageHeaders(type: string, caching: string): Record<string, string> {
  return { 'content-type': type, 'cache-control': caching, 'content-security-policy': POLICY };
}
