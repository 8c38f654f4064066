// The layout of every page of the guide: the search, the parts and their pages, and the text. A page works without a script;
// only a page with a diagram loads one.
import { escapeHtml, LOGO, THEME_STYLE } from '../html.ts';
import { GUIDE_PATH, type GuideFile, type GuidePart } from './guide-files.ts';

export const STYLE_PATH = `${GUIDE_PATH}/static/guide.css`;
export const DIAGRAMS_PATH = `${GUIDE_PATH}/static/diagrams.js`;
export const MERMAID_PATH = `${GUIDE_PATH}/static/mermaid.js`;

/**
 * The policy allows only files of this service. Diagrams insert their own styles, so a page with a diagram also allows inline
 * styles.
 */
export function guidePolicy(hasDiagram: boolean): string {
  return [
    "default-src 'none'",
    `style-src 'self'${hasDiagram ? " 'unsafe-inline'" : ''}`,
    ...(hasDiagram ? ["script-src 'self'"] : []),
    "img-src 'self' data:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

export interface GuideView {
  readonly title: string;
  /** The current page; null if the page is not in the navigation. */
  readonly current: GuideFile | null;
  readonly html: string;
  readonly hasDiagram?: boolean;
  readonly query?: string;
}

export function renderGuideLayout(parts: readonly GuidePart[], version: string, view: GuideView): string {
  const { title, current, html, hasDiagram = false, query = '' } = view;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#0B6B45">
<link rel="icon" type="image/svg+xml" href="/app/logo.svg">
<link rel="stylesheet" href="${STYLE_PATH}">
<title>${escapeHtml(title)} · Sliproad guide</title>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header class="top">
<a class="brand" href="${GUIDE_PATH}">${LOGO}<span>Sliproad guide</span></a>
<form role="search" action="${GUIDE_PATH}/search">
<input type="search" name="q" value="${escapeHtml(query)}" placeholder="Search the guide" aria-label="Search the guide" maxlength="200">
<button type="submit">Search</button>
</form>
<nav class="ways" aria-label="Other pages"><a class="menu" href="#pages">All pages</a> <a href="/docs">API reference</a> <a href="/app/sign-in">Dashboard</a></nav>
</header>
<div class="columns">
<main id="content" tabindex="-1">
${html}
${renderNeighbours(parts, current)}
</main>
<nav id="pages" class="pages" aria-label="Pages of the guide">
${parts.map((part) => renderPart(part, current)).join('\n')}
<p class="quiet">Version ${escapeHtml(version)}</p>
</nav>
</div>
${hasDiagram ? `<script src="${MERMAID_PATH}"></script>\n<script src="${DIAGRAMS_PATH}"></script>\n` : ''}</body>
</html>
`;
}

function renderPart({ lead, pages }: GuidePart, current: GuideFile | null): string {
  const isOpen = [lead, ...pages].some(({ url }) => url === current?.url);
  return `<details${isOpen || current === null ? ' open' : ''}><summary>${escapeHtml(lead.title)}</summary>
<ul>
${[{ ...lead, title: 'Overview' }, ...pages].map((page) => `<li>${renderEntry(page, current)}</li>`).join('\n')}
</ul></details>`;
}

function renderEntry({ url, title }: GuideFile, current: GuideFile | null): string {
  const here = url === current?.url ? ' aria-current="page"' : '';
  return `<a href="${url}"${here}>${escapeHtml(title)}</a>`;
}

function renderNeighbours(parts: readonly GuidePart[], current: GuideFile | null): string {
  if (current === null) return '';
  const all = parts.flatMap(({ lead, pages }) => [lead, ...pages]);
  const at = all.findIndex(({ url }) => url === current.url);
  const link = (page: GuideFile | undefined, label: string) =>
    page === undefined
      ? ''
      : `<a href="${page.url}"><span class="quiet">${label}</span> ${escapeHtml(page.title)}</a>`;
  return `<nav class="neighbours" aria-label="Previous and next page">${link(all[at - 1], 'Previous:')}${link(all[at + 1], 'Next:')}</nav>`;
}

const MONO = 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, "DejaVu Sans Mono", monospace';

export const GUIDE_STYLE = `${THEME_STYLE}
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: .5rem; padding: .5rem 1rem; background: var(--surface); z-index: 2; }
.top { position: sticky; top: 0; z-index: 1; display: flex; align-items: center; gap: 1rem; padding: .625rem 1.5rem;
  background: var(--surface); border-bottom: 1px solid var(--line); }
.brand { display: flex; align-items: center; gap: .5rem; font-weight: 600; font-size: 1rem; color: var(--text); text-decoration: none; }
.brand svg { width: 24px; height: 24px; color: var(--brand); }
form { display: flex; flex: 1 1 auto; max-width: 30rem; gap: .5rem; margin-left: auto; }
input { flex: 1 1 auto; min-width: 0; padding: .5rem .75rem; font: inherit; color: var(--text); background: var(--page);
  border: 1px solid var(--line); border-radius: 5px; }
button { padding: .5rem 1rem; font: inherit; font-weight: 600; color: #ffffff; background: var(--button); border: 0; border-radius: 5px; cursor: pointer; }
button:hover { background: var(--button-over); }
.ways { display: flex; gap: 1rem; white-space: nowrap; }
.menu { display: none; }
.columns { display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: 2rem; max-width: 80rem; margin: 0 auto; padding: 1.5rem; }
.pages { grid-column: 1; grid-row: 1; position: sticky; top: 4.5rem; align-self: start; max-height: calc(100vh - 6rem); overflow-y: auto; }
.pages ul { margin: .25rem 0 .75rem; padding: 0; list-style: none; }
.pages summary { padding: .25rem 0; font-weight: 600; cursor: pointer; }
.pages li a { display: block; padding: .25rem .625rem; border-radius: 5px; color: var(--text); text-decoration: none; }
.pages li a:hover { background: var(--panel); }
.pages a[aria-current] { background: var(--panel); color: var(--brand); font-weight: 600; }
main { grid-column: 2; grid-row: 1; align-self: start; min-width: 0; max-width: 54rem; padding: 1.5rem 2rem; background: var(--surface);
  border: 1px solid var(--line); border-radius: .75rem; }
main:focus { outline: none; }
h1 { margin: 0 0 1rem; font-size: 1.75rem; line-height: 1.25; letter-spacing: -.02em; }
h2 { margin: 2rem 0 .5rem; font-size: 1.25rem; }
h3 { margin: 1.5rem 0 .5rem; font-size: 1rem; }
h1, h2, h3, h4 { font-weight: 600; scroll-margin-top: 4.5rem; }
.anchor { color: var(--quiet); text-decoration: none; opacity: 0; }
h2:hover .anchor, h3:hover .anchor, h4:hover .anchor, .anchor:focus-visible { opacity: 1; }
main p, main li { max-width: 46rem; }
main li { margin: .25rem 0; }
main img { max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: .5rem; }
.table { overflow-x: auto; margin: .75rem 0 1.25rem; }
table { border-collapse: collapse; min-width: 100%; }
th, td { padding: .5rem .75rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); min-width: 6rem; }
th { font-size: .75rem; color: var(--quiet); font-weight: 600; }
pre { margin: .5rem 0 1.25rem; padding: .75rem 1rem; overflow-x: auto; background: var(--panel); border: 1px solid var(--line);
  border-radius: .5rem; font: .8125rem/1.6 ${MONO}; }
pre.mermaid { background: none; text-align: center; }
code { font: .9em ${MONO}; overflow-wrap: anywhere; }
pre code { font: inherit; overflow-wrap: normal; }
.neighbours { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .5rem 2rem; margin-top: 2.5rem; padding-top: 1rem;
  border-top: 1px solid var(--line); }
.hits { margin: 0; padding: 0; list-style: none; }
.hits li { margin: 0 0 1.25rem; }
.hits p { margin: .125rem 0 0; color: var(--quiet); overflow-wrap: anywhere; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: 1rem; margin-top: 1.5rem; }
.cards section { padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: .5rem; }
.cards h2 { margin: 0 0 .25rem; font-size: 1rem; }
.cards p { margin: 0; color: var(--quiet); }
.quiet { color: var(--quiet); font-size: .75rem; }
a:focus-visible, pre:focus-visible, .table:focus-visible, summary:focus-visible, input:focus-visible, button:focus-visible {
  outline: 2px solid var(--brand); outline-offset: 2px; }
@media (max-width: 800px) {
  .top { flex-wrap: wrap; position: static; padding: .75rem 1rem; }
  form { order: 1; flex-basis: 100%; max-width: none; margin: 0; }
  .ways { margin-left: auto; }
  .menu { display: inline; }
  .columns { display: block; padding: 1rem; }
  main { padding: 1.25rem 1rem; }
  .pages { position: static; max-height: none; margin-top: 2rem; }
  .pages li a { padding: .5rem .625rem; }
  h1, h2, h3, h4 { scroll-margin-top: 1rem; }
}
`;
