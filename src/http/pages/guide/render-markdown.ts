// Converts a page of docs/ to HTML. Headings get anchors, and links between files point to pages of the guide. A link to a file
// outside the guide becomes plain text.
import path from 'node:path';
import { Marked, type Token, type Tokens } from 'marked';
import { escapeHtml } from '../html.ts';
import { GUIDE_PATH, guideUrlOf } from './guide-files.ts';

const DIAGRAM = 'mermaid';

export interface GuideSection {
  /** The anchor of the section; empty for the text before the first second-level heading. */
  readonly anchor: string;
  readonly heading: string;
  /** The text of the section without Markdown marks. */
  readonly text: string;
}

export interface RenderedPage {
  readonly html: string;
  readonly sections: readonly GuideSection[];
  readonly hasDiagram: boolean;
}

export function renderMarkdown(text: string, file: string): RenderedPage {
  const anchors = makeAnchors();
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text: source }: Tokens.Heading): string {
        const anchor = anchors(plainText(source));
        const inner = this.parser.parseInline(tokens);
        if (depth === 1) return `<h1 id="${anchor}">${inner}</h1>\n`;
        return `<h${depth} id="${anchor}">${inner} <a class="anchor" href="#${anchor}" aria-label="Link to this section">#</a></h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link): string {
        const inner = this.parser.parseInline(tokens);
        const target = resolveLink(href, file);
        return target === null ? inner : `<a href="${escapeHtml(target)}">${inner}</a>`;
      },
      image({ href, text: alternative }: Tokens.Image): string {
        const source = resolveLink(href, file) ?? '';
        return `<img src="${escapeHtml(source)}" alt="${escapeHtml(alternative)}" loading="lazy">`;
      },
      code({ text: code, lang }: Tokens.Code): string {
        return lang === DIAGRAM
          ? `<pre class="mermaid">${escapeHtml(code)}</pre>\n`
          : `<pre tabindex="0"><code>${escapeHtml(code)}</code></pre>\n`;
      },
      table(token: Tokens.Table): string {
        const cells = (row: Tokens.TableCell[], tag: string) =>
          `<tr>${row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`;
        const body = token.rows.map((row) => cells(row, 'td')).join('\n');
        return `<div class="table" tabindex="0"><table><thead>${cells(token.header, 'th')}</thead><tbody>\n${body}</tbody></table></div>\n`;
      },
    },
  });
  const tokens = marked.lexer(text);
  return {
    html: marked.parser(tokens),
    sections: readSections(tokens),
    hasDiagram: tokens.some(isDiagram),
  };
}

function readSections(tokens: readonly Token[]): readonly GuideSection[] {
  const anchors = makeAnchors();
  const sections = [{ anchor: '', heading: '', text: '' }];
  for (const token of tokens) {
    if (token.type === 'heading') {
      const heading = plainText(token.text);
      const anchor = anchors(heading);
      if (token.depth > 1) sections.push({ anchor, heading, text: '' });
    } else if (!isDiagram(token)) {
      sections.at(-1)!.text += `${plainText(token.raw)}\n`;
    }
  }
  return sections;
}

function isDiagram(token: Token): boolean {
  return token.type === 'code' && token.lang === DIAGRAM;
}

function plainText(markdown: string): string {
  return markdown
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/^\s*(?:```\w*|\|[\s|:-]+\||[-*>]|\d+\.)\s*/gm, '')
    .replaceAll(/[`*|]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[.,;:)])/g, '')
    .trim();
}

/** Makes the same anchors as GitHub, so that a link works in both places. */
function makeAnchors(): (heading: string) => string {
  const used = new Map<string, number>();
  return (heading) => {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-');
    const times = used.get(anchor) ?? 0;
    used.set(anchor, times + 1);
    return times === 0 ? anchor : `${anchor}-${times}`;
  };
}

/** Null if the guide does not show the linked file. */
function resolveLink(href: string, file: string): string | null {
  if (/^(https?:|mailto:|#|\/)/.test(href)) return href;
  const [target = '', anchor] = href.split('#');
  const found = path.posix.join(path.posix.dirname(file), target);
  if (found.startsWith('..')) return null;
  if (found.startsWith('pictures/')) return `${GUIDE_PATH}/${found}`;
  return found.endsWith('.md') ? guideUrlOf(found) + (anchor === undefined ? '' : `#${anchor}`) : null;
}
