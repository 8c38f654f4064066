// Tests the guide at /docs/guide. The service serves every page of docs/, every link and anchor in it has a target, and the
// search finds sections.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { sharedTestService } from '../support/sharing/shared-service.ts';

const service = await sharedTestService();
const DOCS = path.resolve(import.meta.dirname, '../../docs');
const FILES = globSync('**/*.md', { cwd: DOCS }).sort();
const urlOf = (file: string) => `/docs/guide/${file.replace(/(\/README)?\.md$/, '')}`;

async function read(url: string) {
  const answer = await fetch(`${service.baseUrl}${url}`);
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

const pages = new Map<string, string>();
for (const url of ['/docs/guide', ...FILES.map(urlOf)]) pages.set(url, (await read(url)).text);

const allIn = (html: string, pattern: RegExp) => [...html.matchAll(pattern)].map(([, found]) => found!);
const bodyOf = (html: string) => /<main[\s\S]*?<\/main>/.exec(html)![0];

test('every page of docs/ is served, has its title, and is listed in the navigation', async () => {
  assert.ok(FILES.length > 50);
  const navigation = new Set(allIn(pages.get('/docs/guide')!, /<li><a href="([^"]+)"/g));
  for (const file of FILES) {
    const html = pages.get(urlOf(file))!;
    assert.match(html, /<h1 id="[^"]+">/, file);
    assert.match(html, /<title>.+ · Sliproad guide<\/title>/, file);
    assert.ok(navigation.has(urlOf(file)), `${file} is not in the navigation`);
  }
});

test('the first page of each part of the guide links to every page of that part', () => {
  const parts = Map.groupBy(FILES, (file) => path.posix.dirname(file));
  for (const [part, files] of parts) {
    const links = new Set(allIn(bodyOf(pages.get(urlOf(`${part}/README.md`))!), /href="([^"#]+)/g));
    for (const file of files.filter((each) => !each.endsWith('README.md')))
      assert.ok(links.has(urlOf(file)), `docs/${part}/README.md does not name ${file}`);
  }
});

test('every link and every picture has an existing target, including anchors', async () => {
  const seen = new Set<string>();
  for (const [url, html] of pages) {
    for (const href of allIn(html, /(?:href|src)="([^"]+)"/g)) {
      if (/^(https?|mailto):/.test(href)) continue;
      const [target, anchor] = new URL(href, `http://x${url}`).href.slice('http://x'.length).split('#');
      if (anchor !== undefined && pages.has(target!))
        assert.ok(pages.get(target!)!.includes(`id="${decodeURIComponent(anchor)}"`), `${url}: ${href}`);
      if (seen.has(target!) || pages.has(target!)) continue;
      seen.add(target!);
      const { status } = await read(target!);
      assert.equal(status, 200, `${url}: ${href}`);
    }
  }
  assert.ok([...seen].some((target) => target.endsWith('.png')));
});

test('every link from the dashboard to the guide leads to an existing page', () => {
  const sources = globSync('dashboard/src/**/*.tsx', { cwd: path.resolve(DOCS, '..') });
  const named = sources.flatMap((file) =>
    allIn(readFileSync(path.resolve(DOCS, '..', file), 'utf8'), /<GuideLink page="([^"]+)"/g),
  );
  assert.ok(named.length >= 3);
  for (const page of named) assert.ok(pages.has(`/docs/guide/${page}`), page);
});

test('no Markdown syntax remains in a page, and only pages with a diagram need a script', () => {
  for (const [url, html] of pages) {
    assert.doesNotMatch(bodyOf(html).replaceAll(/<(pre|code)[\s\S]*?<\/\1>/g, ''), /\]\(|^#+ |\*\*\w/m, url);
    assert.equal(html.includes('<script'), html.includes('class="mermaid"'), url);
  }
});

test('the content security policy of a page allows only files of this service', async () => {
  const plain = (await read('/docs/guide/start')).headers.get('content-security-policy')!;
  assert.match(plain, /^default-src 'none'; style-src 'self'; img-src/);
  assert.doesNotMatch(plain, /script-src/);
  const diagram = (await read('/docs/guide/concepts/architecture')).headers.get('content-security-policy')!;
  assert.match(diagram, /script-src 'self'/);
});

const hitsOf = async (query: string) =>
  allIn(
    (await read(`/docs/guide/search?q=${encodeURIComponent(query)}`)).text,
    /<li><a href="([^"]+)">(?=[^<]*<\/a><p>)/g,
  );

test('the search finds a section by its words, by their first letters, and despite a spelling mistake', async () => {
  assert.ok((await hitsOf('backup')).slice(0, 3).some((url) => url.startsWith('/docs/guide/operate/backup')));
  assert.ok((await hitsOf('glossary')).includes('/docs/guide/start/glossary'));
  assert.ok((await hitsOf('reconcil')).some((url) => url.startsWith('/docs/guide/operate/reconciliation')));
  assert.ok(
    (await hitsOf('webhok signature')).some((url) => url.startsWith('/docs/guide/integrate/webhooks')),
  );
});

test('a search without words, without hits or with special characters returns a page', async () => {
  assert.match((await read('/docs/guide/search')).text, /Type a word above/);
  assert.match((await read('/docs/guide/search?q=%20')).text, /Type a word above/);
  assert.match((await read('/docs/guide/search?q=xqzzyv')).text, /Nothing found for “xqzzyv”/);
  const marks = await read('/docs/guide/search?q=%3Cscript%3Ealert(1)%3C%2Fscript%3E%22');
  assert.equal(marks.status, 200);
  assert.doesNotMatch(marks.text, /<script>alert/);
  assert.match(marks.text, /&lt;script&gt;/);
  const repeated = await read(`/docs/guide/search?q=${'w'.repeat(3000)}&q=b`);
  assert.equal(repeated.status, 200);
  assert.equal((await read('/docs/guide/search?q=%00%FF')).status < 500, true);
});

test('an address with a file name works, and an unknown address returns a 404 page', async () => {
  for (const url of [
    '/docs/guide/',
    '/docs/guide/operate/rails.md',
    '/docs/guide/operate/README.md',
    '/docs/guide/operate/',
  ])
    assert.equal((await read(url)).status, 200, url);
  for (const url of [
    '/docs/guide/nothing',
    '/docs/guide/../../package.json',
    '/docs/guide/%2e%2e/%2e%2e/package.json',
    '/docs/guide/pictures/..%2f..%2fpackage.json',
  ]) {
    const { status, text } = await read(url);
    assert.equal(status, 404, url);
    assert.doesNotMatch(text, /"dependencies"/);
  }
  assert.match((await read('/docs/guide/nothing')).text, /There is no such page/);
});
