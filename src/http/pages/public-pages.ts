// The pages that need no key: the home page, the OpenAPI document and its viewer. The service renders each page once and serves
// it from memory. The documents are rendered at their first request.
import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import { type HomePageFacts, renderHomePage } from './home-page.ts';
import { otcBaseUrlFor, type ReferenceOrigins } from './reference-origins.ts';
import { COLLECTION_PATH, makeReferencePages } from './reference-pages.ts';
import { type CachedPage, makeLazily, makePage, type PageMaker, sendPage } from './send-page.ts';

export async function makePublicPages(
  facts: HomePageFacts,
  documents: { document(): Promise<object>; collection(): Promise<object> },
  origins: ReferenceOrigins,
): Promise<ReadonlyMap<string, CachedPage | PageMaker>> {
  const home = renderHomePage(facts);
  const pages = new Map<string, CachedPage | PageMaker>(await makeReferencePages(origins));
  pages.set(
    '/',
    await makePage(home.html, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': home.contentSecurityPolicy,
      'referrer-policy': 'no-referrer',
    }),
  );
  pages.set(
    '/openapi.json',
    makeLazily(async () =>
      makePage(JSON.stringify(await documents.document()), {
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-cache',
      }),
    ),
  );
  pages.set(
    COLLECTION_PATH,
    makeLazily(async () =>
      makePage(JSON.stringify(await documents.collection(), null, 2), {
        'content-type': 'application/json; charset=utf-8',
        'content-disposition': 'attachment; filename="sliproad.postman_collection.json"',
        'cache-control': 'no-cache',
      }),
    ),
  );
  return pages;
}

export function addPublicPages(
  app: FastifyInstance,
  publicly: onRequestHookHandler,
  pages: ReadonlyMap<string, CachedPage | PageMaker>,
  origins: ReferenceOrigins,
): void {
  const options = { onRequest: publicly, schema: { hide: true } };
  for (const [url, page] of pages) app.get(url, options, (request, reply) => sendPage(request, reply, page));
  // The page at /docs reads this response: the URL of the OTC port under the host name of the page.
  app.get('/docs/servers.json', options, (request) => ({
    otc: otcBaseUrlFor(origins, request.headers.host),
  }));
}
