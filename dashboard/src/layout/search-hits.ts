// Converts search results into links.
import type { Hit } from '../api/console-types.ts';

export interface SearchResult {
  readonly label: string;
  readonly hint: string;
  readonly to: string;
}

const OPERATOR_PAGES: Readonly<Partial<Record<Hit['kind'], string>>> = {
  transaction: '/review/',
  credit: '/review/',
  deposit: '/review/',
  movement: '/review/',
  business: '/businesses/',
};

const LISTS: Readonly<Partial<Record<Hit['kind'], string>>> = { vendor: '/vendors', person: '/people' };

export function searchHits(
  hits: readonly Hit[],
  base: string,
  area: 'business' | 'operator',
): readonly SearchResult[] {
  return hits.map(({ kind, id, title, detail }) => {
    const page = area === 'business' ? '/transactions/' : OPERATOR_PAGES[kind];
    const to = page === undefined ? `${base}${LISTS[kind] ?? ''}` : `${base}${page}${encodeURIComponent(id)}`;
    return { label: title, hint: detail, to };
  });
}
