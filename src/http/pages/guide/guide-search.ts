// The search of the guide. It finds sections of all pages by the first letters of words, and tolerates small spelling mistakes.
import MiniSearch from 'minisearch';
import type { GuideFile } from './guide-files.ts';
import type { GuideSection } from './render-markdown.ts';

export interface SearchHit {
  readonly url: string;
  readonly page: string;
  readonly heading: string;
  readonly excerpt: string;
}

interface IndexedSection extends SearchHit {
  readonly id: number;
  readonly text: string;
}

export const LONGEST_QUERY = 200;
const MOST_HITS = 30;
const EXCERPT_LENGTH = 220;

export type SearchGuide = (query: string) => readonly SearchHit[];

/** Decision records explain the past, so all other pages rank higher. */
const weightOf = (url: string) => (url.includes('/decisions/') ? 0.4 : 1);

export async function makeGuideSearch(
  pages: readonly { readonly file: GuideFile; readonly sections: readonly GuideSection[] }[],
): Promise<SearchGuide> {
  const sections = pages.flatMap(({ file, sections }) =>
    sections
      .filter(({ anchor, text }) => anchor !== '' || text !== '')
      .map(({ anchor, heading, text }) => ({
        ...{ url: anchor === '' ? file.url : `${file.url}#${anchor}`, page: file.title },
        ...{ heading, text },
      })),
  );
  const index = new MiniSearch<Omit<IndexedSection, 'excerpt'>>({
    fields: ['page', 'heading', 'text'],
    searchOptions: {
      boost: { page: 3, heading: 4 },
      prefix: true,
      fuzzy: (word) => (word.length > 4 ? 0.2 : false),
      boostDocument: (id) => weightOf(sections[id as number]!.url),
    },
  });
  // The text is indexed in chunks, so that the server can handle requests between them.
  await index.addAllAsync(
    sections.map((section, id) => ({ id, ...section })),
    { chunkSize: 50 },
  );
  return (query) => {
    const asked = query.slice(0, LONGEST_QUERY);
    const all = index.search(asked, { combineWith: 'AND' });
    const found = all.length > 0 ? all : index.search(asked);
    return found.slice(0, MOST_HITS).map(({ id, match }) => {
      const { url, page, heading, text } = sections[id as number]!;
      return { url, page, heading, excerpt: excerptOf(text, Object.keys(match)) };
    });
  };
}

function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const from = first < EXCERPT_LENGTH / 2 ? 0 : lower.indexOf(' ', first - EXCERPT_LENGTH / 3) + 1;
  const end = lower.lastIndexOf(' ', from + EXCERPT_LENGTH);
  const to = text.length - from <= EXCERPT_LENGTH || end <= from ? from + EXCERPT_LENGTH : end;
  return `${from > 0 ? '… ' : ''}${text.slice(from, to)}${to < text.length ? ' …' : ''}`;
}
