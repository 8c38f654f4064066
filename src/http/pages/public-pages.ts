// The pages that need no key: the home page, the OpenAPI document and its viewer, the first pages for people. They are rendered once and served from memory.
import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import { appPages } from './app-pages.ts';
import { type HomePageFacts, homePage } from './home-page.ts';
import { makePage, type Page, sendPage } from './page-headers.ts';
import { referencePages } from './reference-pages.ts';

/** The pages by path. */
export async function makePublicPages(
  facts: HomePageFacts,
  document: object,
): Promise<ReadonlyMap<string, Page>> {
  const home = homePage(facts);
  const pages = new Map([...(await referencePages()), ...(await appPages())]);
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
    await makePage(JSON.stringify(document), {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-cache',
    }),
  );
  return pages;
}

export function addPublicPages(
  app: FastifyInstance,
  publicly: onRequestHookHandler,
  pages: ReadonlyMap<string, Page>,
): void {
  const options = { onRequest: publicly, schema: { hide: true } };
  for (const [url, page] of pages) app.get(url, options, (request, reply) => sendPage(request, reply, page));
}
