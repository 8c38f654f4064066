// The pages that need no key: the home page, the OpenAPI document and its viewer. They are rendered once and served from memory;
// the documents when they are first asked for.
import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import { type HomePageFacts, homePage } from './home-page.ts';
import { madeWhenAsked, makePage, type Page, type PageMaker, sendPage } from './page-headers.ts';
import { otcBaseUrlFor, type ReferenceOrigins } from './reference-origins.ts';
import { COLLECTION_PATH, referencePages } from './reference-pages.ts';

/** The pages by path. */
export async function makePublicPages(
  facts: HomePageFacts,
  documents: { document(): Promise<object>; collection(): Promise<object> },
  origins: ReferenceOrigins,
): Promise<ReadonlyMap<string, Page | PageMaker>> {
  const home = homePage(facts);
  const pages = new Map<string, Page | PageMaker>(await referencePages(origins));
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
    madeWhenAsked(async () =>
      makePage(JSON.stringify(await documents.document()), {
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-cache',
      }),
    ),
  );
  pages.set(
    COLLECTION_PATH,
    madeWhenAsked(async () =>
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
  pages: ReadonlyMap<string, Page | PageMaker>,
  origins: ReferenceOrigins,
): void {
  const options = { onRequest: publicly, schema: { hide: true } };
  for (const [url, page] of pages) app.get(url, options, (request, reply) => sendPage(request, reply, page));
  // For the page at /docs: where the OTC port is, under the host name of the page.
  app.get('/docs/servers.json', options, (request) => ({
    otc: otcBaseUrlFor(origins, request.headers.host),
  }));
}
