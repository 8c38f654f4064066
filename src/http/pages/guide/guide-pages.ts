// The guide at /docs/guide: the pages of docs/ with a search, for readers without the repository. Each page is rendered at its
// first request and then served from memory.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { maskKeysAndAccounts } from '../../requests/masking.ts';
import { escapeHtml } from '../html.ts';
import { makeLazily, makePage, type PageMaker, sendPage } from '../send-page.ts';
import {
  GUIDE_PATH,
  type GuideFile,
  type GuidePart,
  listGuideParts,
  listGuidePictures,
  readGuidePicture,
  readGuideText,
} from './guide-files.ts';
import {
  DIAGRAMS_PATH,
  GUIDE_STYLE,
  guidePolicy,
  MERMAID_PATH,
  renderGuideLayout,
  STYLE_PATH,
} from './guide-layout.ts';
import { LONGEST_QUERY, makeGuideSearch, type SearchGuide, type SearchHit } from './guide-search.ts';
import { type RenderedPage, renderMarkdown } from './render-markdown.ts';

const DIAGRAMS = `mermaid.initialize({
  startOnLoad: true,
  securityLevel: 'strict',
  theme: matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'neutral',
});
`;

interface Guide {
  readonly parts: readonly GuidePart[];
  readonly pages: ReadonlyMap<string, PageMaker>;
  readonly search: () => Promise<SearchGuide>;
}

async function readGuide(version: string): Promise<Guide> {
  const [parts, pictures] = await Promise.all([listGuideParts(), listGuidePictures()]);
  const files = parts.flatMap(({ lead, pages }) => [lead, ...pages]);
  const pages = new Map<string, PageMaker>([
    [GUIDE_PATH, makeLazily(() => makeHtmlPage(renderFrontPage(parts, version)))],
    [STYLE_PATH, makeLazily(() => makePage(GUIDE_STYLE, fileHeaders('text/css; charset=utf-8')))],
    [DIAGRAMS_PATH, makeLazily(() => makePage(DIAGRAMS, fileHeaders('text/javascript; charset=utf-8')))],
    [MERMAID_PATH, makeLazily(readMermaid)],
  ]);
  for (const file of files)
    pages.set(
      file.url,
      makeLazily(() => makeGuidePage(parts, version, file)),
    );
  for (const name of pictures) {
    const type = name.endsWith('.svg') ? 'image/svg+xml' : 'image/png';
    const picture = async () => makePage(await readGuidePicture(name), fileHeaders(type));
    pages.set(`${GUIDE_PATH}/pictures/${name}`, makeLazily(picture));
  }
  const search = makeLazily(async () =>
    makeGuideSearch(
      await Promise.all(files.map(async (file) => ({ file, sections: (await renderFile(file)).sections }))),
    ),
  );
  return { parts, pages, search };
}

async function renderFile({ file }: GuideFile): Promise<RenderedPage> {
  return renderMarkdown(await readGuideText(file), file);
}

async function makeGuidePage(parts: readonly GuidePart[], version: string, file: GuideFile) {
  const { html, hasDiagram } = await renderFile(file);
  const page = renderGuideLayout(parts, version, { title: file.title, current: file, html, hasDiagram });
  return makeHtmlPage(page, hasDiagram);
}

async function readMermaid() {
  const file = fileURLToPath(import.meta.resolve('@mermaid-js/tiny/dist/mermaid.tiny.js'));
  return makePage(await readFile(file), fileHeaders('text/javascript; charset=utf-8'));
}

function makeHtmlPage(html: string, hasDiagram = false) {
  return makePage(html, htmlHeaders(hasDiagram));
}

function htmlHeaders(hasDiagram = false): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'content-security-policy': guidePolicy(hasDiagram),
    'referrer-policy': 'no-referrer',
  };
}

function fileHeaders(type: string): Record<string, string> {
  return {
    'content-type': type,
    'cache-control': 'public, max-age=3600',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  };
}

