// The reference at /docs: a viewer of the OpenAPI document. Its files come from the package @fastify/swagger-ui, are read once
// at the start and served from memory; every other path below /docs is 404.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { makePage, type Page } from './page-headers.ts';

/** Only files of this service. The viewer needs inline styles. */
const POLICY = [
  "default-src 'self'",
  "img-src 'self' data:",
  "style-src 'self' 'unsafe-inline'",
  "base-uri 'none'",
  "object-src 'none'",
  "frame-ancestors 'none'",
].join('; ');

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
<div id="swagger-ui"></div>
<script src="/docs/static/swagger-ui-bundle.js"></script>
<script src="/docs/static/swagger-initializer.js"></script>
</body>
</html>
`;

const INITIALIZER = `window.onload = function () {
  SwaggerUIBundle({
    dom_id: '#swagger-ui',
    url: '/openapi.json',
    validatorUrl: null,
    presets: [SwaggerUIBundle.presets.apis],
    layout: 'BaseLayout',
    docExpansion: 'list',
    deepLinking: true,
    persistAuthorization: false
  });
};
`;

const FILES: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'index.css': 'text/css; charset=utf-8',
  'favicon-16x16.png': 'image/png',
  'favicon-32x32.png': 'image/png',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
};

/** The pages do not depend on settings, so several services in one process read them once. */
let read: Promise<ReadonlyMap<string, Page>> | undefined;

export function referencePages(): Promise<ReadonlyMap<string, Page>> {
  read ??= readPages();
  return read;
}

async function readPages(): Promise<ReadonlyMap<string, Page>> {
  const directory = path.join(
    path.dirname(fileURLToPath(import.meta.resolve('@fastify/swagger-ui'))),
    'static',
  );
  const file = async (name: string, type: string): Promise<[string, Page]> => {
    const content = await readFile(path.join(directory, name));
    return [`/docs/static/${name}`, await makePage(content, headers(type, 'public, max-age=3600'))];
  };
  const html = await makePage(HTML, headers('text/html; charset=utf-8', 'no-cache'));
  const script = await makePage(INITIALIZER, headers('text/javascript; charset=utf-8', 'no-cache'));
  return new Map([
    ['/docs', html],
    ['/docs/', html],
    ['/docs/static/swagger-initializer.js', script],
    ...(await Promise.all(Object.entries(FILES).map(([name, type]) => file(name, type)))),
  ]);
}

function headers(type: string, caching: string): Record<string, string> {
  return { 'content-type': type, 'cache-control': caching, 'content-security-policy': POLICY };
}
