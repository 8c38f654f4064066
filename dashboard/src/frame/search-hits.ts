// What the search of the service found, as places to go to.

export interface SearchHit {
  /** transaction, credit, deposit, movement, business, vendor, person. */
  readonly kind: string;
  readonly id: string;
  /** What it is, in one line. */
  readonly title: string;
  /** What matched, or its state. */
  readonly detail: string;
}

export interface SearchAnswer {
  readonly hits: readonly SearchHit[];
}

export interface Found {
  readonly label: string;
  readonly hint: string;
  readonly to: string;
}

const OPERATOR_PAGES: Readonly<Record<string, string>> = {
  transaction: '/review/',
  credit: '/review/',
  deposit: '/review/',
  movement: '/review/',
  notice: '/review/',
  business: '/businesses/',
  proposal: '/proposals/',
};

const LISTS: Readonly<Record<string, string>> = { vendor: '/vendors', person: '/people', case: '/cases' };

export function searchHits(
  { hits }: SearchAnswer,
  base: string,
  area: 'business' | 'operator',
): readonly Found[] {
  return hits.map(({ kind, id, title, detail }) => {
    const page = area === 'business' ? '/transactions/' : OPERATOR_PAGES[kind];
    const to = page === undefined ? `${base}${LISTS[kind] ?? ''}` : `${base}${page}${encodeURIComponent(id)}`;
    return { label: title, hint: detail, to };
  });
}