export function addGuide(app: FastifyInstance, publicly: onRequestHookHandler, version: string): void {
  const options = { onRequest: publicly, schema: { hide: true } };
  const openGuide = makeLazily(() => readGuide(version));
  app.get(GUIDE_PATH, options, async (request, reply) =>
    sendPage(request, reply, (await openGuide()).pages.get(GUIDE_PATH)!),
  );
  app.get(`${GUIDE_PATH}/search`, options, async (request, reply) =>
    sendHits(request, reply, await openGuide(), version),
  );
  app.get<{ Params: { '*': string } }>(`${GUIDE_PATH}/*`, options, async (request, reply) => {
    const { parts, pages } = await openGuide();
    // A reader may type a link as the Markdown files contain it.
    const name = request.params['*'].replace(/(\/README)?\.md$/, '').replace(/\/$/, '');
    const page = pages.get(name === '' ? GUIDE_PATH : `${GUIDE_PATH}/${name}`);
    if (page !== undefined) return sendPage(request, reply, page);
    const html =
      '<h1>There is no such page</h1>\n<p>Search for it above, or choose a page from the list.</p>';
    const missing = renderGuideLayout(parts, version, {
      title: 'There is no such page',
      current: null,
      html,
    });
    return reply.code(404).headers(htmlHeaders()).send(missing);
  });
}

async function sendHits(
  request: FastifyRequest,
  reply: FastifyReply,
  { parts, search }: Guide,
  version: string,
): Promise<FastifyReply> {
  const given = (request.query as Record<string, unknown>).q;
  // The page repeats the search text, so keys and account numbers in it are masked: people may paste secrets.
  const query = maskKeysAndAccounts(String(Array.isArray(given) ? given[0] : (given ?? '')))
    .slice(0, LONGEST_QUERY)
    .trim();
  const hits = query === '' ? [] : (await search())(query);
  const html = renderHits(query, hits);
  return reply
    .headers(htmlHeaders())
    .send(renderGuideLayout(parts, version, { title: 'Search', current: null, html, query }));
}

function renderHits(query: string, hits: readonly SearchHit[]): string {
  if (query === '')
    return '<h1>Search</h1>\n<p>Type a word above: a state, a command, a setting, an error code.</p>';
  const asked = escapeHtml(query);
  if (hits.length === 0)
    return `<h1>Nothing found for “${asked}”</h1>\n<p>Try fewer or other words. The <a href="${GUIDE_PATH}/start/glossary">glossary</a> has the words of the product.</p>`;
  const listed = hits.map(
    ({ url, page, heading, excerpt }) =>
      `<li><a href="${escapeHtml(url)}">${escapeHtml(heading === '' ? page : `${page}: ${heading}`)}</a><p>${escapeHtml(excerpt)}</p></li>`,
  );
  return `<h1>“${asked}” in the guide</h1>\n<ul class="hits">\n${listed.join('\n')}\n</ul>`;
}

const PURPOSES: Readonly<Record<string, string>> = {
  start: 'See it work: the first buy, the sandbox, the dashboard, the glossary.',
  concepts: 'How it works: parts, states, ledger, matching, and guarantees.',
  integrate: 'Connect a business: webhooks, events, quotes, errors, the SDK.',
  operate: 'Run it: people, banks, networks, reviews, statements, incidents.',
  extend: 'Change it: add a bank rail, a network, a page, a source of rates.',
  decisions: 'Why it is built as it is, one page for each decision.',
};

function renderFrontPage(parts: readonly GuidePart[], version: string): string {
  const cards = parts.map(({ lead }) => {
    const name = lead.file.split('/')[0]!;
    return `<section><h2><a href="${lead.url}">${escapeHtml(lead.title)}</a></h2><p>${escapeHtml(PURPOSES[name] ?? '')}</p></section>`;
  });
  const html = `<h1>Guide</h1>
<p>How to use, run and extend Sliproad. The requests, field by field, are in the <a href="/docs">API reference</a>.</p>
<div class="cards">
${cards.join('\n')}
</div>`;
  return renderGuideLayout(parts, version, { title: 'Guide', current: null, html });
}
